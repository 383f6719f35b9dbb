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
 * What a log record says, in parts and within bounds.
 *
 * @param time in UTC, with milliseconds
 * @param logger the full name of whoever logs
 * @param error each exception of a chain of causes with its message; empty if there is none
 * @param trace where these came from, a line for each frame; empty if nobody wants to know
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

  /** UTC needs no time zone data, which would be read from a file when the first line is logged. */
  private static final DateTimeFormatter TIME =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter(Locale.ROOT);

  /**
   * @param message the record's message with its parameters filled in
   * @param traces whether traces are wanted of everything; of errors they are always
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
    String known = String.valueOf(text);
    return known.length() <= max
        ? known
        : known.substring(0, max) + "... (" + (known.length() - max) + " characters more)";
  }

  /** A record of every kind, to format once before any of them matters. */
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
