package dev.weir.rule.action;

import dev.weir.rule.Allowance;
import dev.weir.rule.CallerOverride;
import dev.weir.rule.Identity;
import dev.weir.rule.Multiple;
import dev.weir.rule.Rule;
import dev.weir.rule.Tiers;
import dev.weir.rule.condition.Condition;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * Rules as operators adjust them for a while. An adjusted rule has the name of the rule, reads the
 * same values of requests, and counts in the same counters. Thread-safe.
 */
public final class AdjustedRule {
  private AdjustedRule() {}

  /**
   * A rule with a multiple of every limit that it grants: to callers of each tier, and to those
   * with limits of their own; and of every limit of its candidate, so that both stay comparable.
   * Who is blocked or unlimited stays so.
   *
   * @throws IllegalArgumentException if that leaves less than one permit, or more than can be
   *     counted
   */
  public static Rule times(Rule rule, Multiple factor) {
    // One object for each allowance: callers of a tier share that of the tier.
    IdentityHashMap<Allowance, Allowance> each = new IdentityHashMap<>();
    Rule.Builder builder = copy(rule).allow(times(rule.allowance(), factor, each));
    builder.tiers(rule.tiers().map(tiers -> times(tiers, factor, each)).orElse(null));
    builder.candidate(rule.candidate().map(one -> one.times(factor)).orElse(null));
    return builder.override(times(rule.overrides(), factor, each)).build();
  }

  private static Tiers times(
      Tiers tiers, Multiple factor, IdentityHashMap<Allowance, Allowance> each) {
    HashMap<String, Allowance> scaled = new HashMap<>(tiers.tiers());
    scaled.replaceAll((name, allowance) -> times(allowance, factor, each));
    List<CallerOverride> table = List.of(times(tiers.table(), factor, each));
    return new Tiers(tiers.value(), scaled, tiers.fallback(), table);
  }

  /** A multiple of the usual allowance stays what it is: the usual one is multiplied already. */
  private static CallerOverride[] times(
      List<CallerOverride> overrides, Multiple factor, IdentityHashMap<Allowance, Allowance> each) {
    return overrides.stream()
        .map(
            one ->
                one.entitlement() instanceof Allowance own
                    ? new CallerOverride(one.callers(), times(own, factor, each))
                    : one)
        .toArray(CallerOverride[]::new);
  }

  private static Allowance times(
      Allowance allowance, Multiple factor, IdentityHashMap<Allowance, Allowance> each) {
    return each.computeIfAbsent(allowance, factor::of);
  }

  /** A rule that counts as before, and denies nobody. */
  public static Rule shadow(Rule rule) {
    return copy(rule)
        .allow(rule.allowance())
        .tiers(rule.tiers().orElse(null))
        .override(rule.overrides().toArray(CallerOverride[]::new))
        .candidate(rule.candidate().orElse(null))
        .enforced(0)
        .build();
  }

  /** Everything but what the rule grants. */
  private static Rule.Builder copy(Rule rule) {
    return Rule.named(rule.name())
        .match(rule.match().toArray(Condition[]::new))
        .per(rule.per().toArray(Identity[]::new))
        .whenAbsent(rule.whenAbsent())
        .cost(rule.cost())
        .failureMode(rule.failureMode())
        .mode(rule.mode())
        .enforced(rule.enforced())
        .applied(rule.applied())
        .blockedStatus(rule.blockedStatus());
  }
}
