package dev.weir.cli.size.model;

import dev.weir.Algorithm;
import dev.weir.Limit;
import dev.weir.Mode;

/**
 * A limit whose counters are to be sized.
 *
 * @param name the rule, or the limit as it was written
 * @param callers how many have a counter of their own
 */
public record SizedLimit(String name, Limit limit, Mode mode, long callers) {
  /** A counter is kept for a second after the one in which it is as if never used. */
  private static final double KEPT_SECONDS = 2;

  private static final double MICROS = 1e6;

  /** How long a counter lives after its last request, at most. */
  public double ttlSeconds() {
    double window = limit.windowMicros() / MICROS;
    double used =
        switch (limit.algorithm()) {
          case TOKEN_BUCKET, LEAKY_BUCKET -> window * limit.capacity() / limit.permits();
          case FIXED_WINDOW, SLIDING_LOG, CONCURRENCY -> window;
          case SLIDING_COUNTER -> 2 * window;
        };
    return used + KEPT_SECONDS;
  }

  /**
   * How many counters live at once: the callers that are expected among the requests of one time to
   * live, if each request comes from any caller with the same probability.
   *
   * @param requestsPerSecond 0 if all callers are there at once
   */
  public long live(long requestsPerSecond) {
    if (requestsPerSecond == 0 || callers == 1) {
      return callers;
    }
    double requests = requestsPerSecond * ttlSeconds();
    return Math.max(1, Math.min(callers, Math.round(-callers * Math.expm1(-requests / callers))));
  }

  /** The entries of a list that is filled up to a percentage; 0 if the counter is no list. */
  public long entries(int fillPercent) {
    return RedisKeyBytes.isList(limit.algorithm())
        ? Math.max(1, limit.permits() * fillPercent / 100)
        : RedisKeyBytes.NO_ENTRIES;
  }

  /** Whether {@code takes.lua} decides about it; {@code claims.lua} does about all others. */
  boolean isSimple() {
    Algorithm algorithm = limit.algorithm();
    return algorithm == Algorithm.TOKEN_BUCKET
        || algorithm == Algorithm.LEAKY_BUCKET
        || (algorithm == Algorithm.FIXED_WINDOW && limit.calendar().isEmpty());
  }
}
