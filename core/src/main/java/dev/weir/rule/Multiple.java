package dev.weir.rule;

import dev.weir.Limit;
import dev.weir.internal.Rejections;
import java.math.BigInteger;

/**
 * A multiple of what the rule, or the caller's tier, grants otherwise.
 *
 * <p>Permits, burst and queue of each limit are multiplied and rounded down; windows stay. A burst
 * is at least 1. Unlimited and blocked callers stay so.
 *
 * @param millionths the factor: 10,000,000 is ten times, 500,000 half
 */
public record Multiple(long millionths) implements Entitlement {
  /** The factor one, in millionths. */
  public static final long WHOLE = 1_000_000;

  /** Rejects a factor below one millionth. */
  public Multiple {
    if (millionths < 1) {
      throw Rejections.of("millionths", millionths, "at least 1");
    }
  }

  /** This multiple of the usual allowance. */
  public Allowance of(Allowance usual) {
    return usual.limits().isEmpty()
        ? usual
        : new Allowance(false, usual.limits().stream().map(this::of).toList());
  }

  /**
   * This multiple of a limit.
   *
   * @throws IllegalArgumentException if that is less than one permit, or more than can be counted
   */
  public Limit of(Limit limit) {
    long permits = of(limit.permits());
    if (permits < 1) {
      throw Rejections.of("permits", this + " of " + limit.permits(), "at least one permit");
    }
    Limit scaled =
        switch (limit.algorithm()) {
          case TOKEN_BUCKET ->
              Limit.tokenBucket(permits, limit.window(), Math.max(1, of(limit.capacity())));
          case LEAKY_BUCKET -> Limit.leakyBucket(permits, limit.window(), of(limit.capacity() - 1));
          case FIXED_WINDOW ->
              limit.calendar().isPresent()
                  ? Limit.fixedWindow(permits, limit.calendar().get())
                  : Limit.fixedWindow(permits, limit.window());
          case SLIDING_LOG -> Limit.slidingLog(permits, limit.window());
          case SLIDING_COUNTER -> Limit.slidingCounter(permits, limit.window());
          case CONCURRENCY -> Limit.concurrent(permits, limit.window());
        };
    return limit.cost() == scaled.cost() ? scaled : scaled.withCost(limit.cost());
  }

  /**
   * This multiple of a number, rounded down.
   *
   * @throws IllegalArgumentException if that is more than can be counted
   */
  public long of(long number) {
    BigInteger product =
        BigInteger.valueOf(millionths)
            .multiply(BigInteger.valueOf(number))
            .divide(BigInteger.valueOf(WHOLE));
    if (product.compareTo(BigInteger.valueOf(Limit.MAX_CAPACITY_UNITS)) > 0) {
      throw Rejections.of("permits", product, "at most " + Limit.MAX_CAPACITY_UNITS);
    }
    return product.longValueExact();
  }

  /** The factor in decimal notation, such as {@code 10x}. */
  @Override
  public String toString() {
    long rest = millionths % WHOLE;
    String part = rest == 0 ? "" : String.format(".%06d", rest).replaceFirst("0+$", "");
    return millionths / WHOLE + part + "x";
  }
}
