package dev.weir.shared.lease;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Permits of one key that this server took from the store in advance and may spend by itself.
 *
 * <p><b>How.</b> Spending is one compare-and-set on one number. When half of the permits are spent,
 * the lease is refilled, by one request at a time. Its size doubles while refills follow each other
 * quickly; if a term ends with permits left, the size becomes twice what was spent in it. All
 * permits expire when the term ends, which for a fixed window is no later than the window's end.
 *
 * <p>Safe for use by any number of threads.
 */
public final class Lease {
  /** How long permits are held that no request needs. */
  private static final long MAX_TERM_NANOS = Duration.ofSeconds(1).toNanos();

  private static final long MIN_TERM_NANOS = Duration.ofMillis(10).toNanos();

  /** A window ends here so much earlier than in the store. */
  private static final long MARGIN_NANOS = Duration.ofMillis(1).toNanos();

  /** A refund so shortly before the end of a window might be credited to the next one. */
  private static final long TOO_LATE_NANOS = Duration.ofMillis(100).toNanos();

  /** The size grows if permits lasted for less than this. */
  private static final long QUICK_NANOS = Duration.ofMillis(100).toNanos();

  /** The period over which demand is measured. */
  private static final long DEMAND_NANOS = Duration.ofSeconds(1).toNanos();

  /** The initial size, in requests. */
  private static final long FIRST_REQUESTS = 16;

  /** The claim that the lease began with, for its limit, key and mode. */
  final Claim claim;

  /** How often the store had lost its data when the lease began. */
  final int dataLosses;

  /** Whether a refill is in progress. */
  final AtomicBoolean refillInProgress = new AtomicBoolean();

  /** Complete when the permits of the last refill have arrived, or have been returned. */
  volatile CompletionStage<Void> refilling = CompletableFuture.completedStage(null);

  private final AtomicLong available = new AtomicLong();
  private final long termNanos;
  private volatile long size;

  /** A refill is due when no more permits than these are left. */
  private volatile long lowMark;

  private volatile long endNanos;
  private volatile long windowEndNanos = Long.MAX_VALUE;
  private volatile long pausedUntilNanos;
  private volatile boolean paused;
  private volatile long storeRemaining;
  private volatile long resetNanos;
  private long beganNanos;
  private long awaited;
  private long refilledNanos;

  /** Permits received in this term. */
  private long received;

  private long spentInEarlierTerms;
  private long spentAtLastCheck;
  private long checkedNanos;
  private boolean closed;
  private boolean invalidated;

  /** Permits that are taken out of a lease, and the end of their window. */
  public record Unspent(long permits, long windowEndNanos) {
    static final Unspent NONE = new Unspent(0, Long.MAX_VALUE);
  }

  /**
   * An empty lease.
   *
   * @param dataLosses how often the store has lost its data so far
   */
  public Lease(Claim claim, int dataLosses, long nowNanos) {
    this.claim = claim;
    this.dataLosses = dataLosses;
    this.size = FIRST_REQUESTS * Math.max(1, claim.cost());
    long half = claim.limit().windowMicros() * 500;
    this.termNanos = Math.max(MIN_TERM_NANOS, Math.min(MAX_TERM_NANOS, half));
    this.endNanos = nowNanos;
    this.beganNanos = nowNanos;
    this.refilledNanos = nowNanos;
    this.pausedUntilNanos = nowNanos;
    this.checkedNanos = nowNanos;
  }

  /** Whether the lease serves a claim; not if the rules have changed. */
  boolean isFor(Claim other) {
    return claim.limit().countsLike(other.limit()) && claim.mode().equals(other.mode());
  }

  /** Spends permits; returns null if there are not enough. */
  @Nullable
  public Decision spend(long cost, long nowNanos) {
    if (endNanos - nowNanos <= 0) {
      return null;
    }
    long left;
    do {
      left = available.get() - cost;
      if (left < 0) {
        return null;
      }
    } while (!available.compareAndSet(left + cost, left));
    long resetMicros = Math.max(0, (resetNanos - nowNanos) / 1_000);
    return Decision.allowed(storeRemaining + left, resetMicros, Basis.LEASED);
  }

  /**
   * Takes back the permits of a request that was not granted after all, as far as there is room.
   *
   * @return the permits without room; all of them, if they were spent in an earlier term
   */
  public synchronized Unspent unspend(long cost, long spentNanos, long nowNanos) {
    if (spentNanos - beganNanos < 0) {
      return new Unspent(cost, nowNanos);
    }
    long room = closed || isExpired(nowNanos) ? 0 : size - available.get() - awaited;
    long restored = Math.max(0, Math.min(cost, room));
    available.addAndGet(restored);
    return new Unspent(cost - restored, windowEndNanos);
  }

