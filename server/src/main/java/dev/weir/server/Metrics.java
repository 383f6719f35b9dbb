package dev.weir.server;

import dev.weir.memory.MemoryStore;
import dev.weir.rule.Limiter;
import dev.weir.rule.Rule;
import dev.weir.rule.Rule.WhenStoreFails;
import dev.weir.server.stats.EnvoyMetrics;
import dev.weir.server.stats.HttpStats;
import dev.weir.server.stats.HttpStats.Endpoint;
import dev.weir.server.stats.InfoMetrics;
import dev.weir.server.stats.OwnMetrics;
import dev.weir.server.stats.RlsStats;
import dev.weir.server.stats.Surroundings;
import dev.weir.server.stats.Ways;
import dev.weir.server.transport.ConnectionGates;
import dev.weir.yaml.RulesInForce;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/**
 * What happened, counted: by rule and outcome, never by caller, so that a flood of callers is not a
 * flood of series.
 */
final class Metrics implements Limiter.Watcher, AutoCloseable {
  /** Rules beyond these, over the life of a server, are counted together. */
  private static final int MAX_RULES = 2_000;

  private static final String OTHER = "other";

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Map<String, Map<Limiter.Outcome, LongAdder>> decisions = new ConcurrentHashMap<>();
  private final List<Supplier<String>> pages = new ArrayList<>();
  private final RuntimeMetrics runtime = new RuntimeMetrics(registry);
  private final HttpStats http = new HttpStats();

  HttpStats http() {
    return http;
  }

  @Override
  public void told(Rule rule, Limiter.Outcome outcome) {
    Map<Limiter.Outcome, LongAdder> outcomes = decisions.get(rule.name());
    if (outcomes == null) {
      String label = decisions.size() < MAX_RULES ? rule.name() : OTHER;
      outcomes = decisions.computeIfAbsent(label, this::register);
    }
    Objects.requireNonNull(outcomes.get(outcome)).increment();
  }

  private Map<Limiter.Outcome, LongAdder> register(String rule) {
    Map<Limiter.Outcome, LongAdder> counts = new EnumMap<>(Limiter.Outcome.class);
    for (Limiter.Outcome outcome : Limiter.Outcome.values()) {
      LongAdder count = new LongAdder();
      counts.put(outcome, count);
      FunctionCounter.builder("weir.decisions", count, LongAdder::sum)
          .description("What rules said to requests")
          .tag("rule", rule)
          .tag("outcome", outcome.name().toLowerCase(Locale.ROOT).replace('_', '-'))
          .register(registry);
    }
    return counts;
  }

  void watch(RulesInForce rules) {
    FunctionCounter.builder("weir.rules.reloads", rules, one -> one.status().reloads())
        .description("Versions of the rules taken on since the start")
        .register(registry);
    FunctionCounter.builder("weir.rules.refusals", rules, one -> one.status().refusals())
        .description("Versions of the rules refused since the start")
        .register(registry);
    Gauge.builder("weir.rules", rules, one -> one.current().book().rules().size())
        .description("Rules in force")
        .register(registry);
    rules.current().reader().meters().counts().keySet().forEach(event -> event(rules, event));
  }

  private void event(RulesInForce rules, String event) {
    FunctionCounter.builder(
            "weir.requests.events",
            rules,
            one -> one.current().reader().meters().counts().getOrDefault(event, 0L))
        .description("What was odd about requests, since the rules last changed")
        .tag("event", event)
        .register(registry);
  }

  void watch(ConnectionGates gates) {
    Gauge.builder("weir.connections", gates, ConnectionGates::open)
        .description("Connections that are open")
        .register(registry);
    FunctionCounter.builder("weir.connections.refused", gates, ConnectionGates::refused)
        .description("Connections refused, because their peer or the listener had too many")
        .register(registry);
    FunctionCounter.builder("weir.connections.evicted", gates, ConnectionGates::evicted)
        .description("Connections closed to make room for those of others")
        .register(registry);
  }

  void watch(MemoryStore store) {
    Gauge.builder("weir.store.keys", store, MemoryStore::size)
        .description("Counters in memory")
        .register(registry);
    FunctionCounter.builder("weir.store.overflowed", store, MemoryStore::overflowed)
        .description("Claims that found no room and were answered by a shared counter")
        .register(registry);
  }

  /** What there is to tell of a store elsewhere. */
  void watch(StoreInUse inUse, SharedStore store) {
    new StoreMetrics(registry, store).register(inUse);
  }

  void watch(Ways ways) {
    for (WhenStoreFails way : WhenStoreFails.values()) {
      FunctionCounter.builder("weir.decisions.degraded", ways, one -> one.count(way))
          .description("Requests decided without the store, which did not answer")
          .tag("way", Degraded.word(way))
          .register(registry);
    }
  }

  /** Tells of Envoy's rate limit service, too, under the names that are wanted. */
  void watch(
      RlsStats rls, Surroundings around, RulesInForce rules, Set<MetricsSettings.Names> names) {
    if (names.contains(MetricsSettings.Names.WEIR)) {
      pages.add(registry::scrape);
      pages.add(new InfoMetrics(rules, version()));
      pages.add(http);
      pages.add(new OwnMetrics(rls, around));
    }
    if (names.contains(MetricsSettings.Names.ENVOY)) {
      pages.add(new EnvoyMetrics(rls, around));
    }
  }

  /** The version of this program, which the build writes into the jar. */
  private static String version() {
    String version = Metrics.class.getPackage().getImplementationVersion();
    return version == null ? "unpackaged" : version;
  }

  /** Tells of the JVM and the process, too, from now on; takes its time. */
  void watchRuntime() {
    runtime.register();
  }

  void tell(HttpServerRequest request) {
    Replies.page(request, "text/plain; version=0.0.4; charset=utf-8", this::text);
  }

  private Buffer text() {
    runtime.register();
    StringBuilder all = new StringBuilder();
    pages.forEach(page -> all.append(page.get()));
    return Buffer.buffer(all.toString());
  }

  /** Everything on a port for metrics alone. */
  void handle(HttpServerRequest request, String path, AdminGuard guard) {
    if (!guard.admits(request)) {
      return;
    }
    if (endpoint(request, path) == Endpoint.METRICS) {
      tell(request);
    } else {
      Replies.error(request, 404, "no such path (expected: GET " + path + ")");
    }
  }

  static Endpoint endpoint(HttpServerRequest request, String path) {
    boolean isOne = request.method().name().equals("GET") && request.path().equals(path);
    return isOne ? Endpoint.METRICS : Endpoint.OTHER;
  }

  @Override
  public void close() {
    runtime.close();
    registry.close();
  }
}
