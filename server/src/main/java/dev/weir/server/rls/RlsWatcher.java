package dev.weir.server.rls;

import dev.weir.domain.DomainRule;
import dev.weir.rule.Rule.WhenStoreFails;
import org.jspecify.annotations.Nullable;

/** Hears what becomes of descriptors. Called on the path of a request: be quick. */
public interface RlsWatcher {
  /** Hears, and does nothing. */
  RlsWatcher NOBODY = (domain, metric, rule, told) -> {};

  /** What the limits that clients bring along are known by: their own words would have no end. */
  String OVERRIDE = "override";

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
   * @param limit how much there may be in a window, or at once
   * @param counted how much there is with these hits, also above the limit; of what is denied
   *     without being counted, as if it were on top of the limit
   * @param known whether it was known to be over the limit without asking the store
   */
  record Told(Outcome outcome, long hits, long limit, long counted, boolean known) {}

  /** What a request was told. */
  enum Verdict {
    OK,
    OVER_LIMIT,
    /** It would be denied if not everything were in shadow. */
    SHADOWED
  }

  /**
   * What a limit says about a descriptor.
   *
   * @param metric what metrics are kept under, without the domain
   * @param rule null if the client brought the limit along, whose metric is {@link #OVERRIDE}
   */
  void told(String domain, String metric, @Nullable DomainRule rule, Told told);

  /** Somebody asks about a domain that is not configured. */
  default void unknown(String domain) {}

  /** A request got its answer, so many microseconds after its headers arrived. */
  default void decided(Verdict verdict, long micros) {}

  /** A request was decided like this because the store did not answer. */
  default void without(WhenStoreFails way) {}

  /** A request makes no sense. */
  default void refused() {}

  /** A request could not be answered, for which this server is to blame. */
  default void failed() {}
}
