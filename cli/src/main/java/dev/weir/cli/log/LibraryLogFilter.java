package dev.weir.cli.log;

import dev.weir.server.log.LogBudget;
import java.util.logging.Filter;
import java.util.logging.LogRecord;

/**
 * Passes all records of Weir, and a limited number per minute of Netty and Vert.x, because some of
 * their loggers write a line for every frame that a client sends. Thread-safe.
 */
final class LibraryLogFilter implements Filter {
  private static final int MAX_PER_MINUTE = 100;

  private final LogBudget budget = new LogBudget(MAX_PER_MINUTE);

  @Override
  public boolean isLoggable(LogRecord log) {
    String name = log.getLoggerName();
    boolean library =
        name != null && (name.startsWith("io.netty.") || name.startsWith("io.vertx."));
    return !library || budget.take().isPresent();
  }
}
