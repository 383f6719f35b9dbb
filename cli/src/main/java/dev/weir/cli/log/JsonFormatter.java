package dev.weir.cli.log;

import java.util.function.UnaryOperator;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;

/**
 * Formats each record as a JSON object on one line: time, level, logger and message; for an
 * exception also error and trace.
 */
final class JsonFormatter extends Formatter {
  private final UnaryOperator<String> quote;
  private final boolean traces;

  /**
   * Creates a formatter.
   *
   * @param quote converts text to a JSON string
   * @param traces whether all records include stack traces, and not only errors
   */
  JsonFormatter(UnaryOperator<String> quote, boolean traces) {
    this.quote = quote;
    this.traces = traces;
  }

  @Override
  public String format(LogRecord log) {
    LogEvent event = LogEvent.of(log, formatMessage(log), traces);
    StringBuilder json = new StringBuilder("{");
    field(json, "time", event.time());
    field(json, "level", event.level().name());
    field(json, "logger", event.logger());
    field(json, "message", event.message());
    if (!event.error().isEmpty()) {
      field(json, "error", String.join("; caused by ", event.error()));
    }
    if (!event.trace().isEmpty()) {
      field(json, "trace", String.join("\n", event.trace()));
    }
    return json.append("}\n").toString();
  }

  private void field(StringBuilder json, String name, String value) {
    json.append(json.length() == 1 ? "" : ",").append('"').append(name).append("\":");
    json.append(quote.apply(value));
  }
}
