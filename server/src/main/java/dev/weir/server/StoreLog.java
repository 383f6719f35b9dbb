package dev.weir.server;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * What operators read about a store elsewhere. Lines come in the order in which they are said, but
 * not on the path of requests: a log may be slow.
 */
final class StoreLog {
  private static final Logger LOG = System.getLogger(StoreLog.class.getName());

  private CompletableFuture<Void> said = CompletableFuture.completedFuture(null);

  void lost(String line) {
    say(Level.WARNING, line);
  }

  /**
   * @param empty whether it has lost its counters, which somebody may want to look after
   */
  void found(String line, boolean empty) {
    say(empty ? Level.WARNING : Level.INFO, line);
  }

  void unlisted(String why) {
    say(Level.WARNING, unlistedLine(why));
  }

  static String unlistedLine(String why) {
    return "The store does not keep the list of servers: "
        + why
        + "; until it does nothing is leased, and while the store is gone each server goes by the number it heard last";
  }

  void listed() {
    say(Level.INFO, "The store keeps the list of servers again");
  }

  /**
   * Says what the store was not told of all that was granted without it.
   *
   * @param callers who owe something
   * @param permits charged without an answer
   * @param underWay callers who are being charged
   */
  void unpaid(int callers, long permits, int underWay) {
    if (callers + permits + underWay > 0) {
      String line =
          "Stopped before the store heard all that was granted without it; callers of whom it will"
              + " not hear: %d, permits of which it may not have heard: %d, callers of whom it was"
              + " being told: %d";
      say(Level.WARNING, line.formatted(callers, permits, underWay));
    }
  }

  private synchronized void say(Level level, String line) {
    // Also if the line before could not be written.
    said = said.exceptionally(failure -> null).thenRunAsync(() -> write(level, line));
  }

  private static void write(Level level, String line) {
    LOG.log(level, line);
  }

  /** Waits until all that was said is written, but no longer than this. */
  void await(Duration longest) {
    CompletableFuture<Void> last;
    synchronized (this) {
      last = said;
    }
    var unused =
        last.exceptionally(failure -> null)
            .completeOnTimeout(null, longest.toMillis(), TimeUnit.MILLISECONDS)
            .join();
  }
}
