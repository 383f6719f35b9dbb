package dev.weir.library;

import dev.weir.library.internal.Arguments;

/**
 * A request to one limiter for one key; make it with {@link RateLimiter#request}. Immutable.
 *
 * @param limiter that decides, with its cost
 * @param key whose counter it is
 */
public record LimitRequest(RateLimiter limiter, String key) {
  /**
   * Checks the parts.
   *
   * @throws IllegalArgumentException if one is null, or if the key is empty or too long
   */
  public LimitRequest {
    Arguments.present("limiter", limiter);
    Arguments.key(key);
  }
}
