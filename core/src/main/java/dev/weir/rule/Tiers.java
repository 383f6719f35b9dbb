package dev.weir.rule;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Allowances by plan.
 *
 * @param value the name of the value that tells a caller's tier, if a value does
 * @param callers the tier of each caller that has one, if a table does
 * @param tiers what each tier is allowed
 * @param fallback the tier of everybody else, and of a tier nobody has heard of
 */
public record Tiers(
    @Nullable String value,
    Map<String, String> callers,
    Map<String, Allowance> tiers,
    String fallback) {

  public Tiers {
    callers = Map.copyOf(callers);
    tiers = Map.copyOf(tiers);
    if (!tiers.containsKey(fallback)) {
      String expected = "one of " + String.join(", ", tiers.keySet());
      throw new IllegalArgumentException(
          "default-tier: " + fallback + " (expected: " + expected + ")");
    }
  }

  /** What a caller is allowed, given its tier as the request tells it and the caller itself. */
  Allowance allowance(@Nullable String told, @Nullable String caller) {
    String tier = told != null ? told : caller == null ? null : callers.get(caller);
    Allowance allowance = tier == null ? null : tiers.get(tier);
    return allowance == null ? fallbackAllowance() : allowance;
  }

  private Allowance fallbackAllowance() {
    return java.util.Objects.requireNonNull(tiers.get(fallback));
  }
}
