package dev.weir.cli.explain;

import dev.weir.Descriptor;
import dev.weir.rule.Allowance;
import dev.weir.rule.CallerOverride;
import dev.weir.rule.Multiple;
import dev.weir.rule.Tiers;
import dev.weir.rule.book.Explanation;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The reason why a rule gives a caller the limit it has.
 *
 * @param kind {@code limit}, {@code tier}, {@code override}, {@code allow} or {@code block}
 * @param why in words; empty for the rule's default limit
 */
record Grant(String kind, String why) {

  /** The reason for one rule and one request. */
  static Grant of(Explanation explanation, Descriptor request, ValueRedactor redactor) {
    Optional<CallerOverride> override = explanation.caller().override();
    if (override.isPresent()) {
      return byOverride(explanation, override.get(), redactor);
    }
    return explanation
        .rule()
        .tiers()
        .map(tiers -> new Grant("tier", tier(tiers, request, redactor)))
        .orElse(new Grant(kind(explanation.allowance(), "limit"), ""));
  }

  private static Grant byOverride(
      Explanation explanation, CallerOverride override, ValueRedactor redactor) {
    String who = who(override, redactor);
    Optional<Tiers> tiers = explanation.rule().tiers();
    if (override.entitlement() instanceof Multiple multiple) {
      String base = tiers.isPresent() ? "the limits of its tier" : "the rule's limits";
      return new Grant("override", who + ": " + multiple + " of " + base);
    }
    return tiers.isPresent() && tiers.get().table().contains(override)
        ? new Grant("tier", name(tiers.get(), override) + ", " + who)
        : new Grant(kind(explanation.allowance(), "override"), who);
  }

  /** The name of the tier that a table assigns. */
  private static String name(Tiers tiers, CallerOverride listed) {
    return tiers.tiers().entrySet().stream()
        .filter(tier -> tier.getValue().equals(listed.entitlement()))
        .map(Map.Entry::getKey)
        .sorted()
        .collect(Collectors.joining(" or "));
  }

  private static String kind(Allowance allowance, String otherwise) {
    if (allowance.blocked()) {
      return "block";
    }
    return allowance.limits().isEmpty() ? "allow" : otherwise;
  }

  private static String who(CallerOverride override, ValueRedactor redactor) {
    return "for "
        + String.join(
            " and ",
            override.callers().values().stream()
                .map(one -> one.name() + " " + redactor.redacted(one.name(), one.expected()))
                .toList());
  }

  private static String tier(Tiers tiers, Descriptor request, ValueRedactor redactor) {
    String value = tiers.value();
    String tier = value == null ? null : request.value(value);
    if (value != null && tier != null) {
      return tiers.tiers().containsKey(tier)
          ? tier + ", from " + value
          : tiers.fallback()
              + ", the default: "
              + value
              + " is "
              + redactor.redacted(value, tier)
              + ", which is no tier";
    }
    String why = value == null ? "the caller is not in the rule's table" : value + " is absent";
    return tiers.fallback() + ", the default: " + why;
  }
}
