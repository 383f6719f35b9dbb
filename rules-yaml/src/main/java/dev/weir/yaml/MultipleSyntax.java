package dev.weir.yaml;

import dev.weir.rule.Allowance;
import dev.weir.rule.Multiple;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@code 10x}: so many times what a caller is allowed otherwise. */
final class MultipleSyntax {
  /** Each is worked out for every tier. */
  private static final int MAX_COMBINATIONS = 10_000;

  private static final Pattern FORM =
      Pattern.compile(
          "(?<whole>\\d{1,9})(?:\\.(?<part>\\d{1,6}))?\\s*+x", Pattern.CASE_INSENSITIVE);

  /** Also what somebody wrote who meant a multiple. */
  private static final Pattern ALMOST =
      Pattern.compile(
          "[-+]?[\\d.,_]++(?:e\\d++)?\\s*+[x×*]|[x×*]\\s*+[\\d.,_]++|\\d++(?:\\.\\d++)?\\s*+times",
          Pattern.CASE_INSENSITIVE);

  private static final String EXPECTED =
      "a number above 0 and an x, such as 10x or 0.5x; at most 9 digits, and 6 after the point";

  private final Problems problems;
  private final List<Written> written = new ArrayList<>();

  MultipleSyntax(Problems problems) {
    this.problems = problems;
  }

  /** A multiple, and where it stands. */
  private record Written(Multiple multiple, Node.Text text, String field) {}

  static boolean isMeant(String text) {
    return ALMOST.matcher(text.strip()).matches();
  }

  Optional<Multiple> read(Node.Text text, String field) {
    Matcher form = FORM.matcher(text.value().strip());
    long millionths = form.matches() ? millionths(form) : 0;
    if (millionths == 0) {
      problems.error(text.place(), field, text.value(), EXPECTED);
      return Optional.empty();
    }
    Multiple multiple = new Multiple(millionths);
    written.add(new Written(multiple, text, field));
    return Optional.of(multiple);
  }

  private static long millionths(Matcher form) {
    String part = form.group("part") == null ? "" : form.group("part");
    return Long.parseLong(form.group("whole")) * Multiple.WHOLE
        + Long.parseLong((part + "000000").substring(0, 6));
  }

  /**
   * Refuses multiples of what cannot be multiplied.
   *
   * @param usual what callers get who are no exception, by tier; by an empty name without tiers
   * @return whether all can
   */
  boolean check(Map<String, Allowance> usual) {
    Map<Multiple, Optional<String>> objections = new HashMap<>();
    for (Written one : written) {
      Optional<String> objection =
          objections.computeIfAbsent(one.multiple, multiple -> objection(multiple, usual));
      String start = one.field + ": " + Problems.shown(one.text.value());
      objection.ifPresent(why -> problems.error(one.text.place(), start + why));
    }
    long combinations = (long) objections.size() * usual.size();
    if (combinations > MAX_COMBINATIONS) {
      Written last = written.get(written.size() - 1);
      String value = combinations + " combinations of a multiple and a tier";
      problems.error(last.text.place(), last.field, value, "at most " + MAX_COMBINATIONS);
    }
    return combinations <= MAX_COMBINATIONS
        && objections.values().stream().allMatch(Optional::isEmpty);
  }

  private static Optional<String> objection(Multiple multiple, Map<String, Allowance> usual) {
    for (Map.Entry<String, Allowance> one : usual.entrySet()) {
      String tier = one.getKey().isEmpty() ? "" : "tier " + Problems.shown(one.getKey()) + ": ";
      if (tier.isEmpty() && one.getValue().limits().isEmpty()) {
        String is = one.getValue().blocked() ? "blocked" : "unlimited";
        return Optional.of(" (expected: a rule with a limit to multiply; this one is " + is + ")");
      }
      try {
        multiple.of(one.getValue());
      } catch (IllegalArgumentException e) {
        return Optional.of(": " + tier + e.getMessage());
      }
    }
    return Optional.empty();
  }
}
