package dev.weir.server.otlp;

import dev.weir.server.exposition.MetricSink;
import dev.weir.server.exposition.MetricType;
import java.util.concurrent.atomic.LongAdder;

/** Counts what was sent to a collector, and what was not. Thread-safe. */
final class OtlpStats {
  final LongAdder spansSent = new LongAdder();

  /** Spans for which there was no room. */
  final LongAdder spansDropped = new LongAdder();

  /** Spans that the collector did not take. */
  final LongAdder spansFailed = new LongAdder();

  final Exports metrics = new Exports();
  final Exports traces = new Exports();

  /** Messages of one kind. */
  static final class Exports {
    final LongAdder succeeded = new LongAdder();
    final LongAdder failed = new LongAdder();
  }

  void write(MetricSink out) {
    out.family("weir_otlp_spans_total", MetricType.COUNTER, "Spans by what became of them")
        .sample(spansSent.sum(), "outcome", "sent")
        .sample(spansDropped.sum(), "outcome", "dropped")
        .sample(spansFailed.sum(), "outcome", "failed");
    out.family(
        "weir_otlp_exports_total", MetricType.COUNTER, "Messages to the collector by outcome");
    write(out, "metrics", metrics);
    write(out, "traces", traces);
  }

  private static void write(MetricSink out, String signal, Exports exports) {
    out.sample(exports.succeeded.sum(), "signal", signal, "outcome", "ok")
        .sample(exports.failed.sum(), "signal", signal, "outcome", "failed");
  }
}
