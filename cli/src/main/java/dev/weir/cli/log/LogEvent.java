package dev.weir.cli.log;

import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a log record, each bounded in length.
 *
 * @param time in UTC, with milliseconds
 * @param logger the full name of the logger
 * @param error each exception in the chain of causes, with its message; empty if there is none
 * @param trace the stack traces, a line for each frame; empty if they are not wanted
 */
record LogEvent(
    String time,
    LogLevel level,
    String logger,
    String message,
    List<String> error,
    List<String> trace) {

  private static final int MAX_MESSAGE_CHARS = 16_384;
  private static final int MAX_ERROR_CHARS = 2_048;
  private static final int MAX_CAUSES = 5;
  private static final int MAX_FRAMES = 50;

  /** Formats in UTC, which needs no time zone data; that would be read from a file on first use. */
  private static final DateTimeFormatter TIME =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter(Locale.ROOT);

  /**
   * Extracts the parts of a record.
   *
   * @param message the record's message with its parameters filled in
   * @param traces whether to include stack traces at every level; errors always have them
   */
  static LogEvent of(LogRecord log, String message, boolean traces) {
    LogLevel level = LogLevel.of(log.getLevel());
    boolean traced = traces || level == LogLevel.ERROR;
    List<String> error = new ArrayList<>();
    List<String> trace = new ArrayList<>();
    Throwable thrown = log.getThrown();
    for (int i = 0; thrown != null && i < MAX_CAUSES; i++) {
      error.add(bounded(String.valueOf(thrown), MAX_ERROR_CHARS));
      if (traced) {
        addTrace(trace, thrown, i > 0);
      }
      thrown = thrown.getCause();
    }
    return new LogEvent(
        TIME.format(log.getInstant()),
        level,
        String.valueOf(log.getLoggerName()),
        bounded(message.strip(), MAX_MESSAGE_CHARS),
        error,
        trace);
  }

  private static void addTrace(List<String> trace, Throwable thrown, boolean isCause) {
    trace.add((isCause ? "caused by " : "") + thrown.getClass().getName());
    StackTraceElement[] frames = thrown.getStackTrace();
    for (int i = 0; i < frames.length && i < MAX_FRAMES; i++) {
      trace.add("at " + frames[i]);
    }
    if (frames.length > MAX_FRAMES) {
      trace.add("... " + (frames.length - MAX_FRAMES) + " more");
    }
  }

  private static String bounded(@Nullable String text, int max) {
    String whole = String.valueOf(text);
    return whole.length() <= max
        ? whole
        : whole.substring(0, max) + "... (" + (whole.length() - max) + " characters more)";
  }

  /** A record of every kind, for loading all classes that formatting needs. */
  static List<LogRecord> samples() {
    List<LogRecord> samples = new ArrayList<>();
    for (LogLevel level : LogLevel.values()) {
      LogRecord sample = new LogRecord(level.asJul(), "{0}\u0001\n\u00e9");
      sample.setParameters(new Object[] {1_000});
      sample.setThrown(new IllegalStateException("a", new IllegalArgumentException("b")));
      sample.setInstant(Instant.EPOCH);
      samples.add(sample);
    }
    return samples;
  }
}
