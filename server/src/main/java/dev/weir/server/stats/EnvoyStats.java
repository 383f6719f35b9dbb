package dev.weir.server.stats;

import dev.weir.server.rls.RlsWatcher.Verdict;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** The same once more, a line for each, under the names that statsd was told. */
public final class EnvoyStats implements Supplier<String> {
  private static final String SERVICE = "ratelimit.service.";

  private final RlsStats stats;
  private final Surroundings around;

  public EnvoyStats(RlsStats stats, Surroundings around) {
    this.stats = stats;
    this.around = around;
  }

  /** Names and values, sorted. */
  @Override
  public String get() {
    Map<String, Double> hits = new HashMap<>();
    String ofRules = SERVICE + "rate_limit.";
    for (Series series : stats.series()) {
      for (EnvoyStat kind : EnvoyStat.values()) {
        String name = ofRules + series.statsd + "." + kind.label();
        hits.merge(name, kind.count(series), Double::sum);
      }
    }
    Map<String, Long> lines = new TreeMap<>();
    hits.forEach((name, sum) -> lines.put(name, sum.longValue()));
    stats
        .unknownDomains()
        .forEach(
            (domain, count) -> {
              String name = Words.statsd(Words.clean(domain));
              lines.merge(ofRules + name + ".domain_not_found", count, Long::sum);
            });
    String call = SERVICE + "call.should_rate_limit.";
    lines.put(call + "service_error", stats.refusals() + stats.failures());
    lines.put(call + "redis_error", around.storeErrors().getAsLong());
    lines.put(SERVICE + "config_load_success", around.loads().getAsLong());
    lines.put(SERVICE + "config_load_error", around.loadErrors().getAsLong());
    lines.put(SERVICE + "global_shadow_mode", stats.decided(Verdict.SHADOWED));
    lines.put("ratelimit_server.ShouldRateLimit.total_requests", stats.requests());
    StringBuilder out = new StringBuilder();
    lines.forEach((name, value) -> out.append(name).append(": ").append(value).append('\n'));
    return out.toString();
  }
}
