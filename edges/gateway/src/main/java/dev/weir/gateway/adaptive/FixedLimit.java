package dev.weir.gateway.adaptive;

import dev.weir.internal.Rejections;

/**
 * A limit that learns nothing. Immutable.
 *
 * @param limit the requests that may be in flight
 */
public record FixedLimit(int limit) implements AdaptiveLimit {
  /**
   * Checks the limit.
   *
   * @throws IllegalArgumentException if it is less than 1
   */
  public FixedLimit {
    Rejections.between("limit", limit, 1, Integer.MAX_VALUE);
  }

  @Override
  public void onSample(long rttNanos, int inFlight, boolean dropped) {
    // The operator knows better.
  }
}
