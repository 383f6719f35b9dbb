package dev.weir.server.decide;

import dev.weir.Descriptor;
import dev.weir.http.identity.HttpReader;
import dev.weir.rule.condition.PathReadings;
import dev.weir.rules.yaml.Spelling;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The names that the values of a request may have. A rule cannot match a value under a wrong name,
 * so a wrong name is rejected rather than ignored: the request would pass unlimited.
 *
 * <p>A name is valid if an active rule reads it. A name that no rule reads is valid too if a rule
 * could read it, because rules change at other times than clients do; unless it is one typo away
 * from a name that a rule does read.
 */
final class ValueNames {
  private static final List<String> FIXED = List.of("method", "host", "path", "ip", "domain");

  /** Values that edges derive from those above. */
  private static final Set<String> DERIVED = Set.of("ip exact", PathReadings.NAME);

  private static final String ENTRY = "entry ";
  private static final String EXPECTED =
      "method, host, path, ip, domain, header NAME, trusted-header NAME, cookie NAME, jwt CLAIM or"
          + " entry KEY";

  /** The maximum number of names that are compared with a name of the client. */
  private static final int MAX_COMPARED = 500;

  /** Shorter names often differ by one letter without a typo. */
  private static final int MIN_TYPO_CHARS = 4;

  private final Descriptor.Names read;

  /**
   * @param read the names that the active rules read
   */
  ValueNames(Descriptor.Names read) {
    this.read = read;
  }

  /**
   * Checks all names of a request.
   *
   * @return the names that no rule reads, except for those that every HTTP request has
   * @throws IllegalArgumentException with the first wrong name, and the nearest right one
   */
  List<String> check(Set<String> given) {
    List<String> unread = new ArrayList<>(0);
    for (String name : given) {
      if (DERIVED.contains(name) || !(read.contains(name) || isPossible(name))) {
        throw refused(name, "unknown name", EXPECTED, nearest(name));
      }
      if (!read.contains(name) && !FIXED.contains(name)) {
        Optional<String> meant = meant(name, given);
        if (meant.isPresent()) {
          throw refused(name, "a name that no rule reads", "one that rules read", meant);
        }
        unread.add(name);
      }
    }
    return unread;
  }

  private static IllegalArgumentException refused(
      String name, String problem, String expected, Optional<String> nearest) {
    String hint = nearest.map(one -> "; did you mean " + one + "?").orElse("");
    return DecideRequest.refused("values." + DecideRequest.shown(name), problem, expected + hint);
  }

  /** Whether rules could read a value of this name. */
  private static boolean isPossible(String name) {
    return FIXED.contains(name)
        || (name.startsWith(ENTRY) && name.length() > ENTRY.length())
        || HttpReader.problem(name) == null;
  }

  private Stream<String> compared() {
    return read.list().stream().limit(MAX_COMPARED).filter(name -> !DERIVED.contains(name));
  }

  private Optional<String> nearest(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (isPossible(lower) && !DERIVED.contains(lower)) {
      return Optional.of(lower);
    }
    List<String> known = Stream.concat(FIXED.stream(), compared()).distinct().toList();
    return known.stream()
        .filter(one -> one.endsWith(" " + lower)) // only the kind is missing
        .findFirst()
        .or(() -> Spelling.nearest(name, known));
  }

  /** The name that the client means by one that no rule reads, if that is clearly a typo. */
  private Optional<String> meant(String name, Set<String> given) {
    return compared().filter(one -> !given.contains(one) && isTypo(name, one)).findFirst();
  }

  /** Whether two names differ in case, in dashes and underscores, or in one letter. */
  private static boolean isTypo(String a, String b) {
    if (Math.abs(a.length() - b.length()) > 1) {
      return false;
    }
    int start = 0;
    while (start < a.length() && start < b.length() && isSame(a.charAt(start), b.charAt(start))) {
      start++;
    }
    int endA = a.length();
    int endB = b.length();
    while (endA > start && endB > start && isSame(a.charAt(endA - 1), b.charAt(endB - 1))) {
      endA--;
      endB--;
    }
    String inA = a.substring(start, endA);
    String inB = b.substring(start, endB);
    if (inA.isEmpty() && inB.isEmpty()) {
      return true;
    }
    boolean longEnough = Math.min(argument(a).length(), argument(b).length()) >= MIN_TYPO_CHARS;
    boolean numbered = (inA + inB).chars().anyMatch(Character::isDigit); // key1 is not key2
    return longEnough && !numbered && (isOneLetter(inA, inB) || isSwapped(inA, inB));
  }

  private static boolean isSame(char a, char b) {
    return plain(a) == plain(b);
  }

  private static char plain(char one) {
    return one == '_' ? '-' : Character.toLowerCase(one);
  }

  private static String argument(String name) {
    return name.substring(name.indexOf(' ') + 1);
  }

  private static boolean isOneLetter(String a, String b) {
    return a.length() <= 1 && b.length() <= 1;
  }

  private static boolean isSwapped(String a, String b) {
    return a.length() == 2
        && b.length() == 2
        && isSame(a.charAt(0), b.charAt(1))
        && isSame(a.charAt(1), b.charAt(0));
  }
}
