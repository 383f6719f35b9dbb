package dev.weir.server.telemetry;

import org.jspecify.annotations.Nullable;

/**
 * Decides which requests get a span. Immutable.
 *
 * @param followsParent whether a request that belongs to a trace is recorded if, and only if, its
 *     caller records it
 * @param ratio the share of other traces that is recorded, by their identifiers, so that all
 *     services with the same ratio record the same traces
 */
public record SpanSampler(boolean followsParent, double ratio) {
  /** Records nothing. */
  public static final SpanSampler NEVER = new SpanSampler(false, 0);

  /**
   * Checks the ratio.
   *
   * @throws IllegalArgumentException if it is not between 0 and 1
   */
  public SpanSampler {
    if (!(ratio >= 0 && ratio <= 1)) {
      throw new IllegalArgumentException("ratio: " + ratio + " (expected: between 0 and 1)");
    }
  }

  /**
   * Whether to record a request.
   *
   * @param parent null if the request has none, or one that is not to be believed
   * @param traceLow the second half of the identifier of its trace
   */
  boolean samples(@Nullable TraceParent parent, long traceLow) {
    if (followsParent && parent != null) {
      return parent.isSampled();
    }
    return ratio >= 1 || (traceLow & Long.MAX_VALUE) < (long) (ratio * Long.MAX_VALUE);
  }
}
