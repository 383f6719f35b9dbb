package dev.weir.server;

import dev.weir.Descriptor;
import dev.weir.http.HttpReader;
import dev.weir.rule.PathReadings;
import dev.weir.yaml.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The names that values of a question may have. A rule cannot match a value under a wrong name, so
 * a wrong name is refused rather than ignored: the request would pass unlimited.
 *
 * <p>A name is fine if a rule in force reads it. One that no rule reads is accepted too if it is a
 * name that a rule could read, because rules change at other times than clients do; unless it is
 * one slip away from a name that a rule does read.
 */
final class ValueNames {
  private static final List<String> FIXED = List.of("method", "host", "path", "ip", "domain");

  /** What edges work out themselves from the values above. */
  private static final Set<String> DERIVED = Set.of("ip exact", PathReadings.NAME);

  private static final String ENTRY = "entry ";
  private static final String EXPECTED =
      "method, host, path, ip, domain, header NAME, trusted-header NAME, cookie NAME, jwt CLAIM or"
          + " entry KEY";

  /** Names that rules read beyond these are not compared with what a client wrote. */
  private static final int MAX_COMPARED = 500;

  /** Names that are shorter often differ by one letter, and are both meant. */
  private static final int MIN_SLIP_CHARS = 4;

  private final Descriptor.Names read;

  /**
   * @param read what the rules in force read
   */
  ValueNames(Descriptor.Names read) {
    this.read = read;
  }

  /**
   * Checks all names of a question.
   *
   * @return those that no rule reads, except for the ones that every HTTP request has
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
        .or(() -> Words.nearest(name, known));
  }

  /** What the client means by a name that no rule reads, if that is beyond doubt a slip. */
  private Optional<String> meant(String name, Set<String> given) {
    return compared().filter(one -> !given.contains(one) && isSlip(name, one)).findFirst();
  }

  /** Whether two names differ in case, in dashes and underscores, or in one letter. */
  private static boolean isSlip(String a, String b) {
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
    boolean longEnough = Math.min(argument(a).length(), argument(b).length()) >= MIN_SLIP_CHARS;
    boolean numbered = (inA + inB).chars().anyMatch(Character::isDigit); // key1 and key2 are two
    return longEnough && !numbered && (isOne(inA, inB) || isSwapped(inA, inB));
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

  private static boolean isOne(String a, String b) {
    return a.length() <= 1 && b.length() <= 1;
  }

  private static boolean isSwapped(String a, String b) {
    return a.length() == 2
        && b.length() == 2
        && isSame(a.charAt(0), b.charAt(1))
        && isSame(a.charAt(1), b.charAt(0));
  }
}
