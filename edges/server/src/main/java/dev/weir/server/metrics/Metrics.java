package dev.weir.server.metrics;

import dev.weir.limiter.Agreement;
import dev.weir.limiter.Limiter;
import dev.weir.limiter.Subject;
import dev.weir.memory.MemoryStore;
import dev.weir.rule.FailureMode;
import dev.weir.rule.Rule;
import dev.weir.rules.ActiveRules;
import dev.weir.rules.action.Adjustment;
import dev.weir.server.action.Actions;
import dev.weir.server.exposition.Exposition;
import dev.weir.server.exposition.MetricSink;
import dev.weir.server.metrics.HttpStats.Endpoint;
import dev.weir.server.reply.BrowserGuard;
import dev.weir.server.reply.DegradedCounters;
import dev.weir.server.reply.DegradedDecision;
import dev.weir.server.reply.Replies;
import dev.weir.server.settings.MetricsSettings;
import dev.weir.server.shed.ActiveShedder;
import dev.weir.server.store.StoreConfig;
import dev.weir.server.store.StoreMonitor;
import dev.weir.server.transport.ConnectionGates;
import dev.weir.time.Ticker;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * The metrics of a server. Decisions are counted by rule and outcome, never by caller, so that the
 * number of series stays bounded. Counting and scraping are thread-safe; all {@code watch} methods
 * but {@link #watchRuntime} are to be called before the first scrape.
 */
public final class Metrics implements Limiter.Listener, AutoCloseable {
  /** The maximum number of rules with a series of their own, over the life of a server. */
  private static final int MAX_RULES = 2_000;

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Map<String, Map<Limiter.Outcome, LongAdder>> decisions = new ConcurrentHashMap<>();

  /** The metrics that are counted by hand, under Weir's names. */
  private final List<Consumer<MetricSink>> pages = new ArrayList<>();

  /** Those of other parts, which are shown whatever names are chosen. */
  private final List<Consumer<MetricSink>> added = new ArrayList<>();

  private final List<Consumer<MetricSink>> envoyPages = new ArrayList<>();
  private boolean underOwnNames;
  private final RuntimeMetrics runtime = new RuntimeMetrics(registry);
  private final HttpStats http = new HttpStats();
  private final CandidateStats candidates = new CandidateStats();

  /** The statistics of HTTP requests. */
  public HttpStats http() {
    return http;
  }

  /** How often candidates agree with the limits in force. */
  public CandidateStats candidates() {
    return candidates;
  }

  @Override
  public void onCandidate(Rule rule, Agreement agreement) {
    candidates.count(rule.name(), agreement);
  }

  @Override
  public void onOutcome(Rule rule, Limiter.Outcome outcome, Subject subject) {
    Map<Limiter.Outcome, LongAdder> outcomes = decisions.get(rule.name());
    if (outcomes == null) {
      String label = decisions.size() < MAX_RULES ? rule.name() : MetricNames.OTHER;
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
          .description("Decisions by rule and outcome")
          .tag("rule", rule)
          .tag("outcome", outcome.name().toLowerCase(Locale.ROOT).replace('_', '-'))
          .register(registry);
    }
    return counts;
  }

  /** How many requests each rule has denied. */
  public Map<String, Long> denied() {
    Map<String, Long> denied = new HashMap<>();
    decisions.forEach(
        (rule, outcomes) -> {
          long sum = 0;
          for (Map.Entry<Limiter.Outcome, LongAdder> outcome : outcomes.entrySet()) {
            sum += outcome.getKey().denies() ? outcome.getValue().sum() : 0;
          }
          denied.put(rule, sum);
        });
    return denied;
  }

  /** Registers metrics of the rules. */
  public void watch(ActiveRules rules) {
    FunctionCounter.builder("weir.rules.reloads", rules, one -> one.status().reloads())
        .description("Versions of the rules loaded after the first")
        .register(registry);
    FunctionCounter.builder("weir.rules.refusals", rules, one -> one.status().refusals())
        .description("Versions of the rules rejected since the start")
        .register(registry);
    Gauge.builder("weir.rules", rules, one -> one.current().book().rules().size())
        .description("Active rules")
        .register(registry);
    rules.current().reader().meters().counts().keySet().forEach(event -> event(rules, event));
  }

  private void event(ActiveRules rules, String event) {
    FunctionCounter.builder(
            "weir.requests.events",
            rules,
            one -> one.current().reader().meters().counts().getOrDefault(event, 0L))
        .description("Irregular requests by kind, since the rules last changed")
        .tag("event", event)
        .register(registry);
  }

  /** Registers metrics of connections. */
  public void watch(ConnectionGates gates) {
    Gauge.builder("weir.connections", gates, ConnectionGates::open)
        .description("Open connections")
        .register(registry);
    FunctionCounter.builder("weir.connections.refused", gates, ConnectionGates::refused)
        .description("Connections rejected because the peer or the listener had too many")
        .register(registry);
    FunctionCounter.builder("weir.connections.evicted", gates, ConnectionGates::evicted)
        .description("Connections closed to make room for those of other peers")
        .register(registry);
  }

  /** Registers metrics of the in-process store. */
  public void watch(MemoryStore store) {
    Gauge.builder("weir.store.keys", store, MemoryStore::size)
        .description("Keys in the in-process store")
        .register(registry);
    Gauge.builder("weir.store.keys.max", store, MemoryStore::maxKeys)
        .description("Maximum number of keys in the in-process store")
        .register(registry);
    Gauge.builder(
            "weir.store.utilisation.ratio", store, one -> one.occupied() / (double) one.maxKeys())
        .description("Occupied share of the in-process store; a key with a log counts for its log")
        .register(registry);
    FunctionCounter.builder("weir.store.overflowed", store, MemoryStore::overflowed)
        .description("Claims counted on a shared overflow key because the store was full")
        .register(registry);
    FunctionCounter.builder("weir.store.evicted", store, MemoryStore::evicted)
        .description("Live keys evicted from rules that had more than their share of a full store")
        .register(registry);
  }

  /** Registers metrics of a remote store. */
  public void watch(StoreConfig config, StoreMonitor store) {
    new StoreMetrics(registry, store).register(config);
    pages.add(new StoreMemoryMetrics(store::memory, config.address()));
  }

  /** Registers the number of servers that the fleet is expected to have. */
  public void expectServers(int number) {
    Gauge.builder("weir.servers.expected", () -> number)
        .description("Servers that are expected to share the store")
        .register(registry);
  }

  /** Registers the counters of decisions without the store. */
  public void watch(DegradedCounters degraded) {
    for (FailureMode mode : FailureMode.values()) {
      FunctionCounter.builder("weir.decisions.degraded", degraded, one -> one.count(mode))
          .description("Requests decided without the store because it did not answer")
          .tag("way", DegradedDecision.label(mode))
          .register(registry);
    }
  }

  /** Registers the gauges of actions in force. */
  public void watch(Actions actions) {
    for (Adjustment.Kind kind : Adjustment.Kind.values()) {
      Gauge.builder("weir.actions", actions, one -> one.count(kind))
          .description("Actions of operators in force on this server")
          .tag("action", kind.label())
          .register(registry);
    }
  }

  /** Registers the counters of shed and admitted requests. */
  public void watch(ActiveShedder shedder) {
    new ShedMetrics(registry, shedder).register();
  }

  /** Adds the metrics of Envoy's rate limit service, under the configured sets of names. */
  public void watch(
      RlsStats rls, ServerStatus status, ActiveRules rules, Set<MetricsSettings.Names> names) {
    underOwnNames = names.contains(MetricsSettings.Names.WEIR);
    pages.add(new InfoMetrics(rules, version(), Ticker.system()));
    pages.add(http);
    pages.add(candidates);
    pages.add(new RlsMetrics(rls, status));
    if (names.contains(MetricsSettings.Names.ENVOY)) {
      envoyPages.add(new EnvoyMetrics(rls, status));
    }
  }

  /** Adds metrics that are counted by hand, and shown under whatever names. */
  public void add(Consumer<MetricSink> page) {
    added.add(page);
  }

  /** The version of this program, from the manifest of the jar. */
  private static String version() {
    String version = Metrics.class.getPackage().getImplementationVersion();
    return version == null ? "unpackaged" : version;
  }

  /** Adds metrics of the JVM and the process. This is slow: do not call it on an event loop. */
  public void watchRuntime() {
    runtime.register();
  }

  /** Answers a request with all metrics. */
  public void serve(HttpServerRequest request) {
    Replies.page(request, "text/plain; version=0.0.4; charset=utf-8", this::text);
  }

  private Buffer text() {
    runtime.register();
    Exposition out = new Exposition();
    if (underOwnNames) {
      pages.forEach(page -> page.accept(out));
    }
    envoyPages.forEach(page -> page.accept(out));
    added.forEach(page -> page.accept(out));
    return Buffer.buffer(underOwnNames ? registry.scrape() + out : out.toString());
  }

  /**
   * Passes on all metrics under Weir's names, whatever {@code /metrics} shows. Slow: do not call it
   * on an event loop.
   *
   * @param meters gets the meters of Micrometer
   * @param counted gets the metrics that are counted by hand
   */
  public void export(Consumer<Meter> meters, MetricSink counted) {
    runtime.register();
    registry.forEachMeter(meters);
    pages.forEach(page -> page.accept(counted));
    added.forEach(page -> page.accept(counted));
  }

  /** Handles every request on a metrics-only port. */
  public void handle(HttpServerRequest request, String path, BrowserGuard guard) {
    if (!guard.admits(request)) {
      return;
    }
    if (endpoint(request, path) == Endpoint.METRICS) {
      serve(request);
    } else {
      Replies.error(request, 404, "no such path (expected: GET " + path + ")");
    }
  }

  /** The endpoint that a request on a metrics-only port is counted under. */
  public static Endpoint endpoint(HttpServerRequest request, String path) {
    boolean isMetrics = request.method().name().equals("GET") && request.path().equals(path);
    return isMetrics ? Endpoint.METRICS : Endpoint.OTHER;
  }

  @Override
  public void close() {
    runtime.close();
    registry.close();
  }
}
