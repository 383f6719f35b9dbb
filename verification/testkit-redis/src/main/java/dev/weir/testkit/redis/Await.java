package dev.weir.testkit.redis;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Waits for a condition on another process, whose clock a test cannot move. */
public final class Await {
  private static final long POLL_MILLIS = 10;

  private Await() {}

  /**
   * Returns as soon as the condition holds. The condition counts as false while Redis does not
   * answer, or answers with an error.
   *
   * @throws IllegalStateException if it does not hold within the limit
   */
  public static void until(String expected, Duration limit, BooleanSupplier condition) {
    long start = System.nanoTime();
    RuntimeException last;
    do {
      last = null;
      try {
        if (condition.getAsBoolean()) {
          return;
        }
      } catch (UncheckedIOException | RedisErrorException e) {
        last = e;
      }
      sleep();
    } while (System.nanoTime() - start < limit.toNanos());
    throw new IllegalStateException(
        "not within " + limit.toMillis() + " ms: " + expected + cause(last), last);
  }

  private static String cause(@Nullable RuntimeException last) {
    return last == null ? "" : "; last seen: " + last.getMessage();
  }

  private static void sleep() {
    try {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting", e);
    }
  }
}
