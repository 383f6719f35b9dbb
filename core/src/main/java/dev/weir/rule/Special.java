package dev.weir.rule;

import java.util.Map;

/**
 * What somebody in particular is allowed instead: an override, an entry of the allow list, of the
 * block list or of a table of tiers.
 *
 * @param callers for parts of the rule's identity, by their place in {@code per}, the condition on
 *     the value that identifies; a condition on a value that was not the one to identify the caller
 *     does not hold
 */
public record Special(Map<Integer, Condition> callers, Entitlement entitlement) {
  public Special {
    callers = Map.copyOf(callers);
  }

  /** For rules that count by one identity: whoever is identified by such a value. */
  public static Special of(Condition caller, Entitlement entitlement) {
    return new Special(Map.of(0, caller), entitlement);
  }

  /**
   * Whether a condition on one value is about a caller identified by another: it may look closer,
   * as {@code ip exact} does at {@code ip}.
   */
  static boolean looksAt(String value, String identifiedBy) {
    return value.equals(identifiedBy) || value.equals(identifiedBy + EXACT);
  }

  private static final String EXACT = " exact";
}
