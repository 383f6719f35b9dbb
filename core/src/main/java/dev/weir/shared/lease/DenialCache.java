package dev.weir.shared.lease;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.Decision.Verdict;
import dev.weir.LimitKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * Recent denials of the store, so that the same request is denied again without a call.
 *
 * <p>A denied key has no room before the stated time, unless permits are refunded, a charge turns
 * out lower, or the key is reset. Through this server, such a change invalidates the entry at once;
 * through another server, it shows after {@link #MAX_AGE}.
 *
 * <p>Safe for use by any number of threads.
 */
final class DenialCache {
  /** The maximum time for which a denial is cached. */
  static final Duration MAX_AGE = Duration.ofSeconds(1);

  private static final int MAX_KEYS = 10_000;

  /**
   * Slots for the times of invalidations. Many keys share a slot, so an invalidation also keeps
   * late denials of other keys out of the cache.
   */
  private static final int INVALIDATION_SLOTS = 1_024;

  private static final long SWEEP_NANOS = Duration.ofMillis(100).toNanos();

  private final Map<LimitKey, Denied> entries = new ConcurrentHashMap<>();
  private final AtomicLongArray invalidatedNanos = new AtomicLongArray(INVALIDATION_SLOTS);
  private long sweptNanos;

  DenialCache(long nowNanos) {
    this.sweptNanos = nowNanos - SWEEP_NANOS;
    for (int i = 0; i < INVALIDATION_SLOTS; i++) {
      invalidatedNanos.set(i, nowNanos - 1);
    }
  }

  /** A denied request. */
  private record Denied(List<Claim> claims, Decision decision, long deniedNanos, long untilNanos) {

    /**
     * Whether this entry denies a claim, and with it every request that contains the claim. The
     * cost must be the same: a higher one would have to wait longer, for an unknown time.
     */
    boolean denies(Claim claim) {
      return isSame(claims.get(decision.decisive().orElseThrow()), claim);
    }

    private static boolean isSame(Claim one, Claim other) {
      return one.key().equals(other.key())
          && one.cost() == other.cost()
          && one.limit().countsLike(other.limit());
    }

    Decision decide(List<Claim> request, long nowNanos) {
      List<Decision> each = new ArrayList<>(request.size());
      for (int i = 0; i < request.size(); i++) {
        each.add(decide(request.get(i), i, nowNanos));
      }
      return Decision.of(List.copyOf(each));
    }

    /** A claim that was not in the denied request is answered as if nothing of it were spent. */
    private Decision decide(Claim claim, int index, long nowNanos) {
      long ageMicros = (nowNanos - deniedNanos) / 1_000;
      int decisive = decision.decisive().orElseThrow();
      int cached =
          isSame(claims.get(decisive), claim)
              ? decisive
              : index < claims.size() && isSame(claims.get(index), claim) ? index : -1;
      return cached < 0
          ? Decision.allowed(claim.limit().capacity(), 0, Basis.CACHED)
          : decision.each().get(cached).agedBy(ageMicros).withBasis(Basis.CACHED);
    }
  }

  /** The denial that applies to these claims; null if there is none. */
  @Nullable Decision find(List<Claim> claims, long nowNanos) {
    if (entries.isEmpty()) {
      return null;
    }
    for (Claim claim : claims) {
      Denied denied = entries.get(claim.key());
      if (denied != null && denied.untilNanos - nowNanos > 0 && denied.denies(claim)) {
        return denied.decide(claims, nowNanos);
      }
    }
    return null;
  }

  /**
   * Receives a decision of the store: caches a denial, and drops what a grant disproves.
   *
   * @param sentNanos when the request was sent: the stated waiting time begins no earlier
   */
  void onDecision(List<Claim> claims, Decision decision, long sentNanos, long nowNanos) {
    if (decision.allowed() && !entries.isEmpty()) {
      claims.forEach(claim -> entries.remove(claim.key()));
    }
    if (decision.verdict() != Verdict.DENIED) {
      return;
    }
    int index = decision.decisive().orElseThrow();
    Claim decisive = claims.get(index);
    LimitKey key = decisive.key();
    if (decisive.limit().algorithm() == Algorithm.CONCURRENCY) {
      return; // a permit is free when its holder releases it, which is not known in advance
    }
    if (claims.subList(0, index).stream().anyMatch(claim -> claim.key().equals(key))) {
      return; // it came on top of earlier claims on the key; by itself there may be room for it
    }
    long waitNanos = decision.retryAfter().orElse(Duration.ZERO).toNanos();
    long untilNanos = Math.min(sentNanos + waitNanos, nowNanos + MAX_AGE.toNanos());
    if (entries.size() >= MAX_KEYS && !entries.containsKey(key) && !sweep(nowNanos)) {
      return;
    }
    entries.put(key, new Denied(List.copyOf(claims), decision, nowNanos, untilNanos));
    if (sentNanos - invalidatedNanos.get(slot(key)) <= 0) {
      entries.remove(key); // the request was sent before the invalidation
    }
  }

  /** Removes expired entries, seldom because it visits all; returns whether there is room. */
  private synchronized boolean sweep(long nowNanos) {
    if (nowNanos - sweptNanos > SWEEP_NANOS) {
      sweptNanos = nowNanos;
      entries.values().removeIf(one -> one.untilNanos - nowNanos <= 0);
    }
    return entries.size() < MAX_KEYS;
  }

  /** Removes the denials of these keys; denials of requests sent before now are not cached. */
  void invalidate(List<Claim> claims, long nowNanos) {
    for (Claim claim : claims) {
      invalidatedNanos.set(slot(claim.key()), nowNanos);
      entries.remove(claim.key());
    }
  }

  private static int slot(LimitKey key) {
    return (int) (key.low() & (INVALIDATION_SLOTS - 1));
  }

  int size() {
    return entries.size();
  }
}
