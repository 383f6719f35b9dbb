package dev.weir.cli.log;

import java.util.concurrent.CountDownLatch;
import java.util.logging.LogManager;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Keeps logs open until the service has stopped. The usual manager closes them as soon as the
 * process is told to end, which is when the service begins to: nobody would read what it says then.
 */
public final class LastingLog extends LogManager {
  /** The property that names the manager of logs, before the first one is made. */
  public static final String PROPERTY = "java.util.logging.manager";

  private static volatile @Nullable CountDownLatch stopped;

  /** Made by whoever reads the property. */
  public LastingLog() {}

  /** Says when the service has stopped. */
  public static void until(CountDownLatch latch) {
    stopped = latch;
    // Once the process is told to end, no place for a log is opened any more.
    var unused = Logger.getLogger("").getHandlers();
  }

  @Override
  public void reset() {
    CountDownLatch awaited = stopped;
    try {
      if (awaited != null) {
        awaited.await();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    super.reset();
  }
}
