package dev.weir.server.otlp;

import com.google.protobuf.ByteString;
import dev.weir.server.telemetry.Decided;
import dev.weir.server.telemetry.DecisionRecord;
import dev.weir.server.telemetry.Span;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.resource.v1.Resource;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Status;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Puts spans into a message. Thread-safe. */
final class SpanMessages {
  private static final String PREFIX = "weir.";
  private static final String RLS = "rls";
  private static final int SERVER_ERROR = 500;

  /** Flags of the trace, and that it is known whether the parent is in another process. */
  private static final int SAMPLED = 1 | 1 << 8;

  private static final int REMOTE_PARENT = 1 << 9;

  private final Resource resource;
  private final KeyValue store;

  /**
   * @param storeKind of the store that counts
   */
  SpanMessages(Resource resource, String storeKind) {
    this.resource = resource;
    this.store = Attributes.text(PREFIX + "store", storeKind);
  }

  ExportTraceServiceRequest message(List<Span> spans) {
    ScopeSpans.Builder scope = ScopeSpans.newBuilder().setScope(Attributes.SCOPE);
    spans.forEach(span -> scope.addSpans(span(span)));
    return ExportTraceServiceRequest.newBuilder()
        .addResourceSpans(ResourceSpans.newBuilder().setResource(resource).addScopeSpans(scope))
        .build();
  }

  private io.opentelemetry.proto.trace.v1.Span span(Span span) {
    DecisionRecord record = span.record();
    long parent = span.trace().parentSpanId();
    var out =
        io.opentelemetry.proto.trace.v1.Span.newBuilder()
            .setTraceId(bytes(span.trace().traceHigh(), span.trace().traceLow()))
            .setSpanId(bytes(span.spanId()))
            .setFlags(parent == 0 ? SAMPLED : SAMPLED | REMOTE_PARENT)
            .setName(PREFIX + record.endpoint())
            .setKind(io.opentelemetry.proto.trace.v1.Span.SpanKind.SPAN_KIND_SERVER)
            .setStartTimeUnixNano(TimeUnit.MICROSECONDS.toNanos(record.startMicros()))
            .setEndTimeUnixNano(
                TimeUnit.MICROSECONDS.toNanos(record.startMicros() + record.micros()));
    if (parent != 0) {
      out.setParentSpanId(bytes(parent));
    }
    describe(out, record);
    return out.build();
  }

  private void describe(io.opentelemetry.proto.trace.v1.Span.Builder out, DecisionRecord record) {
    Decided decided = record.decided();
    out.addAttributes(Attributes.text(PREFIX + "outcome", decided.outcome()));
    if (decided.rule() != null) {
      out.addAttributes(Attributes.text(PREFIX + "rule", decided.rule()));
    }
    decided
        .remaining()
        .ifPresent(left -> out.addAttributes(Attributes.number(PREFIX + "remaining", left)));
    if (decided.degraded() != null) {
      out.addAttributes(Attributes.text(PREFIX + "degraded", decided.degraded()));
    }
    if (record.operation() != null) {
      out.addAttributes(Attributes.text(PREFIX + "operation", record.operation()));
    }
    out.addAttributes(store);
    boolean rls = record.endpoint().equals(RLS);
    record
        .status()
        .ifPresent(
            status ->
                out.addAttributes(
                    Attributes.number(
                        rls ? "rpc.grpc.status_code" : "http.response.status_code", status)));
    boolean failed =
        decided.outcome().equals(Decided.FAILED)
            || decided.outcome().equals(Decided.UNANSWERED)
            || record.status().orElse(0) >= SERVER_ERROR;
    if (failed) {
      out.setStatus(Status.newBuilder().setCode(Status.StatusCode.STATUS_CODE_ERROR));
    }
  }

  private static ByteString bytes(long... words) {
    ByteBuffer bytes = ByteBuffer.allocate(words.length * Long.BYTES);
    for (long word : words) {
      bytes.putLong(word);
    }
    return ByteString.copyFrom(bytes.flip());
  }
}
