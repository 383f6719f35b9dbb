package dev.weir.client.header;

import java.util.OptionalLong;

/**
 * What a server advertises about one of its limits. Immutable.
 *
 * @param remaining the requests that the limit has room for
 * @param resetNanos the time until it has more room
 * @param permits the requests that the limit allows in a window, at least one
 * @param windowNanos the length of that window, more than zero
 */
public record Quota(
    long remaining, long resetNanos, OptionalLong permits, OptionalLong windowNanos) {

  /** The time between two requests if those that remain are spread until the limit has more. */
  public long spacingNanos() {
    return remaining == Long.MAX_VALUE ? 0 : resetNanos / (remaining + 1);
  }
}
