package dev.weir.cli.log;

import java.util.function.UnaryOperator;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;

/** One JSON object a line: time, level, logger, message, and of exceptions error and trace. */
final class JsonFormatter extends Formatter {
  private final UnaryOperator<String> quoted;
  private final boolean traces;

  /**
   * @param quoted makes text a JSON string
   * @param traces whether traces are wanted of everything, not only of errors
   */
  JsonFormatter(UnaryOperator<String> quoted, boolean traces) {
    this.quoted = quoted;
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
    json.append(quoted.apply(value));
  }
}
