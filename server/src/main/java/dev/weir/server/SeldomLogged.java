package dev.weir.server;

import dev.weir.server.log.LogBudget;
import java.util.logging.Filter;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Lets one line in a minute pass. When a connection is closed on which answers wait, Netty logs
 * each of them with its trace: a client that takes none could fill a disk.
 */
final class SeldomLogged implements Filter {
  /** Held here, for loggers are forgotten that nobody holds. */
  private static final Logger STREAMS =
      Logger.getLogger("io.netty.handler.codec.http2.DefaultHttp2Connection");

  private final LogBudget budget = new LogBudget(1);

  /** Bounds what the client of a connection can make us log. */
  static void install() {
    STREAMS.setFilter(new SeldomLogged());
  }

  @Override
  public boolean isLoggable(LogRecord line) {
    return budget.take().isPresent();
  }
}
