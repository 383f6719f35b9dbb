package dev.weir.server.rls;

import dev.weir.rule.FailureMode;
import dev.weir.rules.domain.DomainRule;
import org.jspecify.annotations.Nullable;

/**
 * Passes the results of limits on to two listeners, and those of requests to the first.
 *
 * @param requests receives everything
 * @param limits receives what becomes of single limits
 */
public record RlsListeners(RlsListener requests, RlsListener limits) implements RlsListener {
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
