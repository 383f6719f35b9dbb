package dev.weir.cli.log;

import java.util.function.UnaryOperator;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;

/**
 * Formats each record as a line of text: {@code 2026-11-17T09:08:45.123Z WARN text: exception;
 * caused by exception}.
 *
 * <p>Lines of libraries include the name of the logger; Weir's own messages need none. A stack
 * trace follows on the same line, so that each line is one record.
 */
final class TextFormatter extends Formatter {
  private static final String OWN_LOGGERS = "dev.weir";

  private final UnaryOperator<String> escape;
  private final boolean traces;

  /**
   * Creates a formatter.
   *
   * @param escape escapes text for a terminal
   * @param traces whether all records include stack traces, and not only errors
   */
  TextFormatter(UnaryOperator<String> escape, boolean traces) {
    this.escape = escape;
    this.traces = traces;
  }

  @Override
  public String format(LogRecord log) {
    LogEvent event = LogEvent.of(log, formatMessage(log), traces);
    StringBuilder text = new StringBuilder();
    if (!event.logger().startsWith(OWN_LOGGERS)) {
      text.append(event.logger()).append(": ");
    }
    text.append(event.message());
    if (!event.error().isEmpty()) {
      text.append(": ").append(String.join("; caused by ", event.error()));
    }
    if (!event.trace().isEmpty()) {
      text.append(" | ").append(String.join(" ", event.trace()));
    }
    String line = escape.apply(text.toString().replace("\r", "").replace("\n", "\\n"));
    String level = event.level().name();
    return event.time() + " " + level + (level.length() < 5 ? "  " : " ") + line + "\n";
  }
}
