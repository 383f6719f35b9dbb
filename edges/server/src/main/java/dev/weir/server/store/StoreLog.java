package dev.weir.server.store;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Writes log lines about a shared store: in order, but not on the path of requests, because a log
 * may be slow. Safe for use by any number of threads.
 */
final class StoreLog {
  private static final Logger LOG = System.getLogger(StoreLog.class.getName());

  private CompletableFuture<Void> written = CompletableFuture.completedFuture(null);

  void lost(String line) {
    write(Level.WARNING, line);
  }

  /**
   * Reports that the store answers again.
   *
   * @param empty whether the store has lost its counters, which operators should know
   */
  void recovered(String line, boolean empty) {
    write(empty ? Level.WARNING : Level.INFO, line);
  }

  void rosterLost(String cause) {
    write(Level.WARNING, rosterLostLine(cause));
  }

  static String rosterLostLine(String cause) {
    return "The store does not keep the list of servers: "
        + cause
        + "; until it does, nothing is leased, and during an outage each server assumes the last"
        + " known number of servers";
  }

  void rosterRecovered() {
    write(Level.INFO, "The store keeps the list of servers again");
  }

  /**
   * Reports local grants that were not charged to the store before the server stopped.
   *
   * @param callers the keys with pending charges
   * @param permits the permits that were charged without an answer
   * @param underWay the keys whose charges are in flight
   */
  void pendingCharges(int callers, long permits, int underWay) {
    if (callers + permits + underWay > 0) {
      String line =
          "Stopped with pending charges to the store; callers never charged: %d, permits that may"
              + " not have been charged: %d, callers whose charges were in flight: %d";
      write(Level.WARNING, line.formatted(callers, permits, underWay));
    }
  }

  private synchronized void write(Level level, String line) {
    // A line that could not be written must not keep back the next one.
    written = written.exceptionally(failure -> null).thenRunAsync(() -> LOG.log(level, line));
  }

  /** Waits until all lines are written, up to the timeout. */
  void await(Duration timeout) {
    CompletableFuture<Void> last;
    synchronized (this) {
      last = written;
    }
    var unused =
        last.exceptionally(failure -> null)
            .completeOnTimeout(null, timeout.toMillis(), TimeUnit.MILLISECONDS)
            .join();
  }
}
