package dev.weir.cli;

import dev.weir.Descriptor;
import dev.weir.rule.Allowance;
import dev.weir.rule.Explanation;
import dev.weir.rule.Multiple;
import dev.weir.rule.Special;
import dev.weir.rule.Tiers;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Why a caller is allowed what it is.
 *
 * @param kind {@code limit}, {@code tier}, {@code override}, {@code allow} or {@code block}
 * @param why in words; empty for the limit that the rule has for everybody
 */
record Grant(String kind, String why) {

  static Grant of(Explanation explanation, Descriptor request, Values values) {
    if (explanation.special().isPresent()) {
      return exception(explanation, explanation.special().get(), values);
    }
    return explanation
        .rule()
        .tiers()
        .map(tiers -> new Grant("tier", tier(tiers, request, values)))
        .orElse(new Grant(kind(explanation.allowance(), "limit"), ""));
  }

  private static Grant exception(Explanation explanation, Special special, Values values) {
    String who = who(special, values);
    Optional<Tiers> tiers = explanation.rule().tiers();
    if (special.entitlement() instanceof Multiple multiple) {
      String usual = tiers.isPresent() ? "the limits of its tier" : "the rule's limits";
      return new Grant("override", who + ": " + multiple + " of " + usual);
    }
    return tiers.isPresent() && tiers.get().table().contains(special)
        ? new Grant("tier", name(tiers.get(), special) + ", " + who)
        : new Grant(kind(explanation.allowance(), "override"), who);
  }

  /** Which tier a table gives. */
  private static String name(Tiers tiers, Special listed) {
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
