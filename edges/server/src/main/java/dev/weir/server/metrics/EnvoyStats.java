package dev.weir.server.metrics;

import dev.weir.server.rls.RlsListener.Verdict;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Writes the statistics as lines under the statsd names of envoyproxy/ratelimit. Thread-safe. */
public final class EnvoyStats implements Supplier<String> {
  private static final String SERVICE = "ratelimit.service.";

  private final RlsStats stats;
  private final ServerStatus status;

  /** Reads from {@code stats} and {@code status}. */
  public EnvoyStats(RlsStats stats, ServerStatus status) {
    this.stats = stats;
    this.status = status;
  }

  /** One line {@code name: value} for each statistic, sorted by name. */
  @Override
  public String get() {
    Map<String, Double> hits = new HashMap<>();
    String ofRules = SERVICE + "rate_limit.";
    for (Series series : stats.series()) {
      for (EnvoyStat stat : EnvoyStat.values()) {
        String name = ofRules + series.statsd + "." + stat.label();
        hits.merge(name, stat.count(series), Double::sum);
      }
    }
    Map<String, Long> lines = new TreeMap<>();
    hits.forEach((name, sum) -> lines.put(name, sum.longValue()));
    stats
        .unknownDomains()
        .forEach(
            (domain, count) -> {
              String name = MetricNames.statsd(MetricNames.clean(domain));
              lines.merge(ofRules + name + ".domain_not_found", count, Long::sum);
            });
    String call = SERVICE + "call.should_rate_limit.";
    lines.put(call + "service_error", stats.refusals() + stats.failures());
    lines.put(call + "redis_error", status.storeErrors().getAsLong());
    lines.put(SERVICE + "config_load_success", status.loads().getAsLong());
    lines.put(SERVICE + "config_load_error", status.loadErrors().getAsLong());
    lines.put(SERVICE + "global_shadow_mode", stats.decided(Verdict.SHADOWED));
    lines.put("ratelimit_server.ShouldRateLimit.total_requests", stats.requests());
    StringBuilder out = new StringBuilder();
    lines.forEach((name, value) -> out.append(name).append(": ").append(value).append('\n'));
    return out.toString();
  }
}
