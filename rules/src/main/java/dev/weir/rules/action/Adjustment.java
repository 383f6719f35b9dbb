package dev.weir.rules.action;

import dev.weir.rule.Multiple;
import dev.weir.rule.action.CallerAction;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What one action of an operator does to the rules. Immutable and thread-safe.
 *
 * @param id of the action
 * @param rule the name of the rule that it is about: that of one of our own rules, or {@code
 *     domain/path} for a limit of a domain. Empty for an action on a caller that is about all rules
 *     which count by that identity
 * @param factor for {@link Kind#MULTIPLY}
 * @param caller the hash of the caller's identity, for {@link Kind#BLOCK} and {@link Kind#EXEMPT}
 */
public record Adjustment(
    String id, Kind kind, Optional<String> rule, Optional<Multiple> factor, OptionalLong caller) {

  /** The kinds of adjustments. */
  public enum Kind {
    /** Multiplies every limit of a rule. */
    MULTIPLY,
    /** Puts a rule into shadow mode: it counts, and denies nobody. */
    SHADOW,
    /** Denies every request of a caller. */
    BLOCK,
    /** Lets a caller pass. */
    EXEMPT;

    /** The kind as operators write it. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Whether it is about a caller, and not about a rule for all callers. */
    public boolean isAboutCaller() {
      return this == BLOCK || this == EXEMPT;
    }
  }

  /**
   * Checks that exactly the parts of the kind are present.
   *
   * @throws IllegalArgumentException if not
   */
  public Adjustment {
    boolean valid =
        factor.isPresent() == (kind == Kind.MULTIPLY)
            && caller.isPresent() == kind.isAboutCaller()
            && (rule.isPresent() || kind.isAboutCaller());
    if (!valid) {
      throw new IllegalArgumentException("action: " + kind.label() + " (expected: its parts)");
    }
  }

  /** What the adjustment changes: a later one of the same target takes its place. */
  record Target(String what, Optional<String> rule, OptionalLong caller) {}

  Target target() {
    return new Target(kind.isAboutCaller() ? "caller" : kind.label(), rule, caller);
  }

  CallerAction callerAction() {
    return new CallerAction(id, caller.orElseThrow(), rule, kind == Kind.BLOCK);
  }
}
