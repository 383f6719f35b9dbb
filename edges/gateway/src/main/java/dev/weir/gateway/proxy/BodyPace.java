package dev.weir.gateway.proxy;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The pace at which the body of a request must arrive, so that nobody holds a permit and a
 * connection to the upstream by a body that trickles in. Confined to one event loop.
 *
 * <p>Each period needs its bytes: what came before does not count, or a client could send much at
 * first and nothing for days. Time in which the upstream takes no bytes is not the client's.
 */
final class BodyPace {
  /** As slow as no usable connection is. */
  static final int MIN_BYTES_PER_SECOND = 240;

  private final long periodNanos;
  private final long minBytes;
  private long sinceNanos;
  private long bytesBefore;

  /**
   * A pace for a body of which nothing has come.
   *
   * @param period after which the bytes are counted
   */
  BodyPace(Duration period, long nowNanos) {
    this.periodNanos = period.toNanos();
    this.minBytes = Math.max(1, periodNanos * MIN_BYTES_PER_SECOND / TimeUnit.SECONDS.toNanos(1));
    this.sinceNanos = nowNanos;
  }

  /**
   * Whether too few bytes came in a period that has passed. Call it several times in a period.
   *
   * @param bytes that came so far
   * @param blocked whether the upstream takes no bytes now
   */
  boolean isTooSlow(long nowNanos, long bytes, boolean blocked) {
    boolean over = nowNanos - sinceNanos >= periodNanos;
    if (!over && !blocked) {
      return false;
    }
    boolean slow = !blocked && bytes - bytesBefore < minBytes;
    sinceNanos = nowNanos;
    bytesBefore = bytes;
    return slow;
  }
}
