package dev.weir.gateway;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Operation;
import dev.weir.limiter.Limiter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The concurrency permits of a request in flight: renewed while it lasts, released once. Confined
 * to one event loop.
 */
final class HeldPermits {
  /** A permit is renewed after this part of its expiry. */
  private static final int RENEWALS = 3;

  private static final long NANOS_PER_MICRO = 1_000;

  private final Limiter limiter;
  private final long renewAfterNanos;
  private List<Claim> held;
  private long renewedNanos;

  private HeldPermits(Limiter limiter, List<Claim> held, long expiryMicros, long nowNanos) {
    this.limiter = limiter;
    this.held = held;
    this.renewAfterNanos = expiryMicros / RENEWALS * NANOS_PER_MICRO;
    this.renewedNanos = nowNanos;
  }

  /** A number for a new holder of permits; scripts count in doubles. */
  static long newHolder() {
    return ThreadLocalRandom.current().nextLong(1, 1L << 53);
  }

  /** The permits among the claims that were granted to a request. */
  static HeldPermits of(List<Claim> granted, Limiter limiter, long nowNanos) {
    List<Claim> permits = List.of();
    long expiryMicros = 0;
    for (Claim claim : granted) {
      if (claim.limit().algorithm() == Algorithm.CONCURRENCY) {
        long micros = claim.limit().windowMicros();
        expiryMicros = permits.isEmpty() ? micros : Math.min(expiryMicros, micros);
        permits = permits.isEmpty() ? new ArrayList<>(2) : permits;
        permits.add(claim);
      }
    }
    return new HeldPermits(limiter, permits, expiryMicros, nowNanos);
  }

  /** Renews the permits if a part of their expiry has passed. */
  void renewIfDue(long nowNanos) {
    if (!held.isEmpty() && nowNanos - renewedNanos > renewAfterNanos) {
      renewedNanos = nowNanos;
      var unused = limiter.store().apply(Operation.TAKE, held);
    }
  }

  /** Releases the permits; a second time, nothing happens. */
  void release() {
    if (!held.isEmpty()) {
      var unused = limiter.release(held);
      held = List.of();
    }
  }

  /** Leaves the permits to somebody else, who has given them back. */
  void forget() {
    held = List.of();
  }
}