  /** Whether a refill is due. */
  boolean isLow(long nowNanos) {
    return (available.get() <= lowMark || endNanos - nowNanos <= 0)
        && !paused
        && pausedUntilNanos - nowNanos <= 0;
  }

  /** Takes out the permits of a term that has ended. */
  synchronized Unspent drainExpired(long nowNanos) {
    return isExpired(nowNanos) ? drain() : Unspent.NONE;
  }

  /**
   * Returns the number of permits to request, where the lease may hold at most {@code maxHeld}.
   * They count as held from now until {@link #onRefillAnswered}.
   */
  synchronized long beginRefill(long maxHeld, long nowNanos) {
    size = Math.min(size, maxHeld);
    long held = isExpired(nowNanos) ? 0 : available.get();
    awaited = closed ? 0 : Math.max(0, size - held);
    return awaited;
  }

  /** Ends a refill: its permits have arrived, or never will. */
  synchronized void onRefillAnswered() {
    awaited = 0;
  }

  /**
   * Adds the permits of a refill.
   *
   * @param minRemaining with less than this left in the store, the rest is for single requests
   * @return permits that have expired; or all new ones, if the lease was closed meanwhile, or the
   *     answer is so late that this server was paused and the others no longer count with it
   */
  public synchronized Unspent refill(
      long permits,
      long maxHeld,
      long minRemaining,
      Decision decision,
      long sentNanos,
      long nowNanos) {
    long windowEnd = windowEndNanos(decision, sentNanos);
    if (closed || nowNanos - sentNanos > MAX_TERM_NANOS) {
      return new Unspent(permits, windowEnd);
    }
    Unspent expired = drainExpired(nowNanos);
    if (isExpired(nowNanos)) {
      beganNanos = nowNanos;
    }
    windowEndNanos = windowEnd;
    long end = nowNanos + termNanos;
    boolean windowed = windowEnd != Long.MAX_VALUE;
    endNanos = windowed && windowEnd - end < 0 ? windowEnd : end;
    resetNanos = nowNanos + decision.resetAfter().toNanos();
    storeRemaining = decision.remaining();
    paused = decision.remaining() < minRemaining;
    received += permits;
    // Half of what is here, not of the size: the size grows, and would cause refills whether or not
    // anything is spent.
    lowMark = available.addAndGet(permits) / 2;
    if (nowNanos - refilledNanos < QUICK_NANOS) {
      size = Math.min(maxHeld, size * 2);
    }
    refilledNanos = nowNanos;
    return expired;
  }

  /** Pauses refills for a time, because the store does not answer. */
  void pause(long nowNanos, long nanos) {
    pausedUntilNanos = nowNanos + nanos;
  }

  /** Pauses refills until {@link #resume}, because too little is left in the store. */
  void pause() {
    paused = true;
  }

  /** Allows refills again. */
  void resume() {
    paused = false;
  }

  boolean isExpired(long nowNanos) {
    return endNanos - nowNanos <= 0;
  }

  /** Ends a term: takes out the permits that were not spent, and adapts the size. */
  private Unspent drain() {
    long left = available.getAndSet(0);
    if (received > 0) {
      long spent = Math.max(0, received - left);
      size = Math.max(2, Math.min(size, spent * 2));
      spentInEarlierTerms += spent;
      received = 0;
    }
    return new Unspent(left, windowEndNanos);
  }

  /** Closes the lease: it holds nothing any more, and accepts no refill. */
  public synchronized Unspent giveUp() {
    closed = true;
    return drain();
  }

  /** Closes the lease because its key was reset: the store no longer counts these permits. */
  synchronized Unspent invalidate() {
    invalidated = true;
    return giveUp();
  }

  synchronized boolean isInvalidated() {
    return invalidated;
  }

  /** Whether demand was below {@code min} permits in the last second; false if asked sooner. */
  synchronized boolean isCool(long min, long nowNanos) {
    if (nowNanos - checkedNanos < DEMAND_NANOS) {
      return false;
    }
    long spent = spentInEarlierTerms + received - available.get();
    boolean cool = spent - spentAtLastCheck < min;
    spentAtLastCheck = spent;
    checkedNanos = nowNanos;
    return cool;
  }

  /** The end of the fixed window of permits requested at that time; else {@code MAX_VALUE}. */
  private long windowEndNanos(Decision decision, long sentNanos) {
    return claim.limit().algorithm() == Algorithm.FIXED_WINDOW
        ? sentNanos + decision.resetAfter().toNanos() - MARGIN_NANOS
        : Long.MAX_VALUE;
  }

  /** Whether permits can still be returned; those of a window that has ended cannot. */
  static boolean isReturnable(long windowEndNanos, long nowNanos) {
    return windowEndNanos == Long.MAX_VALUE || windowEndNanos - nowNanos > TOO_LATE_NANOS;
  }
}
