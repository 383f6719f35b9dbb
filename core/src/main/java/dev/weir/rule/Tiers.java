package dev.weir.rule;

import dev.weir.internal.Rejections;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Allowances by tier.
 *
 * @param value the name of the value that states a caller's tier; null if requests do not state it
 * @param tiers the allowance of each tier
 * @param fallback the tier of callers without a tier or with an unknown one
 * @param table callers whose tier is written in the rules; the first match counts
 */
public record Tiers(
    @Nullable String value,
    Map<String, Allowance> tiers,
    String fallback,
    List<CallerOverride> table) {

  /** Copies the collections, and rejects a fallback that is not one of the tiers. */
  public Tiers {
    tiers = Map.copyOf(tiers);
    table = List.copyOf(table);
    if (!tiers.containsKey(fallback)) {
      String expected = "one of " + String.join(", ", tiers.keySet());
      throw Rejections.of("default-tier", fallback, expected);
    }
  }

  /** Tiers without a table of callers. */
  public Tiers(@Nullable String value, Map<String, Allowance> tiers, String fallback) {
    this(value, tiers, fallback, List.of());
  }

  /** Every allowance of a tier, each object once. */
  List<Allowance> allowances() {
    Set<Allowance> all = Collections.newSetFromMap(new IdentityHashMap<>());
    all.addAll(tiers.values());
    for (CallerOverride listed : table) {
      if (listed.entitlement() instanceof Allowance allowance) {
        all.add(allowance);
      }
    }
    return List.copyOf(all);
  }

  /** The allowance of a caller whose request states this tier; null if it states none. */
  public Allowance allowance(@Nullable String stated) {
    Allowance allowance = stated == null ? null : tiers.get(stated);
    return allowance == null ? Objects.requireNonNull(tiers.get(fallback)) : allowance;
  }
}
