package dev.weir.rule;

import dev.weir.Limit;
import java.util.Comparator;
import java.util.List;

/**
 * What a rule grants: some limits, all of which hold; nothing at all; or no limit.
 *
 * @param limits from the shortest window to the longest, in whatever order they were written
 */
public record Allowance(boolean blocked, List<Limit> limits) implements Entitlement {

  /** Every request passes. */
  public static final Allowance UNLIMITED = new Allowance(false, List.of());

  /** No request passes. */
  public static final Allowance BLOCKED = new Allowance(true, List.of());

  public Allowance {
    limits = limits.stream().sorted(Comparator.comparingLong(Limit::windowMicros)).toList();
    if (blocked && !limits.isEmpty()) {
      throw new IllegalArgumentException("limits: " + limits + " (expected: none where blocked)");
    }
  }

  public static Allowance of(Limit... limits) {
    return new Allowance(false, List.of(limits));
  }
}
