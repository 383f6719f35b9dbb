package dev.weir.server.metrics;

import dev.weir.StoreFailure;
import dev.weir.server.store.StoreConfig;
import dev.weir.server.store.StoreMonitor;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Metrics of a remote store. */
final class StoreMetrics {
  private final MeterRegistry registry;
  private final StoreMonitor store;

  StoreMetrics(MeterRegistry registry, StoreMonitor store) {
    this.registry = registry;
    this.store = store;
  }

  void register(StoreConfig config) {
    calls(config);
    fallback();
    leases();
  }

  private void calls(StoreConfig config) {
    Gauge.builder("weir.store.up", store, one -> one.isAnswering() ? 1 : 0)
        .description("1 while the store answers health probes")
        .tag("kind", config.kind())
        .register(registry);
    count("weir.store.outages", "Outages of the store", StoreMonitor::outages);
    count("weir.store.answers", "Requests answered by the store", StoreMonitor::answers);
    for (StoreFailure.Effect effect : StoreFailure.Effect.values()) {
      count(
          "weir.store.failures",
          "Requests that the store did not answer, by effect",
          one -> one.failures(effect),
          "effect",
          effect.name().toLowerCase(Locale.ROOT));
    }
    count(
        "weir.store.rejected",
        "Requests rejected by the open circuit breaker, probes included",
        StoreMonitor::rejected);
    FunctionCounter.builder("weir.store.calls", config, one -> one.calls().getAsLong())
        .description("Calls to the store, each a batch of requests")
        .register(registry);
    gauge(
        "weir.store.breaker.open",
        "1 while the circuit breaker is not closed",
        one -> one.breaker().equals("closed") ? 0 : 1);
    gauge(
        "weir.servers",
        "Servers that share the store, as far as this one knows",
        StoreMonitor::servers);
    gauge(
        "weir.store.roster.up",
        "1 while the store keeps the roster of servers, as far as it answers at all",
        one -> one.keepsRoster() ? 1 : 0);
    Gauge.builder("weir.store.problems", config, one -> one.problems().get().size())
        .description("Conditions of the store that do not end by themselves")
        .register(registry);
  }

  private void fallback() {
    gauge(
        "weir.fallback.pending.keys",
        "Keys with local grants not yet charged to the store",
        one -> one.fallback().pendingKeys());
    count(
        "weir.fallback.settled.permits",
        "Permits granted without the store and charged to it later",
        one -> one.fallback().settled());
    count(
        "weir.fallback.lost.permits",
        "Permits granted without the store and never charged to it",
        one -> one.fallback().lost());
  }

  private void leases() {
    gauge("weir.leases", "Keys with leased permits", one -> one.counts().leases());
    count(
        "weir.lease.granted", "Claims granted from leased permits", one -> one.counts().granted());
    permits("taken", one -> one.counts().taken());
    permits("returned", one -> one.counts().returned());
    permits("stranded", one -> one.counts().stranded());
    count(
        "weir.denials.cached",
        "Requests denied from the denial cache, without a store call",
        one -> one.counts().remembered());
  }

  private void permits(String what, ToDoubleFunction<StoreMonitor> counted) {
    String help = "Leased permits taken from the store, and unspent ones returned or stranded";
    count("weir.lease.permits", help, counted, "what", what);
  }

  private void count(
      String name, String help, ToDoubleFunction<StoreMonitor> counted, String... tags) {
    FunctionCounter.builder(name, store, counted).description(help).tags(tags).register(registry);
  }

  private void gauge(String name, String help, ToDoubleFunction<StoreMonitor> now) {
    Gauge.builder(name, store, now).description(help).register(registry);
  }
}
