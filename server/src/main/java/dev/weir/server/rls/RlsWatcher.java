package dev.weir.server.rls;

import dev.weir.domain.DomainRule;
import org.jspecify.annotations.Nullable;

/** Hears what becomes of descriptors. Called on the path of a request: be quick. */
public interface RlsWatcher {
  /** Hears, and does nothing. */
  RlsWatcher NOBODY = (domain, metric, rule, told) -> {};

  /** What a descriptor was told. */
  enum Outcome {
    /** There is room, or something was given back. */
    WITHIN,
    /** There is none. */
    OVER,
    /** There is none, and it passes all the same. */
    SHADOW_OVER,
    /** The store did not answer, and the rule lets pass what it cannot count. */
    UNCOUNTED,
    /** The store did not answer, and the rule lets nothing pass that it cannot count. */
    UNANSWERED
  }

  /**
   * What came of it, in numbers.
   *
   * @param hits what it cost; less than 0 if so much was given back
   * @param limit how much there may be in a window
   * @param remaining how much of it is left
   */
  record Told(Outcome outcome, long hits, long limit, long remaining) {}

  /**
   * What a limit says about a descriptor.
   *
   * @param metric what metrics are kept under, without the domain
   * @param rule null if the client brought the limit along
   */
  void told(String domain, String metric, @Nullable DomainRule rule, Told told);

  /** Somebody asks about a domain that is not configured. */
  default void unknown(String domain) {}

  /** A request would be denied if not everything were in shadow. */
  default void shadowed(String domain) {}
}
