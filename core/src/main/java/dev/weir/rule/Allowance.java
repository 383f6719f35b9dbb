package dev.weir.rule;

import dev.weir.Limit;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a rule grants: limits, all of which apply; nothing at all; or everything.
 *
 * @param limits sorted from the shortest window to the longest, however they were written
 */
public record Allowance(boolean blocked, List<Limit> limits) implements Entitlement {

  /** Every request passes. */
  public static final Allowance UNLIMITED = new Allowance(false, List.of());

  /** No request passes. */
  public static final Allowance BLOCKED = new Allowance(true, List.of());

  /**
   * Sorts the limits, and rejects limits of a blocked caller.
   *
   * @throws IllegalArgumentException if a blocked caller has limits
   */
  public Allowance {
    limits = limits.stream().sorted(Comparator.comparingLong(Limit::windowMicros)).toList();
    if (blocked && !limits.isEmpty()) {
      throw new IllegalArgumentException("limits: " + limits + " (expected: none where blocked)");
    }
  }

  /** An allowance of these limits, all of which apply. */
  public static Allowance of(Limit... limits) {
    return new Allowance(false, List.of(limits));
  }

  @Override
  public String toString() {
    if (blocked) {
      return "blocked";
    }
    return limits.isEmpty()
        ? "unlimited"
        : limits.stream().map(Limit::toString).collect(Collectors.joining(", "));
  }
}
