package dev.weir.cli;

import dev.weir.Descriptor;
import dev.weir.rule.Allowance;
import dev.weir.rule.Explanation;
import dev.weir.rule.Special;
import dev.weir.rule.Tiers;

/**
 * Why a caller is allowed what it is.
 *
 * @param kind {@code limit}, {@code tier}, {@code override}, {@code allow} or {@code block}
 * @param why in words; empty for the limit that the rule has for everybody
 */
record Grant(String kind, String why) {

  static Grant of(Explanation explanation, Descriptor request, Values values) {
    if (explanation.special().isPresent()) {
      Special special = explanation.special().get();
      return new Grant(kind(special.allowance(), "override"), who(special, values));
    }
    return explanation
        .rule()
        .tiers()
        .map(tiers -> new Grant("tier", tier(tiers, request, values)))
        .orElse(new Grant(kind(explanation.allowance(), "limit"), ""));
  }

  private static String kind(Allowance allowance, String otherwise) {
    if (allowance.blocked()) {
      return "block";
    }
    return allowance.limits().isEmpty() ? "allow" : otherwise;
  }

  private static String who(Special special, Values values) {
    return "for "
        + String.join(
            " and ",
            special.callers().values().stream()
                .map(one -> one.name() + " " + values.shown(one.name(), one.expected()))
                .toList());
  }

  private static String tier(Tiers tiers, Descriptor request, Values values) {
    String value = tiers.value();
    String told = value == null ? null : request.value(value);
    if (value != null && told != null) {
      return tiers.tiers().containsKey(told)
          ? told + ", from " + value
          : tiers.fallback()
              + ", the default: "
              + value
              + " is "
              + values.shown(value, told)
              + ", which is no tier";
    }
    String why = value == null ? "the caller is not in the rule's table" : value + " is absent";
    return tiers.fallback() + ", the default: " + why;
  }
}
