package dev.weir.rule;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Every allowance that a rule and its candidate may grant, with every multiple among the overrides
 * computed once. Immutable.
 */
final class RuleAllowances {
  private final Map<Multiple, IdentityHashMap<Allowance, Allowance>> byMultiple = new HashMap<>();
  private final List<Allowance> ofRule;
  private final List<Allowance> ofCandidate;

  /**
   * Computes the multiples.
   *
   * @throws IllegalArgumentException if one of them cannot be counted
   */
  RuleAllowances(
      Allowance all,
      Optional<Tiers> tiers,
      List<CallerOverride> overrides,
      Optional<Candidate> candidate) {
    List<Allowance> usual = tiers.map(Tiers::allowances).orElse(List.of(all));
    List<Allowance> proposed = candidate.map(Candidate::allowances).orElse(List.of());
    List<Allowance> granted = new ArrayList<>(usual);
    for (CallerOverride override : overrides) {
      if (override.entitlement() instanceof Allowance own) {
        granted.add(own);
      } else if (override.entitlement() instanceof Multiple multiple) {
        var each = byMultiple.computeIfAbsent(multiple, absent -> new IdentityHashMap<>());
        usual.forEach(one -> each.computeIfAbsent(one, multiple::of));
        proposed.forEach(one -> each.computeIfAbsent(one, multiple::of));
      }
    }
    this.ofRule = withMultiples(granted, usual);
    this.ofCandidate = withMultiples(proposed, proposed);
  }

  private List<Allowance> withMultiples(List<Allowance> granted, List<Allowance> multiplied) {
    List<Allowance> all = new ArrayList<>(granted);
    byMultiple.keySet().forEach(factor -> multiplied.forEach(one -> all.add(times(factor, one))));
    return List.copyOf(all);
  }

  Allowance times(Multiple multiple, Allowance usual) {
    return Objects.requireNonNull(Objects.requireNonNull(byMultiple.get(multiple)).get(usual));
  }

  /** What the rule may grant, without its candidate. */
  List<Allowance> ofRule() {
    return ofRule;
  }

  List<Allowance> ofCandidate() {
    return ofCandidate;
  }
}
