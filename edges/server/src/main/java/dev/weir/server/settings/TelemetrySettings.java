package dev.weir.server.settings;

import dev.weir.server.log.LogFormat;
import java.util.Optional;

/**
 * Which logs of requests a server writes, and where it sends metrics and spans.
 *
 * @param accessLog the file of the access log, {@code -} for standard output; empty for none
 * @param withQueries whether its lines have the query strings of requests
 * @param denialLog the file of the log of denials, {@code -} for standard output; empty for none
 * @param denialsPerSecond the number of its lines in a second for each rule
 * @param format of both logs
 * @param otlp where metrics and spans are sent; empty for nowhere
 */
public record TelemetrySettings(
    Optional<String> accessLog,
    boolean withQueries,
    Optional<String> denialLog,
    int denialsPerSecond,
    LogFormat format,
    Optional<OtlpSettings> otlp) {

  /** The maximum number of lines in a second for a rule. */
  public static final int MAX_DENIALS = 1_000_000;

  /** No logs, and nothing is sent. */
  public static final TelemetrySettings OFF =
      new TelemetrySettings(
          Optional.empty(), false, Optional.empty(), 10, LogFormat.TEXT, Optional.empty());

  /** Whether nothing is logged, and nothing sent. */
  public boolean isOff() {
    return accessLog.isEmpty() && denialLog.isEmpty() && otlp.isEmpty();
  }

  /** These settings with an access log, if a file is given. */
  public TelemetrySettings withAccessLog(Optional<String> file, boolean queries) {
    return new TelemetrySettings(file, queries, denialLog, denialsPerSecond, format, otlp);
  }

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if the number of denials is out of range
   */
  public TelemetrySettings {
    if (denialsPerSecond < 1 || denialsPerSecond > MAX_DENIALS) {
      throw new IllegalArgumentException(
          "denials: " + denialsPerSecond + " (expected: between 1 and " + MAX_DENIALS + ")");
    }
  }
}
