package dev.weir.server;

import dev.weir.StoreFailure;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** What there is to tell of a store elsewhere. */
final class StoreMetrics {
  private final MeterRegistry registry;
  private final SharedStore store;

  StoreMetrics(MeterRegistry registry, SharedStore store) {
    this.registry = registry;
    this.store = store;
  }

  void register(StoreInUse inUse) {
    asked(inUse);
    without();
    inAdvance();
  }

  private void asked(StoreInUse inUse) {
    Gauge.builder("weir.store.up", store, one -> one.isAnswering() ? 1 : 0)
        .description("Whether the store answers")
        .tag("kind", inUse.kind())
        .register(registry);
    count("weir.store.outages", "How often the store was gone", SharedStore::outages);
    count("weir.store.answers", "Requests that the store answered", SharedStore::answers);
    for (StoreFailure.Effect effect : StoreFailure.Effect.values()) {
      count(
          "weir.store.failures",
          "Requests that the store did not answer; what became of them",
          one -> one.failures(effect),
          "effect",
          effect.name().toLowerCase(Locale.ROOT));
    }
    count(
        "weir.store.not.asked",
        "Requests that were not asked because the store did not answer",
        SharedStore::notAsked);
    FunctionCounter.builder("weir.store.calls", inUse, one -> one.calls().getAsLong())
        .description("Calls to the store, each with all requests that travelled together")
        .register(registry);
    gauge(
        "weir.store.breaker.open",
        "Whether the store is left alone because it did not answer",
        one -> one.breaker().equals("closed") ? 0 : 1);
    gauge(
        "weir.servers",
        "Servers that share the store, as far as this one has heard",
        SharedStore::servers);
  }

  private void without() {
    gauge(
        "weir.standby.owing",
        "Counters of which the store is owed what was granted without it",
        one -> one.standby().owing());
    count(
        "weir.standby.settled",
        "Permits granted without the store and charged to it since",
        one -> one.standby().settled());
    count(
        "weir.standby.lost",
        "Permits granted without the store of which it will not hear",
        one -> one.standby().lost());
  }

  private void inAdvance() {
    gauge(
        "weir.leases",
        "Counters of which permits are held in advance",
        one -> one.counts().leases());
    count(
        "weir.lease.granted",
        "Claims granted from permits that were held",
        one -> one.counts().granted());
    permits("taken", one -> one.counts().taken());
    permits("returned", one -> one.counts().returned());
    permits("stranded", one -> one.counts().stranded());
    count(
        "weir.denials.remembered",
        "Requests denied without asking the store, which had just denied the same",
        one -> one.counts().remembered());
  }

  private void permits(String what, ToDoubleFunction<SharedStore> counted) {
    String told = "Permits taken in advance; what became of those not spent";
    count("weir.lease.permits", told, counted, "what", what);
  }

  private void count(
      String name, String told, ToDoubleFunction<SharedStore> counted, String... tags) {
    FunctionCounter.builder(name, store, counted).description(told).tags(tags).register(registry);
  }

  private void gauge(String name, String told, ToDoubleFunction<SharedStore> now) {
    Gauge.builder(name, store, now).description(told).register(registry);
  }
}
