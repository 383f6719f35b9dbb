package dev.weir.shared.fleet;

import dev.weir.Algorithm;
import dev.weir.Limit;
import dev.weir.Mode;
import dev.weir.shared.fleet.Fleet.Position;
import java.math.BigInteger;
import java.time.Duration;

/**
 * Scales a limit down to the part of one server.
 *
 * <p>Rates are divided exactly: a bucket of one server in four takes four times as long to refill.
 * Whole permits are distributed, and the remainder goes to the servers of lowest rank. Every server
 * gets at least one permit, even where there are more servers than permits.
 */
public final class LimitScaler {
  private LimitScaler() {}

  /** The part of the server at this position of a fleet. */
  public static Limit of(Limit limit, Position position) {
    return position.size() == 1 ? limit : part(limit, 1, position.size(), position.rank());
  }

  /** The part of {@code share} ten-thousandths. */
  public static Limit of(Limit limit, int share) {
    return share == Mode.WHOLE ? limit : part(limit, share, Mode.WHOLE, Mode.WHOLE);
  }

  private static Limit part(Limit limit, int of, int in, int rank) {
    long whole = distributed(limit.permits(), of, in, rank);
    Limit part =
        switch (limit.algorithm()) {
          case TOKEN_BUCKET, LEAKY_BUCKET -> bucket(limit, of, in, rank);
          case FIXED_WINDOW ->
              limit.calendar().isPresent()
                  ? Limit.fixedWindow(whole, limit.calendar().get())
                  : Limit.fixedWindow(whole, limit.window());
          case SLIDING_LOG -> Limit.slidingLog(whole, limit.window());
          case SLIDING_COUNTER -> Limit.slidingCounter(whole, limit.window());
          case CONCURRENCY -> Limit.concurrent(whole, limit.window());
        };
    return part.withCost(Math.min(limit.cost(), part.capacity())).inGroupOf(limit);
  }

  private static Limit bucket(Limit limit, int of, int in, int rank) {
    boolean leaky = limit.algorithm() == Algorithm.LEAKY_BUCKET;
    long capacity = distributed(limit.capacity(), of, in, rank);
    try {
      long permits = Math.multiplyExact(limit.permits(), of);
      long common = BigInteger.valueOf(permits).gcd(BigInteger.valueOf(in)).longValueExact();
      Duration window = limit.window().multipliedBy(in / common);
      return bucket(leaky, permits / common, window, capacity);
    } catch (IllegalArgumentException | ArithmeticException e) {
      // The window is too long or the rate too fine to count, so divide into whole permits.
      return whole(leaky, distributed(limit.permits(), of, in, rank), limit.window(), capacity);
    }
  }

  /**
   * A bucket with as much of the capacity as can be counted: at fewer permits per window it takes
   * longer to refill, and the refill time is bounded.
   */
  private static Limit whole(boolean leaky, long permits, Duration window, long capacity) {
    for (long tried = capacity; tried > 1; tried /= 2) {
      try {
        return bucket(leaky, permits, window, tried);
      } catch (IllegalArgumentException e) {
        // Cannot be counted; try half.
      }
    }
    return bucket(leaky, permits, window, 1);
  }

  private static Limit bucket(boolean leaky, long permits, Duration window, long capacity) {
    return leaky
        ? Limit.leakyBucket(permits, window, capacity - 1)
        : Limit.tokenBucket(permits, window, capacity);
  }

  /** The part of {@code permits} that a server gets, at least 1. */
  private static long distributed(long permits, int of, int in, int rank) {
    long parts = permits / in * of + permits % in * of / in;
    boolean getsRemainder = of == 1 && rank < permits % in;
    return Math.max(1, parts + (getsRemainder ? 1 : 0));
  }
}
