package dev.weir.rules.gateway;

/**
 * What bounds the requests in flight to an upstream. Immutable.
 *
 * @param algorithm that finds the bound
 * @param fixed the bound if it is {@link Algorithm#FIXED}; else 0
 */
public record ConcurrencyLimit(Algorithm algorithm, int fixed) {
  /** No bound. */
  public static final ConcurrencyLimit NONE = new ConcurrencyLimit(Algorithm.NONE, 0);

  /** The algorithms that find a bound. */
  public enum Algorithm {
    /** No bound. */
    NONE,
    /** A number that the operator chose. */
    FIXED,
    /** By the ratio of the long-term latency to the latest. */
    GRADIENT,
    /** By an estimate of the upstream's queue. */
    VEGAS,
    /** One more after a success, a tenth less after a failure. */
    AIMD
  }

  /** A fixed bound. */
  public static ConcurrencyLimit fixed(int requests) {
    return new ConcurrencyLimit(Algorithm.FIXED, requests);
  }

  /** A bound that an algorithm finds. */
  public static ConcurrencyLimit adaptive(Algorithm algorithm) {
    return new ConcurrencyLimit(algorithm, 0);
  }
}
