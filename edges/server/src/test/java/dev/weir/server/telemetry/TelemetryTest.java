package dev.weir.server.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.exposition.Exposition;
import dev.weir.server.exposition.MetricSink;
import io.vertx.core.MultiMap;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TelemetryTest {
  private static final String SAMPLED = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  private static final MultiMap HEADERS =
      MultiMap.caseInsensitiveMultiMap().add("traceparent", SAMPLED);

  private final AtomicLong micros = new AtomicLong(1_795_000_000_000_000L);

  /** Keeps what is to be sent. */
  private static final class Kept implements Export {
    final List<Span> spans = new CopyOnWriteArrayList<>();

    @Override
    public void start() {}

    @Override
    public void add(Span span) {
      spans.add(span);
    }

    @Override
    public void writeMetrics(MetricSink out) {}

    @Override
    public void close() {}
  }

  private final Kept kept = new Kept();
  private final Telemetry telemetry =
      new Telemetry.Builder(micros::get)
          .export(kept, new SpanSampler(true, 0))
          .maxSpans(10)
          .build();

  private String limited() {
    Exposition page = new Exposition();
    telemetry.writeMetrics(page);
    return page.toString();
  }

  /** Callers say which traces are recorded, and a million of them may. */
  @Test
  void spansOfASecondAreLimited() {
    for (int i = 0; i < 100; i++) {
      boolean first = i < 10;
      TraceContext trace = telemetry.trace(HEADERS, true);
      assertThat(trace.sampled()).isEqualTo(first);
      assertThat(trace.header().equals(SAMPLED)).isNotEqualTo(first);
    }
    assertThat(limited()).contains("weir_spans_limited_total 90\n");
    micros.addAndGet(1_000_000);
    assertThat(telemetry.trace(HEADERS, true).sampled()).isTrue();
  }

  @Test
  void requestsInOneBodyAreLimitedTogether() {
    TraceContext trace = telemetry.trace(HEADERS, true);
    RecordingObserver seen =
        new RecordingObserver(telemetry, "decide", trace, micros.get(), RequestLine.UNKNOWN);
    for (int i = 0; i < 50; i++) {
      seen.part("take", null, "/a").onDecided(Decided.without(Decided.ALLOWED));
    }
    seen.end(200);
    assertThat(kept.spans).hasSize(10);
    assertThat(kept.spans.stream().map(Span::spanId).distinct()).hasSize(10);
    assertThat(kept.spans.get(0).spanId()).isEqualTo(trace.spanId());
  }

  @Test
  void requestEndsOnce() {
    micros.addAndGet(5);
    TraceContext trace = telemetry.trace(HEADERS, true);
    RecordingObserver seen =
        new RecordingObserver(telemetry, "check", trace, micros.get(), RequestLine.UNKNOWN);
    micros.addAndGet(70);
    seen.end(-1);
    seen.onDecided(Decided.without(Decided.ALLOWED));
    seen.end(200);
    assertThat(kept.spans).hasSize(1);
    DecisionRecord record = kept.spans.get(0).record();
    assertThat(record.decided().outcome()).isEqualTo("client-gone");
    assertThat(record.micros()).isEqualTo(70);
    assertThat(record.status()).isEmpty();
  }

  @Test
  void clockThatWasSetBackMakesNoNegativeDuration() {
    RecordingObserver seen =
        new RecordingObserver(
            telemetry, "check", telemetry.trace(HEADERS, true), micros.get(), RequestLine.UNKNOWN);
    micros.addAndGet(-1_000_000);
    seen.end(200);
    assertThat(kept.spans.get(0).record().micros()).isZero();
  }
}
