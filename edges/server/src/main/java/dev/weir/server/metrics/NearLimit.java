package dev.weir.server.metrics;

/**
 * The threshold above which a hit is near its limit: a ratio of the limit, rounded down to whole
 * hits.
 *
 * <p>The ratio is kept in millionths, so that nothing is rounded twice: 0.29 of 100 is 29.
 */
final class NearLimit {
  private static final long MILLION = 1_000_000;

  private final long millionths;

  NearLimit(double ratio) {
    this.millionths = Math.round(ratio * MILLION);
  }

  /** The number of hits that are not near yet. */
  long threshold(long limit) {
    return limit / MILLION * millionths + limit % MILLION * millionths / MILLION;
  }
}
