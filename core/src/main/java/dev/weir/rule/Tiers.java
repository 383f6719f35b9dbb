package dev.weir.rule;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Allowances by plan.
 *
 * @param value the name of the value that tells a caller's tier, if one does
 * @param tiers what each tier is allowed
 * @param fallback the tier of everybody else, and of a tier nobody has heard of
 * @param table callers whose tier is written in the rules; the first that fits counts
 */
public record Tiers(
    @Nullable String value, Map<String, Allowance> tiers, String fallback, List<Special> table) {

  public Tiers {
    tiers = Map.copyOf(tiers);
    table = List.copyOf(table);
    if (!tiers.containsKey(fallback)) {
      String expected = "one of " + String.join(", ", tiers.keySet());
      throw new IllegalArgumentException(
          "default-tier: " + fallback + " (expected: " + expected + ")");
    }
  }

  public Tiers(@Nullable String value, Map<String, Allowance> tiers, String fallback) {
    this(value, tiers, fallback, List.of());
  }

  /** Every allowance that a tier gives, the very object once. */
  List<Allowance> allowances() {
    Set<Allowance> all = Collections.newSetFromMap(new IdentityHashMap<>());
    all.addAll(tiers.values());
    for (Special listed : table) {
      if (listed.entitlement() instanceof Allowance allowance) {
        all.add(allowance);
      }
    }
    return List.copyOf(all);
  }

  /** What a caller is allowed whose tier the request tells, if it does. */
  Allowance allowance(@Nullable String told) {
    Allowance allowance = told == null ? null : tiers.get(told);
    return allowance == null ? Objects.requireNonNull(tiers.get(fallback)) : allowance;
  }
}
