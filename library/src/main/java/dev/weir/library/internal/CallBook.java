package dev.weir.library.internal;

import dev.weir.Algorithm;
import dev.weir.internal.Rejections;
import dev.weir.rule.Rule;
import dev.weir.rule.book.RuleBook;
import dev.weir.rules.ActiveRules;
import dev.weir.rules.RulesSnapshot;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The limits that the active rules have under one name in {@code calls}.
 *
 * <p>If a new version of the rules no longer has them, or has limits of another kind there, the
 * last ones stay in use: code that runs must not lose its limits by a typing error in a file.
 * Thread-safe.
 */
public final class CallBook implements Supplier<RuleBook> {
  private static final System.Logger LOG = System.getLogger(CallBook.class.getName());
  private static final int MAX_NAMES_IN_ERRORS = 20;

  private final ActiveRules rules;
  private final String name;
  private final Kind kind;
  private volatile State state;

  /**
   * The limits in use.
   *
   * @param seen what the rules had when this was decided; null if they had nothing
   */
  private record State(RuleBook inUse, @Nullable RuleBook seen) {
    @SuppressWarnings("ReferenceEquality") // a version of the rules compiles each call once
    boolean isOutdated() {
      return inUse != seen;
    }
  }

  /** What a caller can do with limits. */
  public enum Kind {
    /** Permits that are spent. */
    RATE("limiter"),
    /** Permits that are given back. */
    CONCURRENCY("concurrency");

    private final String method;

    Kind(String method) {
      this.method = method;
    }

    /** Whether limits are of this kind; blocked and unlimited callers are so for both. */
    boolean fits(RuleBook book) {
      Rule rule = book.rules().get(0);
      boolean permits =
          rule.allowance().limits().stream()
              .anyMatch(limit -> limit.algorithm() == Algorithm.CONCURRENCY);
      return rule.allowance().limits().isEmpty() || permits == (this == CONCURRENCY);
    }
  }

  private CallBook(ActiveRules rules, String name, Kind kind, RuleBook first) {
    this.rules = rules;
    this.name = name;
    this.kind = kind;
    this.state = new State(first, first);
  }

  /**
   * The limits of a name.
   *
   * @throws IllegalArgumentException if the active rules have no such limits, or if they are of
   *     another kind
   */
  public static CallBook of(ActiveRules rules, String name, Kind kind) {
    RulesSnapshot current = rules.current();
    RuleBook book = current.call(name).orElseThrow(() -> unknown(current, name));
    if (!kind.fits(book)) {
      throw Rejections.of(
          "name",
          name,
          kind == Kind.RATE
              ? "limits without concurrent; ask concurrency(\"" + name + "\") for this one"
              : "limits with concurrent; ask limiter(\"" + name + "\") for this one");
    }
    return new CallBook(rules, name, kind, book);
  }

  private static IllegalArgumentException unknown(RulesSnapshot rules, String name) {
    StringBuilder known = new StringBuilder();
    rules.callNames().stream()
        .limit(MAX_NAMES_IN_ERRORS)
        .forEach(one -> known.append(known.isEmpty() ? "one of " : ", ").append(one));
    int others = rules.callNames().size() - MAX_NAMES_IN_ERRORS;
    String expected =
        known
            + (others > 0 ? " and " + others + " others" : "")
            + (known.isEmpty() ? "" : ", or ")
            + "a new entry of this name under calls in the rules";
    return Rejections.of("name", name, expected);
  }

  /** The limits in use. */
  @Override
  @SuppressWarnings("ReferenceEquality") // a version of the rules compiles each call once
  public RuleBook get() {
    State known = state;
    RuleBook current = rules.current().call(name).orElse(null);
    return current == known.seen ? known.inUse : change();
  }

  private synchronized RuleBook change() {
    RuleBook current = rules.current().call(name).orElse(null);
    State before = state;
    RuleBook inUse = current != null && kind.fits(current) ? current : before.inUse;
    state = new State(inUse, current);
    if (state.isOutdated() && !before.isOutdated()) {
      LOG.log(
          System.Logger.Level.WARNING,
          current == null
              ? "The active rules have no call {0} any more; its last limits stay in use"
                  + " (add it to the rules again, or restart without the code that asks for it)"
              : "The active rules have a call {0} of another kind; its last limits stay in use"
                  + " (restart with code that asks for it by {1})",
          name,
          kind == Kind.RATE ? Kind.CONCURRENCY.method : Kind.RATE.method);
    }
    return inUse;
  }
}
