package dev.weir.rule;

import dev.weir.rule.condition.Condition;
import java.util.Map;

/**
 * An exception for particular callers: an override, an entry of the allow list, of the block list
 * or of a table of tiers.
 *
 * @param callers conditions on the values that identify the caller, by the position of the identity
 *     in {@code per}; a condition on a value that did not identify the caller does not hold
 * @param entitlement what these callers are allowed instead
 */
public record CallerOverride(Map<Integer, Condition> callers, Entitlement entitlement) {
  private static final String EXACT = " exact";

  /** Copies the conditions. */
  public CallerOverride {
    callers = Map.copyOf(callers);
  }

  /** An override for rules that count by one identity. */
  public static CallerOverride of(Condition caller, Entitlement entitlement) {
    return new CallerOverride(Map.of(0, caller), entitlement);
  }

  /**
   * Whether a condition on {@code value} applies to a caller identified by {@code identifiedBy}.
   * The condition may be more precise, as {@code ip exact} is for {@code ip}.
   */
  public static boolean isAbout(String value, String identifiedBy) {
    return value.equals(identifiedBy) || value.equals(identifiedBy + EXACT);
  }
}
