package dev.weir.server.stats;

import dev.weir.server.rls.RlsWatcher.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The same under the names of envoyproxy/ratelimit, for dashboards that were made for it.
 *
 * <p>There a series has a name in parts, {@code domain.key_value.key}, of which the first three
 * become labels wherever the dots come from; what differs in later ones only is counted together.
 */
public final class EnvoyMetrics implements Supplier<String> {
  private static final String SERVICE = "ratelimit_service_";
  private static final String OF_RULES = SERVICE + "rate_limit_";
  private static final String METHOD = "ShouldRateLimit";
  private static final int LABELS = 3;

  private final RlsStats stats;
  private final Surroundings around;

  public EnvoyMetrics(RlsStats stats, Surroundings around) {
    this.stats = stats;
    this.around = around;
  }

  /** As Prometheus reads it. */
  @Override
  public String get() {
    Exposition out = new Exposition();
    hits(out);
    unknownDomains(out);
    counter(out, SERVICE + "should_rate_limit_error", "Requests that were not decided properly")
        .sample(stats.refusals() + stats.failures(), "err_type", "service_error")
        .sample(around.storeErrors().getAsLong(), "err_type", "redis_error");
    counter(out, SERVICE + "total_requests", "Requests").sample(stats.requests(), method());
    out.family(SERVICE + "response_time_seconds", "histogram", "How long decisions took");
    stats.durations().write(out, method());
    counter(out, SERVICE + "config_load_success", "Versions of the configuration taken on")
        .sample(around.loads().getAsLong());
    counter(out, SERVICE + "config_load_error", "Versions of the configuration refused")
        .sample(around.loadErrors().getAsLong());
    counter(out, SERVICE + "global_shadow_mode", "Requests that passed only for the shadow mode")
        .sample(stats.decided(Verdict.SHADOWED));
    around
        .storeAnswers()
        .ifPresent(
            answers ->
                out.family("ratelimit_redis_pool_cx_active", "gauge", "1 while the store answers")
                    .sample(answers.getAsBoolean() ? 1 : 0));
    return out.toString();
  }

  private static Exposition counter(Exposition out, String name, String help) {
    return out.family(name, "counter", help);
  }

  private static String[] method() {
    return new String[] {"grpc_method", METHOD};
  }

  private void hits(Exposition out) {
    Map<List<String>, List<Series>> alike = new LinkedHashMap<>();
    for (Series series : stats.series()) {
      alike.computeIfAbsent(labels(series), labels -> new ArrayList<>(1)).add(series);
    }
    for (EnvoyStat stat : EnvoyStat.values()) {
      counter(out, OF_RULES + stat.label(), "Hits of rules");
      alike.forEach((labels, some) -> hits(out, stat, labels, some));
    }
  }

  /**
   * What the local cache knew is left out while it is nothing, as there: its name begins with that
   * of another series, and scripts that look for that one would find two.
   */
  private static void hits(
      Exposition out, EnvoyStat stat, List<String> labels, List<Series> alike) {
    double count = alike.stream().mapToDouble(stat::count).sum();
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

  private void unknownDomains(Exposition out) {
    Map<String, Long> byName = new TreeMap<>();
    stats
        .unknownDomains()
        .forEach((domain, count) -> byName.merge(Words.inName(domain), count, Long::sum));
    byName.forEach(
        (domain, count) ->
            counter(out, OF_RULES + domain + "_domain_not_found", "Requests of an unknown domain")
                .sample(count));
  }
}
