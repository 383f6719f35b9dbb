package dev.weir.testkit.model;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Limit;
import java.math.BigInteger;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.SplittableRandom;

/** Random limits of every size, including those that rounding gets wrong. Not thread-safe. */
public final class RandomLimits {
  private static final long SECOND = 1_000_000;
  private static final long[] WINDOWS_MICROS = {
    1, 1_000, SECOND, SECOND, 60 * SECOND, 3_600 * SECOND, 86_400 * SECOND
  };

  private final SplittableRandom random;

  /** Limits drawn from {@code random}. */
  public RandomLimits(SplittableRandom random) {
    this.random = random;
  }

  /** A limit of the algorithm; about half of them have rates that do not divide their window. */
  public Limit next(Algorithm algorithm) {
    return switch (algorithm) {
      case TOKEN_BUCKET, LEAKY_BUCKET -> bucket(algorithm);
      case FIXED_WINDOW -> Limit.fixedWindow(permits(Limit.MAX_CAPACITY_UNITS), window());
      case SLIDING_LOG -> Limit.slidingLog(permits(Limit.MAX_LOG_PERMITS), window());
      case SLIDING_COUNTER -> counter();
      case CONCURRENCY -> Limit.concurrent(1 + random.nextLong(20), window());
    };
  }

  /** A random cost: mostly one permit, often about the capacity of the limit, or far too many. */
  public long cost(Limit limit) {
    int kind = random.nextInt(1_000);
    long capacity = limit.capacity();
    if (kind < 600) {
      return 1;
    } else if (kind < 700) {
      return 0;
    } else if (kind < 900) {
      return Math.min(Claim.MAX_COST, 1 + random.nextLong(capacity / 3 + 3));
    } else if (kind < 990) {
      return Math.min(Claim.MAX_COST, capacity - 1 + random.nextInt(3));
    }
    return random.nextBoolean() ? Claim.MAX_COST : random.nextLong(Claim.MAX_COST);
  }

  private Limit bucket(Algorithm algorithm) {
    for (; ; ) {
      int known = random.nextInt(8);
      long permits = known == 0 ? 3 : known == 1 ? 7 : known == 2 ? 700_000 : permits(1L << 40);
      Duration window = known == 1 ? Duration.ofMinutes(1) : Duration.ofSeconds(1);
      Duration chosen = known > 2 ? window() : window;
      long capacity = random.nextInt(3) == 0 ? permits(1L << 50) : 1 + random.nextLong(50);
      try {
        Limit limit =
            algorithm == Algorithm.TOKEN_BUCKET
                ? Limit.tokenBucket(permits, chosen, capacity)
                : Limit.leakyBucket(permits, chosen, capacity - 1);
        if (drainsInTime(limit)) {
          return limit;
        }
      } catch (IllegalArgumentException tooLarge) {
        // Draw another one.
      }
    }
  }

  /** Whether the maximum debt drains within a time that microseconds can express. */
  private static boolean drainsInTime(Limit limit) {
    BigInteger drainMicros =
        BigInteger.valueOf(Limit.MAX_LEVEL_UNITS)
            .multiply(BigInteger.valueOf(limit.windowMicros()))
            .divide(BigInteger.valueOf(limit.unitsPerPermit()))
            .divide(BigInteger.valueOf(limit.permits()));
    return drainMicros.bitLength() < 62;
  }

  private Limit counter() {
    for (; ; ) {
      try {
        return Limit.slidingCounter(permits(Limit.MAX_COUNTER_PERMITS), window());
      } catch (IllegalArgumentException tooLarge) {
        // Draw another one.
      }
    }
  }

  /** Mostly few permits, so that limits are reached; sometimes up to the maximum. */
  private long permits(long max) {
    int size = random.nextInt(10);
    long high = size < 6 ? 20 : size < 9 ? 1_000 : max;
    return 1 + random.nextLong(Math.min(high, max));
  }

  private Duration window() {
    long micros =
        switch (random.nextInt(8)) {
          case 0 -> 1 + random.nextLong(1_000);
          case 1 -> 1 + random.nextLong(100 * SECOND);
          case 2 -> SECOND * (1 + random.nextLong(Limit.MAX_WINDOW.toSeconds()));
          default -> WINDOWS_MICROS[random.nextInt(WINDOWS_MICROS.length)];
        };
    return Duration.of(micros, ChronoUnit.MICROS);
  }
}
