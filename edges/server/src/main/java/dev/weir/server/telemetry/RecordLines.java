package dev.weir.server.telemetry;

import dev.weir.server.log.LogFormat;
import dev.weir.server.log.LogLine;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;

/** The lines of the access log and of the log of denials. Immutable and thread-safe. */
final class RecordLines {
  private final LogFormat format;

  RecordLines(LogFormat format) {
    this.format = format;
  }

  /** The line of the access log. */
  String access(DecisionRecord record) {
    LogLine line = begin(record);
    record.status().ifPresent(status -> line.number("status", status));
    Decided decided = record.decided();
    line.text("outcome", decided.outcome()).text("rule", decided.rule());
    line.text("degraded", decided.degraded()).number("micros", record.micros());
    return line.text("traceId", record.traceId()).toString();
  }

  /** The line of the log of denials. */
  String denial(DenialLog.Denial denial) {
    DecisionRecord record = denial.record();
    Decided decided = record.decided();
    LogLine line = begin(record);
    line.text("outcome", decided.outcome()).text("rule", decided.rule());
    decided.caller().ifPresent(hash -> line.text("caller", HexFormat.of().toHexDigits(hash)));
    decided.retryMillis().ifPresent(millis -> line.number("retryAfterMillis", millis));
    line.text("degraded", decided.degraded()).text("traceId", record.traceId());
    if (denial.suppressed() > 0) {
      line.number("suppressed", denial.suppressed());
    }
    return line.toString();
  }

  private LogLine begin(DecisionRecord record) {
    Instant time = Instant.EPOCH.plus(record.startMicros(), ChronoUnit.MICROS);
    return new LogLine(format, time)
        .text("endpoint", record.endpoint())
        .text("operation", record.subject().operation())
        .text("method", record.subject().method())
        .text("path", record.subject().path());
  }
}
