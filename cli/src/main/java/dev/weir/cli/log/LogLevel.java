package dev.weir.cli.log;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.logging.Level;

/** Levels of the log, by the common names; each level includes those before it. */
public enum LogLevel {
  /** Failures that need attention. */
  ERROR(Level.SEVERE),

  /** Problems that the service works around. */
  WARN(Level.WARNING),

  /** Normal events. */
  INFO(Level.INFO),

  /** Details of Weir, for debugging. */
  DEBUG(Level.FINE),

  /** Everything, including the libraries. */
  TRACE(Level.FINER);

  @SuppressWarnings("ImmutableEnumChecker") // immutable, but not annotated as such
  private final Level level;

  LogLevel(Level level) {
    this.level = level;
  }

  /** The level with this name in any case; {@code warning} is {@code warn}. */
  public static Optional<LogLevel> named(String name) {
    String upper = name.toUpperCase(Locale.ROOT);
    return Arrays.stream(values())
        .filter(one -> one.name().equals(upper) || (one == WARN && upper.equals("WARNING")))
        .findFirst();
  }

  /** All names in lower case, as on a command line. */
  public static List<String> names() {
    return Arrays.stream(values()).map(one -> one.name().toLowerCase(Locale.ROOT)).toList();
  }

  Level asJul() {
    return level;
  }

  /** The closest level at or below that of a record; records may have levels in between. */
  static LogLevel of(Level level) {
    for (LogLevel one : values()) {
      if (level.intValue() >= one.level.intValue()) {
        return one;
      }
    }
    return TRACE;
  }

  /** Whether all records include stack traces, and not only errors. */
  boolean showsTraces() {
    return compareTo(DEBUG) >= 0;
  }
}
