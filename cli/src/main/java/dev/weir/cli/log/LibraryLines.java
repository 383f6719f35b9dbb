package dev.weir.cli.log;

import dev.weir.server.log.LogBudget;
import java.util.logging.Filter;
import java.util.logging.LogRecord;

/**
 * Lets all pass that Weir itself says, and of what the libraries below it say so much that it can
 * be read: some have a line for every frame that a client sends.
 */
final class LibraryLines implements Filter {
  private static final int PER_MINUTE = 100;

  private final LogBudget budget = new LogBudget(PER_MINUTE);

  @Override
  public boolean isLoggable(LogRecord line) {
    String name = line.getLoggerName();
    boolean library =
        name != null && (name.startsWith("io.netty.") || name.startsWith("io.vertx."));
    return !library || budget.take().isPresent();
  }
}
