package dev.weir.server.telemetry;

import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The trace of one request: that of its caller, or one of its own. Immutable.
 *
 * @param parent of the caller; null if it sent none
 * @param traceHigh the first half of the trace's identifier
 * @param traceLow its second half
 * @param spanId of the span for this request
 * @param sampled whether the span is recorded
 */
public record TraceContext(
    @Nullable TraceParent parent, long traceHigh, long traceLow, long spanId, boolean sampled) {

  /** Continues the trace of a caller, or begins one. */
  static TraceContext of(@Nullable TraceParent parent, boolean trusted, SpanSampler sampler) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    if (parent == null) {
      long low = random.nextLong() | 1; // zeros alone are not valid
      boolean sampled = sampler.samples(null, low);
      return new TraceContext(null, random.nextLong(), low, newSpanId(), sampled);
    }
    boolean sampled = sampler.samples(trusted ? parent : null, parent.traceLow());
    return new TraceContext(parent, parent.traceHigh(), parent.traceLow(), newSpanId(), sampled);
  }

  /** This trace without a record of the span. */
  TraceContext unsampled() {
    return new TraceContext(parent, traceHigh, traceLow, spanId, false);
  }

  static long newSpanId() {
    return ThreadLocalRandom.current().nextLong() | 1;
  }

  /** The span that caused the request; 0 if it has no caller with one. */
  public long parentSpanId() {
    return parent == null ? 0 : parent.spanId();
  }

  /** The identifier of the trace, in 32 hexadecimal digits. */
  public String traceId() {
    HexFormat hex = HexFormat.of();
    return hex.toHexDigits(traceHigh) + hex.toHexDigits(traceLow);
  }

  /**
   * The header {@code traceparent} for requests that this one causes. That of the caller stays as
   * it is unless a span of this server comes between.
   */
  public String header() {
    if (parent != null && !sampled) {
      return parent.text();
    }
    HexFormat hex = HexFormat.of();
    int flags = parent == null ? (sampled ? 1 : 0) : parent.flags(sampled);
    return "00-" + traceId() + "-" + hex.toHexDigits(spanId) + "-" + hex.toHexDigits((byte) flags);
  }
}
