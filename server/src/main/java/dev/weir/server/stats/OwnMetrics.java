package dev.weir.server.stats;

import dev.weir.domain.DomainBook;
import dev.weir.server.rls.RlsWatcher.Verdict;
import java.util.List;
import java.util.function.Supplier;

/** What Envoy's rate limit service did, under names of ours. */
public final class OwnMetrics implements Supplier<String> {
  private final RlsStats stats;
  private final Surroundings around;

  public OwnMetrics(RlsStats stats, Surroundings around) {
    this.stats = stats;
    this.around = around;
  }

  /** As Prometheus reads it. */
  @Override
  public String get() {
    Exposition out = new Exposition();
    hits(out);
    requests(out);
    out.family("weir_rls_duration_seconds", "histogram", "How long decisions took");
    stats.durations().write(out);
    long unknown = stats.unknownDomains().values().stream().mapToLong(Long::longValue).sum();
    out.family("weir_rls_unknown_domains_total", "counter", "Requests of unknown domains")
        .sample(unknown);
    DomainBook book = around.domains().get();
    out.family("weir_rls_domains", "gauge", "Domains in force").sample(book.names().size());
    out.family("weir_rls_rules", "gauge", "Rules of domains in force").sample(book.rules().size());
    return out.toString();
  }

  private void hits(Exposition out) {
    List<Series> all = stats.series();
    out.family("weir_rls_hits_total", "counter", "What became of hits");
    for (Series series : all) {
      for (Series.Kind kind : Series.Kind.values()) {
        out.sample(
            series.hits(kind), "domain", series.domain, "rule", series.rule, "outcome", kind.label);
      }
    }
  }

  private void requests(Exposition out) {
    out.family("weir_rls_requests_total", "counter", "What requests were told")
        .sample(stats.decided(Verdict.OK), "outcome", "ok")
        .sample(stats.decided(Verdict.OVER_LIMIT), "outcome", "over-limit")
        .sample(stats.decided(Verdict.SHADOWED), "outcome", "shadowed")
        .sample(stats.refusals(), "outcome", "refused")
        .sample(stats.failures(), "outcome", "failed");
  }
}
