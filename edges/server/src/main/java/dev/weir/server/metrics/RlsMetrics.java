package dev.weir.server.metrics;

import dev.weir.rules.domain.DomainBook;
import dev.weir.server.exposition.MetricSink;
import dev.weir.server.exposition.MetricType;
import dev.weir.server.rls.RlsListener.Verdict;
import java.util.List;
import java.util.function.Consumer;

/** Writes the metrics of Envoy's rate limit service under Weir's names. Thread-safe. */
final class RlsMetrics implements Consumer<MetricSink> {
  private final RlsStats stats;
  private final ServerStatus status;

  /** Reads from {@code stats} and {@code status}. */
  RlsMetrics(RlsStats stats, ServerStatus status) {
    this.stats = stats;
    this.status = status;
  }

  /** Writes the metrics. */
  @Override
  public void accept(MetricSink out) {
    hits(out);
    requests(out);
    out.family(
        "weir_rls_duration_seconds",
        MetricType.HISTOGRAM,
        "Time from the arrival of a request to its decision");
    out.histogram(stats.durations().buckets());
    long unknown = stats.unknownDomains().values().stream().mapToLong(Long::longValue).sum();
    out.family(
            "weir_rls_unknown_domains_total",
            MetricType.COUNTER,
            "Requests for domains that are not configured")
        .sample(unknown);
    DomainBook book = status.domains().get();
    out.family("weir_rls_domains", MetricType.GAUGE, "Active domains").sample(book.names().size());
    out.family("weir_rls_rules", MetricType.GAUGE, "Rules of active domains")
        .sample(book.rules().size());
  }

  private void hits(MetricSink out) {
    List<Series> all = stats.series();
    out.family("weir_rls_hits_total", MetricType.COUNTER, "Hits by rule and outcome");
    for (Series series : all) {
      for (Series.Kind kind : Series.Kind.values()) {
        out.sample(
            series.hits(kind), "domain", series.domain, "rule", series.rule, "outcome", kind.label);
      }
    }
  }

  private void requests(MetricSink out) {
    out.family(
            "weir_rls_requests_total",
            MetricType.COUNTER,
            "Requests to the rate limit service by outcome")
        .sample(stats.decided(Verdict.OK), "outcome", "ok")
        .sample(stats.decided(Verdict.OVER_LIMIT), "outcome", "over-limit")
        .sample(stats.decided(Verdict.SHADOWED), "outcome", "shadowed")
        .sample(stats.refusals(), "outcome", "refused")
        .sample(stats.failures(), "outcome", "failed");
  }
}
