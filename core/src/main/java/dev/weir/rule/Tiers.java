package dev.weir.rule;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Allowances by plan.
 *
 * @param value the name of the value that tells a caller's tier, if one does; a table of callers is
 *     a list of {@link Special}s
 * @param tiers what each tier is allowed
 * @param fallback the tier of everybody else, and of a tier nobody has heard of
 */
public record Tiers(@Nullable String value, Map<String, Allowance> tiers, String fallback) {

  public Tiers {
    tiers = Map.copyOf(tiers);
    if (!tiers.containsKey(fallback)) {
      String expected = "one of " + String.join(", ", tiers.keySet());
      throw new IllegalArgumentException(
          "default-tier: " + fallback + " (expected: " + expected + ")");
    }
  }

  /** What a caller is allowed whose tier the request tells, if it does. */
  Allowance allowance(@Nullable String told) {
    Allowance allowance = told == null ? null : tiers.get(told);
    return allowance == null ? Objects.requireNonNull(tiers.get(fallback)) : allowance;
  }
}
