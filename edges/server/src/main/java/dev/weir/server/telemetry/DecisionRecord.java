package dev.weir.server.telemetry;

import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * What logs and spans say of one decision. Immutable.
 *
 * @param startMicros when the request arrived, in microseconds since the Unix epoch
 * @param micros from the arrival to the answer
 * @param endpoint that was asked, in a word
 * @param subject the request that was decided about
 * @param decided what became of it
 * @param status of the answer: that of HTTP, or of gRPC for {@code rls}; empty if there was none
 * @param traceId of the trace that it belongs to; null if it belongs to none
 */
public record DecisionRecord(
    long startMicros,
    long micros,
    String endpoint,
    RequestLine subject,
    Decided decided,
    OptionalInt status,
    @Nullable String traceId) {

  /** What was asked for, if not to take permits; else null. */
  public @Nullable String operation() {
    return subject.operation();
  }
}
