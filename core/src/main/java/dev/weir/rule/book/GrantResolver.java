package dev.weir.rule.book;

import dev.weir.Descriptor;
import dev.weir.rule.Allowance;
import dev.weir.rule.CallerLimits;
import dev.weir.rule.CallerOverride;
import dev.weir.rule.Candidate;
import dev.weir.rule.Multiple;
import dev.weir.rule.Rule;
import dev.weir.rule.Tiers;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds what a rule and its candidate grant the caller of a request. Immutable, and safe for use by
 * any number of threads.
 */
final class GrantResolver {
  private static final int ABSENT = -1;

  private final Rule rule;
  private final IdentityResolver callers;
  private final OverrideIndex overrides;
  private final @Nullable Tiers tiers;
  private final OverrideIndex tierTable;
  private final int tierIndex;

  /** What the candidate grants callers with a usual allowance; null if the rule has none. */
  private final @Nullable IdentityHashMap<Allowance, Allowance> candidates;

  GrantResolver(Rule rule, IdentityResolver callers, Descriptor.Names names) {
    this.rule = rule;
    this.callers = callers;
    this.overrides = new OverrideIndex(rule.overrides(), callers, names);
    this.tiers = rule.tiers().orElse(null);
    List<CallerOverride> table = rule.tiers().map(Tiers::table).orElse(List.of());
    this.tierTable = new OverrideIndex(table, callers, names);
    String value = tiers == null ? null : tiers.value();
    this.tierIndex = value == null ? ABSENT : names.list().indexOf(value);
    this.candidates = rule.candidate().map(one -> candidates(rule, one)).orElse(null);
  }

  private static IdentityHashMap<Allowance, Allowance> candidates(Rule rule, Candidate candidate) {
    IdentityHashMap<Allowance, Allowance> byUsual = new IdentityHashMap<>();
    if (candidate.allowance() != null) {
      byUsual.put(rule.allowance(), candidate.allowance());
    }
    rule.tiers()
        .map(Tiers::tiers)
        .ifPresent(
            each -> candidate.tiers().forEach((name, tier) -> byUsual.put(each.get(name), tier)));
    return byUsual;
  }

  /** What the rule grants, without its candidate. */
  Allowance allowance(CallerLimits limits, Descriptor descriptor) {
    CallerOverride override = overrides.find(descriptor);
    if (override == null) {
      Allowance own = callersOwn(limits, descriptor);
      return own == null ? usual(descriptor) : own;
    }
    return override.entitlement() instanceof Multiple multiple
        ? rule.times(multiple, usual(descriptor))
        : (Allowance) override.entitlement();
  }

  /**
   * What the candidate would grant; null if it would change nothing for this caller, who is of a
   * tier without a candidate, or has limits of its own.
   */
  @Nullable Allowance candidate(CallerLimits limits, Descriptor descriptor) {
    if (candidates == null) {
      return null;
    }
    CallerOverride override = overrides.find(descriptor);
    if (override == null) {
      return callersOwn(limits, descriptor) == null ? candidates.get(usual(descriptor)) : null;
    }
    Allowance proposed =
        override.entitlement() instanceof Multiple ? candidates.get(usual(descriptor)) : null;
    return proposed != null && override.entitlement() instanceof Multiple multiple
        ? rule.times(multiple, proposed)
        : null;
  }

  /** What is configured for this caller, if anything is. */
  Optional<CallerOverride> exception(Descriptor descriptor) {
    return Optional.ofNullable(overrides.find(descriptor))
        .or(() -> Optional.ofNullable(tierTable.find(descriptor)));
  }

  /** What a caller is allowed by a source beside the rules; null if it says nothing. */
  @SuppressWarnings("ReferenceEquality") // nearly always the constant
  private @Nullable Allowance callersOwn(CallerLimits limits, Descriptor descriptor) {
    return limits == CallerLimits.NONE || rule.per().isEmpty()
        ? null
        : limits.find(rule, callers.identifying(descriptor));
  }

  /** The allowance of a caller without an override. */
  private Allowance usual(Descriptor descriptor) {
    if (tiers == null) {
      return rule.allowance();
    }
    CallerOverride listed = tierTable.find(descriptor);
    if (listed != null && listed.entitlement() instanceof Allowance tier) {
      return tier;
    }
    String stated = tierIndex == ABSENT ? null : descriptor.value(tierIndex);
    return tiers.allowance(stated);
  }
}
