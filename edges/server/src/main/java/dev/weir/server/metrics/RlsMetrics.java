package dev.weir.server.metrics;

import dev.weir.rules.domain.DomainBook;
import dev.weir.server.rls.RlsListener.Verdict;
import java.util.List;
import java.util.function.Supplier;

/** Writes the metrics of Envoy's rate limit service under Weir's names. Thread-safe. */
final class RlsMetrics implements Supplier<String> {
  private final RlsStats stats;
  private final ServerStatus status;

  /** Reads from {@code stats} and {@code status}. */
  RlsMetrics(RlsStats stats, ServerStatus status) {
    this.stats = stats;
    this.status = status;
  }

  /** The metrics in the Prometheus text format. */
  @Override
  public String get() {
    Exposition out = new Exposition();
    hits(out);
    requests(out);
    out.family(
        "weir_rls_duration_seconds",
        "histogram",
        "Time from the arrival of a request to its decision");
    stats.durations().write(out);
    long unknown = stats.unknownDomains().values().stream().mapToLong(Long::longValue).sum();
    out.family(
            "weir_rls_unknown_domains_total",
            "counter",
            "Requests for domains that are not configured")
        .sample(unknown);
    DomainBook book = status.domains().get();
    out.family("weir_rls_domains", "gauge", "Active domains").sample(book.names().size());
    out.family("weir_rls_rules", "gauge", "Rules of active domains").sample(book.rules().size());
    return out.toString();
  }

  private void hits(Exposition out) {
    List<Series> all = stats.series();
    out.family("weir_rls_hits_total", "counter", "Hits by rule and outcome");
    for (Series series : all) {
      for (Series.Kind kind : Series.Kind.values()) {
        out.sample(
            series.hits(kind), "domain", series.domain, "rule", series.rule, "outcome", kind.label);
      }
    }
  }

  private void requests(Exposition out) {
    out.family(
            "weir_rls_requests_total", "counter", "Requests to the rate limit service by outcome")
        .sample(stats.decided(Verdict.OK), "outcome", "ok")
        .sample(stats.decided(Verdict.OVER_LIMIT), "outcome", "over-limit")
        .sample(stats.decided(Verdict.SHADOWED), "outcome", "shadowed")
        .sample(stats.refusals(), "outcome", "refused")
        .sample(stats.failures(), "outcome", "failed");
  }
}
