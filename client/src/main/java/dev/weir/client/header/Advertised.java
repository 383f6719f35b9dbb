package dev.weir.client.header;

import java.util.List;
import java.util.OptionalLong;

/**
 * What the headers of a response say about limits. Immutable.
 *
 * @param retryAfterNanos how long to wait before the next request; empty if the response does not
 *     say so
 * @param quotas the limits that it describes
 */
public record Advertised(OptionalLong retryAfterNanos, List<Quota> quotas) {
  /** Nothing. */
  public static final Advertised NOTHING = new Advertised(OptionalLong.empty(), List.of());

  /** How long to wait after a denial: {@code Retry-After}, or else until a spent limit has more. */
  public long waitNanos() {
    return retryAfterNanos.orElseGet(
        () ->
            quotas.stream()
                .filter(quota -> quota.remaining() == 0)
                .mapToLong(Quota::resetNanos)
                .max()
                .orElse(0));
  }
}
