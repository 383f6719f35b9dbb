package dev.weir.library.metrics;

import dev.weir.StoreFailure.Effect;
import dev.weir.limiter.Agreement;
import dev.weir.limiter.Limiter;
import dev.weir.limiter.Subject;
import dev.weir.rule.FailureMode;
import dev.weir.rule.Rule;
import dev.weir.shared.SharedStore;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.ToDoubleFunction;

/**
 * The meters of one Weir, under the names that {@code weir serve} uses. Loaded only if there is a
 * registry, because Micrometer is an optional dependency. Thread-safe.
 */
public final class WeirMeters implements DecisionListener {
  /** The maximum number of limiters with meters of their own; later ones are counted together. */
  public static final int MAX_LIMITERS = 2_000;

  private static final String OTHER = "other";

  private final MeterRegistry registry;
  private final Queue<Meter> meters = new ConcurrentLinkedQueue<>();
  private final Map<String, Map<Limiter.Outcome, Counter>> decisions = new ConcurrentHashMap<>();
  private final Map<String, Map<Agreement, Counter>> candidates = new ConcurrentHashMap<>();
  private final Map<FailureMode, Counter> degraded = new EnumMap<>(FailureMode.class);

  /** Registers meters in {@code registry}. */
  public WeirMeters(MeterRegistry registry) {
    this.registry = registry;
    for (FailureMode mode : FailureMode.values()) {
      degraded.put(
          mode,
          added(
              Counter.builder("weir.decisions.degraded")
                  .description("Requests decided without the store because it did not answer")
                  .tag("way", label(mode))
                  .register(registry)));
    }
  }

  @Override
  public void onOutcome(Rule rule, Limiter.Outcome outcome, Subject subject) {
    Map<Limiter.Outcome, Counter> outcomes = decisions.get(rule.name());
    if (outcomes == null) {
      String limiter = decisions.size() < MAX_LIMITERS ? rule.name() : OTHER;
      outcomes = decisions.computeIfAbsent(limiter, this::outcomes);
    }
    Objects.requireNonNull(outcomes.get(outcome)).increment();
  }

  private Map<Limiter.Outcome, Counter> outcomes(String limiter) {
    Map<Limiter.Outcome, Counter> counters = new EnumMap<>(Limiter.Outcome.class);
    for (Limiter.Outcome outcome : Limiter.Outcome.values()) {
      counters.put(
          outcome,
          added(
              Counter.builder("weir.decisions")
                  .description("Decisions by limiter or rule, and outcome")
                  .tag("rule", limiter)
                  .tag("outcome", label(outcome))
                  .register(registry)));
    }
    return counters;
  }

  @Override
  public void onCandidate(Rule rule, Agreement agreement) {
    Map<Agreement, Counter> counters = candidates.get(rule.name());
    if (counters == null) {
      String limiter = candidates.size() < MAX_LIMITERS ? rule.name() : OTHER;
      counters = candidates.computeIfAbsent(limiter, this::agreements);
    }
    Objects.requireNonNull(counters.get(agreement)).increment();
  }

  private Map<Agreement, Counter> agreements(String limiter) {
    Map<Agreement, Counter> counters = new EnumMap<>(Agreement.class);
    for (Agreement agreement : Agreement.values()) {
      counters.put(
          agreement,
          added(
              Counter.builder("weir.candidate.decisions")
                  .description("Requests judged by the limits of a rule and by its candidate")
                  .tag("rule", limiter)
                  .tag("agreement", label(agreement))
                  .register(registry)));
    }
    return counters;
  }

  @Override
  public void onDegraded(FailureMode mode) {
    Objects.requireNonNull(degraded.get(mode)).increment();
  }

  @Override
  public void watch(SharedStore store) {
    count(store, "weir.store.answers", "Requests answered by the store", SharedStore::answers);
    for (Effect effect : Effect.values()) {
      added(
          FunctionCounter.builder("weir.store.failures", store, one -> one.failures(effect))
              .description("Requests that the store did not answer, by effect")
              .tag("effect", label(effect))
              .register(registry));
    }
    count(
        store,
        "weir.store.rejected",
        "Requests rejected by the open circuit breaker, probes included",
        SharedStore::rejected);
    gauge(
        store,
        "weir.store.up",
        "1 while the store answers health probes",
        one -> one.isAnswering() ? 1 : 0);
    gauge(
        store,
        "weir.fallback.pending.keys",
        "Keys with local grants not yet charged to the store",
        one -> one.fallback().pendingKeys());
  }

  private void count(
      SharedStore store, String name, String help, ToDoubleFunction<SharedStore> counted) {
    added(FunctionCounter.builder(name, store, counted).description(help).register(registry));
  }

  private void gauge(
      SharedStore store, String name, String help, ToDoubleFunction<SharedStore> value) {
    added(Gauge.builder(name, store, value).description(help).register(registry));
  }

  private <M extends Meter> M added(M meter) {
    meters.add(meter);
    return meter;
  }

  private static String label(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Removes the meters from the registry. */
  @Override
  public void close() {
    for (Meter meter = meters.poll(); meter != null; meter = meters.poll()) {
      registry.remove(meter);
    }
  }
}
