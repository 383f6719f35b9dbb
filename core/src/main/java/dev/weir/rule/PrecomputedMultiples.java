package dev.weir.rule;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Every multiple among a rule's overrides of every usual allowance, computed once. */
final class PrecomputedMultiples {
  private final Map<Multiple, IdentityHashMap<Allowance, Allowance>> byMultiple = new HashMap<>();

  /**
   * Computes the multiples.
   *
   * @throws IllegalArgumentException if one of them cannot be counted
   */
  PrecomputedMultiples(List<CallerOverride> overrides, List<Allowance> usual) {
    for (CallerOverride override : overrides) {
      if (override.entitlement() instanceof Multiple multiple) {
        byMultiple.computeIfAbsent(multiple, absent -> ofEach(multiple, usual));
      }
    }
  }

  private static IdentityHashMap<Allowance, Allowance> ofEach(
      Multiple multiple, List<Allowance> usual) {
    IdentityHashMap<Allowance, Allowance> each = new IdentityHashMap<>();
    usual.forEach(allowance -> each.put(allowance, multiple.of(allowance)));
    return each;
  }

  Allowance get(Multiple multiple, Allowance usual) {
    return Objects.requireNonNull(Objects.requireNonNull(byMultiple.get(multiple)).get(usual));
  }

  List<Allowance> all() {
    List<Allowance> all = new ArrayList<>();
    byMultiple.values().forEach(each -> all.addAll(each.values()));
    return all;
  }
}
