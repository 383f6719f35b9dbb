package dev.weir.server.log;

import java.util.logging.Filter;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Lets one line per minute pass. When a connection with pending responses closes, Netty logs each
 * of them with a stack trace: a client that reads no responses could fill a disk. Thread-safe.
 */
public final class ThrottledLogFilter implements Filter {
  /** A strong reference: the log manager holds loggers weakly, and their filters with them. */
  private static final Logger STREAMS =
      Logger.getLogger("io.netty.handler.codec.http2.DefaultHttp2Connection");

  private final LogBudget budget = new LogBudget(1);

  /** Installs the filter on the Netty logger that clients can flood. */
  public static void install() {
    STREAMS.setFilter(new ThrottledLogFilter());
  }

  @Override
  public boolean isLoggable(LogRecord line) {
    return budget.take().isPresent();
  }
}
