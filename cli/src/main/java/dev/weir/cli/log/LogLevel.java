package dev.weir.cli.log;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.logging.Level;

/** How much is logged, by the names that operators know; each level includes those before it. */
public enum LogLevel {
  ERROR(Level.SEVERE),
  WARN(Level.WARNING),
  INFO(Level.INFO),
  DEBUG(Level.FINE),
  TRACE(Level.FINER);

  @SuppressWarnings("ImmutableEnumChecker") // as good as immutable, but not annotated
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

  /** All names, as they are written on a command line. */
  public static List<String> names() {
    return Arrays.stream(values()).map(one -> one.name().toLowerCase(Locale.ROOT)).toList();
  }

  Level asJul() {
    return level;
  }

  /** The level that a record counts as; records may have levels of their own in between. */
  static LogLevel of(Level level) {
    for (LogLevel one : values()) {
      if (level.intValue() >= one.level.intValue()) {
        return one;
      }
    }
    return TRACE;
  }

  /** Whether stack traces are wanted of everything, not only of errors. */
  boolean showsTraces() {
    return compareTo(DEBUG) >= 0;
  }
}
