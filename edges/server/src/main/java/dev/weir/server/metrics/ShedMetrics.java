package dev.weir.server.metrics;

import dev.weir.rules.gateway.SheddingSettings;
import dev.weir.server.shed.ActiveShedder;
import dev.weir.server.shed.ShedCounters;
import dev.weir.server.shed.Verdict;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.ToDoubleFunction;

/** Metrics of load shedding. */
final class ShedMetrics {
  private final MeterRegistry registry;
  private final ActiveShedder shedder;

  ShedMetrics(MeterRegistry registry, ActiveShedder shedder) {
    this.registry = registry;
    this.shedder = shedder;
  }

  void register() {
    for (int i = 0; i <= SheddingSettings.LOWEST; i++) {
      int priority = i;
      count(priority, "admitted", one -> one.admitted(priority));
      for (Verdict.Reason reason : Verdict.Reason.values()) {
        count(priority, reason.label(), one -> one.shed(priority, reason));
      }
    }
    Gauge.builder(
            "weir.shedding.utilisation.ratio", shedder, one -> one.utilisationPercent() / 100.0)
        .description("Requests in flight at the latest request, as a share of the capacity")
        .register(registry);
  }

  private void count(int priority, String outcome, ToDoubleFunction<ShedCounters> count) {
    FunctionCounter.builder("weir.shedding.requests", shedder.counters(), count)
        .description("Requests that load shedding admitted, or shed for a reason, by priority")
        .tag("priority", String.valueOf(priority))
        .tag("outcome", outcome)
        .register(registry);
  }
}
