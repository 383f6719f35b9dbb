package dev.weir.replay.log.line;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A field of a format: its name there, and what it says. Of several fields with the same role, the
 * one with the lowest rank counts that has a value. Immutable.
 */
public final class Field {
  private final String name;
  private final Role role;
  private final Form form;
  private final int rank;
  private final int slot;
  private final @Nullable Strftime pattern;

  private Field(String name, Role role, Form form, int rank, int slot, @Nullable Strftime pattern) {
    this.name = name;
    this.role = role;
    this.form = form;
    this.rank = rank;
    this.slot = slot;
    this.pattern = pattern;
  }

  /** A field that counts before those of higher rank. */
  public static Field of(String name, Role role, Form form, int rank) {
    int slot = role == Role.HEADER ? -1 : role.slot();
    return new Field(name, role, form, rank, slot, null);
  }

  /** A field that is alone in its role. */
  public static Field of(String name, Role role, Form form) {
    return of(name, role, form, 0);
  }

  /** A field that has a name only. */
  public static Field named(String name) {
    return of(name, Role.NONE, Form.TEXT);
  }

  /** A header of the request; it is in the list of all headers that the log has. */
  public static Field header(String name, String header, Form form, HeaderNames headers) {
    int index = headers.indexOf(header.toLowerCase(Locale.ROOT));
    int slot = index < 0 ? -1 : Role.HEADER.slot() + index;
    return new Field(name, Role.HEADER, form, 0, slot, null);
  }

  /**
   * A time in a pattern of {@code strftime}.
   *
   * @throws IllegalArgumentException if the pattern has something unknown
   */
  public static Field time(String name, Role role, String pattern, int rank) {
    return new Field(name, role, Form.PATTERN_TIME, rank, role.slot(), Strftime.parse(pattern));
  }

  /** The name in the format. */
  public String name() {
    return name;
  }

  /** What it says. */
  public Role role() {
    return role;
  }

  /** How it is written. */
  public Form form() {
    return form;
  }

  /** The fewest characters that it has; delimiters are looked for behind them. */
  public int minLength() {
    return pattern == null ? form.minLength() : pattern.minLength();
  }

  int rank() {
    return rank;
  }

  /** Where its range is kept while a line is read; negative if it is not. */
  int slot() {
    return slot;
  }

  @Nullable Strftime pattern() {
    return pattern;
  }
}
