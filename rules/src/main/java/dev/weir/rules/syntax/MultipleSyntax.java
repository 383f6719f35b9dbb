package dev.weir.rules.syntax;

import dev.weir.rule.Allowance;
import dev.weir.rule.Multiple;
import dev.weir.rules.yaml.Problems;
import dev.weir.rules.yaml.YamlNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@code 10x}: a multiple of what a caller is allowed otherwise. */
final class MultipleSyntax {
  /** Each multiple is computed for every tier. */
  private static final int MAX_COMBINATIONS = 10_000;

  private static final Pattern FORM =
      Pattern.compile(
          "(?<whole>\\d{1,9})(?:\\.(?<part>\\d{1,6}))?\\s*+x", Pattern.CASE_INSENSITIVE);

  /** Texts that are probably meant as multiples, valid or not. */
  private static final Pattern LOOKS_LIKE_MULTIPLE =
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

  /** A multiple, and its location. */
  private record Written(Multiple multiple, YamlNode.Text text, String field) {}

  static boolean looksLikeMultiple(String text) {
    return LOOKS_LIKE_MULTIPLE.matcher(text.strip()).matches();
  }

  Optional<Multiple> read(YamlNode.Text text, String field) {
    Matcher form = FORM.matcher(text.value().strip());
    long millionths = form.matches() ? millionths(form) : 0;
    if (millionths == 0) {
      problems.error(text.location(), field, text.value(), EXPECTED);
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
   * Refuses multiples of allowances that cannot be multiplied.
   *
   * @param base the allowances of callers without an exception, by tier; under an empty name if
   *     there are no tiers
   * @return whether all multiples are valid
   */
  boolean check(Map<String, Allowance> base) {
    Map<Multiple, Optional<String>> objections = new HashMap<>();
    for (Written one : written) {
      Optional<String> objection =
          objections.computeIfAbsent(one.multiple, multiple -> objection(multiple, base));
      String start = one.field + ": " + Problems.shown(one.text.value());
      objection.ifPresent(why -> problems.error(one.text.location(), start + why));
    }
    long combinations = (long) objections.size() * base.size();
    if (combinations > MAX_COMBINATIONS) {
      Written last = written.get(written.size() - 1);
      String value = combinations + " combinations of a multiple and a tier";
      problems.error(last.text.location(), last.field, value, "at most " + MAX_COMBINATIONS);
    }
    return combinations <= MAX_COMBINATIONS
        && objections.values().stream().allMatch(Optional::isEmpty);
  }

  private static Optional<String> objection(Multiple multiple, Map<String, Allowance> base) {
    for (Map.Entry<String, Allowance> one : base.entrySet()) {
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
