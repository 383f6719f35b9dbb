package dev.weir.server.rls;

import dev.weir.rule.FailureMode;
import dev.weir.rules.domain.DomainRule;
import dev.weir.rules.domain.Entry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Receives the results of descriptors and requests. Called by any thread, on the path of a request:
 * be quick.
 */
public interface RlsListener {
  /** Ignores all results. */
  RlsListener NOOP = (domain, metric, rule, counter, report) -> {};

  /** The metric of all limit overrides of clients: their own names would be unbounded. */
  String OVERRIDE = "override";

  /** The result for a descriptor. */
  enum Outcome {
    /** There is room, or the request was a refund. */
    WITHIN,
    /** There is no room. */
    OVER,
    /** There is no room, and the request passes in shadow mode. */
    SHADOW_OVER,
    /** The store did not answer, and the rule allows requests uncounted. */
    UNCOUNTED,
    /** The store did not answer, and the rule denies requests that it cannot count. */
    UNANSWERED
  }

  /**
   * The result of a limit, in numbers.
   *
   * @param hits the cost; negative for a refund
   * @param limit how much may be counted in a window, or at once
   * @param counted the count with these hits, also above the limit; hits that are denied uncounted
   *     are put on top of the limit
   * @param cached whether the local cache knew that the limit is exceeded, without calling the
   *     store
   */
  record LimitReport(Outcome outcome, long hits, long limit, long counted, boolean cached) {}

  /**
   * The counter of a limit.
   *
   * @param entries that identify it among those of its rule
   * @param hash of these; 0 if nothing is counted
   * @param ofCaller whether the hash is that of the caller, whom operators can block or exempt: the
   *     first entry is the only one
   */
  record CountedBy(List<Entry> entries, long hash, boolean ofCaller) {}

  /** The result for a request. */
  enum Verdict {
    /** The request passes. */
    OK,
    /** The request is denied. */
    OVER_LIMIT,
    /** It would be denied if the service were not in shadow mode. */
    SHADOWED
  }

  /**
   * A limit of the domain, or of the client, was checked.
   *
   * @param metric the name of its metrics, without the domain
   * @param rule null for a limit override of the client, whose metric is {@link #OVERRIDE}
   */
  void onLimitChecked(
      String domain,
      String metric,
      @Nullable DomainRule rule,
      CountedBy counter,
      LimitReport report);

  /** A request names a domain that is not configured. */
  default void onUnknownDomain(String domain) {}

  /** A request was decided, so many microseconds after its headers arrived. */
  default void onDecision(Verdict verdict, long micros) {}

  /** A request was decided by a failure mode because the store did not answer. */
  default void onDegraded(FailureMode mode) {}

  /** A request was rejected as malformed or not permitted. */
  default void onRefused() {}

  /** A request could not be answered because of an error of this server. */
  default void onFailed() {}

  /**
   * Passes the results of limits on to two listeners, and those of requests to the first.
   *
   * @param requests receives everything
   * @param limits receives what becomes of single limits
   */
  record Pair(RlsListener requests, RlsListener limits) implements RlsListener {
    @Override
    public void onLimitChecked(
        String domain,
        String metric,
        @Nullable DomainRule rule,
        CountedBy counter,
        LimitReport report) {
      requests.onLimitChecked(domain, metric, rule, counter, report);
      limits.onLimitChecked(domain, metric, rule, counter, report);
    }

    @Override
    public void onUnknownDomain(String domain) {
      requests.onUnknownDomain(domain);
    }

    @Override
    public void onDecision(Verdict verdict, long micros) {
      requests.onDecision(verdict, micros);
    }

    @Override
    public void onDegraded(FailureMode mode) {
      requests.onDegraded(mode);
    }

    @Override
    public void onRefused() {
      requests.onRefused();
    }

    @Override
    public void onFailed() {
      requests.onFailed();
    }
  }
}
