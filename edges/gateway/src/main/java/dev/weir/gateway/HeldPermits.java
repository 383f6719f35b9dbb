package dev.weir.gateway;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Operation;
import dev.weir.limiter.Limiter;
import dev.weir.rule.book.Charge;
import dev.weir.rule.book.Match;
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

  /**
   * Those of rules in shadow, which may or may not have been free. They are released, so that the
   * trial of a rule counts what is in flight; they are not renewed, because that could take them.
   */
  private List<Claim> shadows;

  private long renewedNanos;

  private HeldPermits(
      Limiter limiter, List<Claim> held, List<Claim> shadows, long expiryMicros, long nowNanos) {
    this.limiter = limiter;
    this.held = held;
    this.shadows = shadows;
    this.renewAfterNanos = expiryMicros / RENEWALS * NANOS_PER_MICRO;
    this.renewedNanos = nowNanos;
  }

  /** A number for a new holder of permits; scripts count in doubles. */
  static long newHolder() {
    return ThreadLocalRandom.current().nextLong(1, 1L << 53);
  }

  /** No permits. */
  static HeldPermits none(Limiter limiter) {
    return new HeldPermits(limiter, List.of(), List.of(), 0, 0);
  }

  /** The permits among what was granted to a request. */
  static HeldPermits of(Match granted, Limiter limiter, long nowNanos) {
    List<Claim> held = permits(granted.charges());
    long expiryMicros = Long.MAX_VALUE;
    for (Claim claim : held) {
      expiryMicros = Math.min(expiryMicros, claim.limit().windowMicros());
    }
    return new HeldPermits(limiter, held, permits(granted.shadows()), expiryMicros, nowNanos);
  }

  private static List<Claim> permits(List<Charge> charges) {
    List<Claim> permits = List.of();
    for (Charge charge : charges) {
      if (charge.claim().limit().algorithm() == Algorithm.CONCURRENCY) {
        permits = permits.isEmpty() ? new ArrayList<>(2) : permits;
        permits.add(charge.claim());
      }
    }
    return permits;
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
    releaseShadows();
  }

  /** Releases what somebody who gives back the rest of the grant leaves: permits in shadow. */
  void releaseShadows() {
    held = List.of();
    for (Claim shadow : shadows) {
      var unused = limiter.release(List.of(shadow)); // each rule in shadow was asked by itself
    }
    shadows = List.of();
  }
}
