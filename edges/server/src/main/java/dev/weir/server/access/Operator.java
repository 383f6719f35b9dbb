package dev.weir.server.access;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Who sent a request to the administration port. Immutable.
 *
 * @param name how the person or program names itself; {@link #UNNAMED} if it does not
 * @param role what it may do
 * @param address the IP address it sent the request from
 */
public record Operator(String name, Role role, String address) {
  /** The name of somebody who gave none. */
  public static final String UNNAMED = "unnamed";

  private static final int MAX_CHARS = 64;

  /**
   * Letters of any script, so that people can write their names; no character that is invisible.
   */
  private static final Pattern NAME =
      Pattern.compile("[\\p{L}\\p{N}][\\p{L}\\p{M}\\p{N} ._@+'-]{0," + (MAX_CHARS - 1) + "}");

  /** What an operator may do; each role includes those before it. */
  public enum Role {
    /** May read pages and ask for explanations. */
    VIEWER,
    /** May do everything. */
    OPERATOR;

    /** Whether this role may do what another one may. */
    public boolean includes(Role other) {
      return compareTo(other) >= 0;
    }

    /** The role in a word, as in responses and in the audit log. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Checks the name that a person or program gives itself.
   *
   * @return the name without blanks around it; {@link #UNNAMED} if there is nothing else
   * @throws IllegalArgumentException if it is not a name
   */
  public static String checkedName(String given) {
    String name = given.strip();
    if (name.isEmpty()) {
      return UNNAMED;
    }
    if (!NAME.matcher(name).matches()) {
      String shown = name.length() > MAX_CHARS ? "too long" : name;
      String expected = "at most " + MAX_CHARS + " letters, digits, blanks and . _ @ + ' -";
      throw new IllegalArgumentException("name: " + shown + " (expected: " + expected + ")");
    }
    return name;
  }
}
