package dev.weir.server.metrics;

import dev.weir.server.exposition.MetricSink;
import dev.weir.server.exposition.MetricType;
import dev.weir.server.rls.RlsListener.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Writes the rate limit service's metrics under the names of envoyproxy/ratelimit, for dashboards
 * made for it. Thread-safe.
 *
 * <p>In envoyproxy/ratelimit a series is named by a path, {@code domain.key_value.key}, of which
 * the first three parts become labels, wherever the dots come from; series that differ only in
 * later parts are added up.
 */
final class EnvoyMetrics implements Consumer<MetricSink> {
  private static final String SERVICE = "ratelimit_service_";
  private static final String OF_RULES = SERVICE + "rate_limit_";
  private static final String METHOD = "ShouldRateLimit";
  private static final int LABELS = 3;

  private final RlsStats stats;
  private final ServerStatus status;

  /** Reads from {@code stats} and {@code status}. */
  EnvoyMetrics(RlsStats stats, ServerStatus status) {
    this.stats = stats;
    this.status = status;
  }

  /** Writes the metrics. */
  @Override
  public void accept(MetricSink out) {
    hits(out);
    unknownDomains(out);
    counter(out, SERVICE + "should_rate_limit_error", "Requests that failed, by kind of error")
        .sample(stats.refusals() + stats.failures(), "err_type", "service_error")
        .sample(status.storeErrors().getAsLong(), "err_type", "redis_error");
    counter(out, SERVICE + "total_requests", "Requests to the rate limit service")
        .sample(stats.requests(), method());
    out.family(
        SERVICE + "response_time_seconds",
        MetricType.HISTOGRAM,
        "Time from the arrival of a request to its decision");
    out.histogram(stats.durations().buckets(), method());
    counter(out, SERVICE + "config_load_success", "Configuration versions loaded")
        .sample(status.loads().getAsLong());
    counter(out, SERVICE + "config_load_error", "Configuration versions rejected")
        .sample(status.loadErrors().getAsLong());
    counter(
            out,
            SERVICE + "global_shadow_mode",
            "Requests over a limit that passed because of global shadow mode")
        .sample(stats.decided(Verdict.SHADOWED));
    status
        .storeAnswers()
        .ifPresent(
            answers ->
                out.family(
                        "ratelimit_redis_pool_cx_active",
                        MetricType.GAUGE,
                        "1 while the store answers")
                    .sample(answers.getAsBoolean() ? 1 : 0));
  }

  private static MetricSink counter(MetricSink out, String name, String help) {
    return out.family(name, MetricType.COUNTER, help);
  }

  private static String[] method() {
    return new String[] {"grpc_method", METHOD};
  }

  private void hits(MetricSink out) {
    Map<List<String>, List<Series>> byLabels = new LinkedHashMap<>();
    for (Series series : stats.series()) {
      byLabels.computeIfAbsent(labels(series), labels -> new ArrayList<>(1)).add(series);
    }
    for (EnvoyStat stat : EnvoyStat.values()) {
      counter(out, OF_RULES + stat.label(), "Hits by rule");
      byLabels.forEach((labels, same) -> hits(out, stat, labels, same));
    }
  }

  /**
   * Writes one sample. Hits from the local cache are left out while there are none, as in
   * envoyproxy/ratelimit: the name begins with that of another series, and scripts that search for
   * that one would find two.
   */
  private static void hits(
      MetricSink out, EnvoyStat stat, List<String> labels, List<Series> series) {
    double count = series.stream().mapToDouble(stat::count).sum();
    if (count > 0 || stat != EnvoyStat.OVER_LIMIT_WITH_LOCAL_CACHE) {
      out.sample(count, "domain", labels.get(0), "key1", labels.get(1), "key2", labels.get(2));
    }
  }

  private static List<String> labels(Series series) {
    String[] parts = series.statsd.split("\\.", LABELS + 1);
    return List.of(parts[0], part(parts, 1), part(parts, 2));
  }

  private static String part(String[] parts, int at) {
    return at < parts.length ? parts[at] : "";
  }

  private void unknownDomains(MetricSink out) {
    Map<String, Long> byName = new TreeMap<>();
    stats
        .unknownDomains()
        .forEach(
            (domain, count) -> byName.merge(MetricNames.metricNamePart(domain), count, Long::sum));
    byName.forEach(
        (domain, count) ->
            counter(
                    out,
                    OF_RULES + domain + "_domain_not_found",
                    "Requests for a domain that is not configured")
                .sample(count));
  }
}
