package dev.weir.cli.log;

import java.util.function.UnaryOperator;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;

/**
 * One line for people: {@code 2026-11-17T09:08:45.123Z WARN text: exception; caused by exception}.
 *
 * <p>Of other libraries' lines it names the logger; ours say themselves what they are about. Traces
 * follow on the same line, so that a line is always a record.
 */
final class TextFormatter extends Formatter {
  private static final String OURS = "dev.weir";

  private final UnaryOperator<String> printable;
  private final boolean traces;

  /**
   * @param printable makes text harmless to print
   * @param traces whether traces are wanted of everything, not only of errors
   */
  TextFormatter(UnaryOperator<String> printable, boolean traces) {
    this.printable = printable;
    this.traces = traces;
  }

  @Override
  public String format(LogRecord log) {
    LogEvent event = LogEvent.of(log, formatMessage(log), traces);
    StringBuilder text = new StringBuilder();
    if (!event.logger().startsWith(OURS)) {
      text.append(event.logger()).append(": ");
    }
    text.append(event.message());
    if (!event.error().isEmpty()) {
      text.append(": ").append(String.join("; caused by ", event.error()));
    }
    if (!event.trace().isEmpty()) {
      text.append(" | ").append(String.join(" ", event.trace()));
    }
    String line = printable.apply(text.toString().replace("\r", "").replace("\n", "\\n"));
    String level = event.level().name();
    return event.time() + " " + level + (level.length() < 5 ? "  " : " ") + line + "\n";
  }
}
