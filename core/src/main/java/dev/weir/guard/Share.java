package dev.weir.guard;

import dev.weir.Algorithm;
import dev.weir.Limit;
import dev.weir.Mode;
import dev.weir.guard.Fleet.Place;
import java.math.BigInteger;
import java.time.Duration;

/**
 * A part of a limit.
 *
 * <p>Rates are divided exactly: a bucket of one server in four takes four times as long to refill.
 * What is counted in whole permits is dealt out, and servers in front get what does not divide. But
 * nobody gets nothing: where there are more servers than permits, each has one.
 */
public final class Share {
  private Share() {}

  /** The part of one server of many. */
  static Limit of(Limit limit, Place place) {
    return place.size() == 1 ? limit : part(limit, 1, place.size(), place.rank());
  }

  /** So many ten-thousandths. */
  public static Limit of(Limit limit, int share) {
    return share == Mode.WHOLE ? limit : part(limit, share, Mode.WHOLE, Mode.WHOLE);
  }

  private static Limit part(Limit limit, int of, int in, int rank) {
    long whole = dealt(limit.permits(), of, in, rank);
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
    long capacity = dealt(limit.capacity(), of, in, rank);
    try {
      long permits = Math.multiplyExact(limit.permits(), of);
      long common = BigInteger.valueOf(permits).gcd(BigInteger.valueOf(in)).longValueExact();
      Duration window = limit.window().multipliedBy(in / common);
      return bucket(leaky, permits / common, window, capacity);
    } catch (IllegalArgumentException | ArithmeticException e) {
      // Too long a window, or too fine a rate to count: then by whole permits.
      return whole(leaky, dealt(limit.permits(), of, in, rank), limit.window(), capacity);
    }
  }

  /** With as much of the burst as can be counted: at fewer permits it takes longer to refill. */
  private static Limit whole(boolean leaky, long permits, Duration window, long capacity) {
    for (long most = capacity; most > 1; most /= 2) {
      try {
        return bucket(leaky, permits, window, most);
      } catch (IllegalArgumentException e) {
        // Less of it, then.
      }
    }
    return bucket(leaky, permits, window, 1);
  }

  private static Limit bucket(boolean leaky, long permits, Duration window, long capacity) {
    return leaky
        ? Limit.leakyBucket(permits, window, capacity - 1)
        : Limit.tokenBucket(permits, window, capacity);
  }

  /** What one gets of so many. */
  private static long dealt(long permits, int of, int in, int rank) {
    long parts = permits / in * of + permits % in * of / in;
    boolean inFront = of == 1 && rank < permits % in;
    return Math.max(1, parts + (inFront ? 1 : 0));
  }
}
