package dev.weir.cli.log;

import java.util.concurrent.CountDownLatch;
import java.util.logging.LogManager;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A log manager that keeps logs open until the service has stopped. The standard manager closes
 * them as soon as the JVM begins to shut down, and would lose what the service logs while it stops.
 *
 * <p>Thread-safe.
 */
public final class DelayedResetLogManager extends LogManager {
  /** The system property that names the log manager; it must be set before the first log. */
  public static final String PROPERTY = "java.util.logging.manager";

  private static volatile @Nullable CountDownLatch stopped;

  /** Called by java.util.logging, by reflection. */
  public DelayedResetLogManager() {}

  /** Delays the reset until {@code latch} is zero, which means that the service has stopped. */
  public static void delayResetUntil(CountDownLatch latch) {
    stopped = latch;
    // Opens the handlers now, because none can be opened after the shutdown began.
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
