package dev.weir.server.stats;

/**
 * From where on a hit is near its limit: above a share of it, rounded down to whole hits.
 *
 * <p>The share is kept in millionths, so that nothing is rounded twice: 0.29 of 100 is 29.
 */
final class Near {
  private static final long WHOLE = 1_000_000;

  private final long millionths;

  Near(double share) {
    this.millionths = Math.round(share * WHOLE);
  }

  /** How many hits are not near yet. */
  long of(long limit) {
    return limit / WHOLE * millionths + limit % WHOLE * millionths / WHOLE;
  }
}
