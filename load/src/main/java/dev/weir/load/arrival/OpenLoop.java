package dev.weir.load.arrival;

import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * Requests that arrive by a schedule, whether or not earlier ones are answered, as those of many
 * independent clients do.
 *
 * <p>The schedule does not wait for anything: a request that is sent late keeps the time at which
 * it was due. A slow answer therefore cannot hide the delay of those behind it (no coordinated
 * omission). Used by one thread.
 */
public final class OpenLoop implements Pace {
  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  private final Gaps gaps;
  private final long endNanos;
  private double dueNanos;

  /** The time from one request to the next. */
  private interface Gaps {
    double nextNanos();
  }

  private OpenLoop(Gaps gaps, long endNanos) {
    this.gaps = gaps;
    this.endNanos = endNanos;
    this.dueNanos = gaps.nextNanos();
  }

  /**
   * A Poisson process: independent clients, {@code perSecond} of them on average.
   *
   * @throws IllegalArgumentException if the rate is below 1
   */
  public static OpenLoop poisson(long perSecond, long endNanos, RandomGenerator random) {
    double mean = gap(perSecond);
    // nextDouble is below 1, so that the logarithm is of a positive number.
    return new OpenLoop(() -> -Math.log(1 - random.nextDouble()) * mean, endNanos);
  }

  /**
   * One request every {@code 1 / perSecond} seconds.
   *
   * @throws IllegalArgumentException if the rate is below 1
   */
  public static OpenLoop constant(long perSecond, long endNanos) {
    double gap = gap(perSecond);
    return new OpenLoop(() -> gap, endNanos);
  }

  private static double gap(long perSecond) {
    if (perSecond < 1) {
      throw new IllegalArgumentException("rate: " + perSecond + " (expected: at least 1)");
    }
    return NANOS_PER_SECOND / perSecond;
  }

  @Override
  public long nextDueNanos() {
    return dueNanos < endNanos ? (long) dueNanos : NEVER;
  }

  @Override
  public long take() {
    long due = nextDueNanos();
    dueNanos += gaps.nextNanos();
    return due;
  }

  @Override
  public void onComplete(long nowNanos) {
    // Arrivals do not depend on answers.
  }
}
