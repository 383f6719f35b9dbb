package dev.weir.lease;

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
 * Permits of one counter that this server has paid for and may spend by itself.
 *
 * <p><b>How.</b> Spending is one step on one number. When half of what it held is spent, more is
 * asked for, once at a time. What it may hold doubles while that goes quickly, and is what was
 * spent, twice, when it was not all spent in its term. All of it is void when the term ends: of a
 * window, no later than the window does.
 */
final class Lease {
  /** How long permits are kept that nobody wants. */
  private static final long LONGEST_TERM_NANOS = Duration.ofSeconds(1).toNanos();

  private static final long SHORTEST_TERM_NANOS = Duration.ofMillis(10).toNanos();

  /** So much earlier than the store's does a window end here. */
  private static final long MARGIN_NANOS = Duration.ofMillis(1).toNanos();

  /** What is given back so shortly before a window ends might be given to the next one. */
  private static final long TOO_LATE_NANOS = Duration.ofMillis(100).toNanos();

  /** More is held if what was held did not last so long. */
  private static final long QUICK_NANOS = Duration.ofMillis(100).toNanos();

  /** Over so long is it judged how much is spent. */
  private static final long JUDGED_NANOS = Duration.ofSeconds(1).toNanos();

  /** For so many requests it holds permits at first. */
  private static final long FIRST_REQUESTS = 16;

  /** The claim that it began with, for its limit, key and mode. */
  final Claim claim;

  /** How often the store had forgotten everything when it began. */
  final int memory;

  /** Whether somebody is asking for more. */
  final AtomicBoolean asking = new AtomicBoolean();

  /** Complete when what was last asked for is here, or given back. */
  volatile CompletionStage<Void> refilling = CompletableFuture.completedStage(null);

  private final AtomicLong available = new AtomicLong();
  private final long termNanos;
  private volatile long size;

  /** With so little left, more is asked for. */
  private volatile long low;

  private volatile long endNanos;
  private volatile long windowEndNanos = Long.MAX_VALUE;
  private volatile long restUntilNanos;
  private volatile boolean resting;
  private volatile long storeRemaining;
  private volatile long resetNanos;
  private long beganNanos;
  private long awaited;
  private long refilledNanos;
  private long got;
  private long spentBefore;
  private long spentThen;
  private long judgedNanos;
  private boolean gone;
  private boolean forgotten;

  /** Permits that are taken out of it, and when the window ends that they are of. */
  record Left(long permits, long windowEndNanos) {
    static final Left NOTHING = new Left(0, Long.MAX_VALUE);
  }

  Lease(Claim claim, int memory, long nowNanos) {
    this.claim = claim;
    this.memory = memory;
    this.size = FIRST_REQUESTS * Math.max(1, claim.cost());
    long half = claim.limit().windowMicros() * 500;
    this.termNanos = Math.max(SHORTEST_TERM_NANOS, Math.min(LONGEST_TERM_NANOS, half));
    this.endNanos = nowNanos;
    this.beganNanos = nowNanos;
    this.refilledNanos = nowNanos;
    this.restUntilNanos = nowNanos;
    this.judgedNanos = nowNanos;
  }

  /** Whether it may serve a claim; not if the rules have changed. */
  boolean isFor(Claim other) {
    return claim.limit().countsLike(other.limit()) && claim.mode().equals(other.mode());
  }

  /** Spends, if there is enough. */
  @Nullable Decision spend(long cost, long nowNanos) {
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
   * Takes back what was spent for a request that did not pass, as far as there is room for it by
   * now.
   *
   * @return what there is no room for; of an earlier term, with that
   */
  synchronized Left unspend(long cost, long spentNanos, long nowNanos) {
    if (spentNanos - beganNanos < 0) {
      return new Left(cost, nowNanos);
    }
    long room = gone || isOver(nowNanos) ? 0 : size - available.get() - awaited;
    long kept = Math.max(0, Math.min(cost, room));
    available.addAndGet(kept);
    return new Left(cost - kept, windowEndNanos);
  }

  /** Whether it is time to ask for more. */
  boolean isLow(long nowNanos) {
    return (available.get() <= low || endNanos - nowNanos <= 0)
        && !resting
        && restUntilNanos - nowNanos <= 0;
  }

  /** Takes out what is void because its term is over. */
  synchronized Left takeVoid(long nowNanos) {
    return isOver(nowNanos) ? end() : Left.NOTHING;
  }

  /**
   * How much to ask for, where it may hold no more than {@code most}. It counts as held from now
   * until {@link #answered}.
   */
  synchronized long await(long most, long nowNanos) {
    size = Math.min(size, most);
    long held = isOver(nowNanos) ? 0 : available.get();
    awaited = gone ? 0 : Math.max(0, size - held);
    return awaited;
  }

  /** What was asked for has come, or will not. */
  synchronized void answered() {
    awaited = 0;
  }

  /**
   * Takes in what was asked for.
   *
   * @param least with less than this left to all, the rest is for those who ask one by one
   * @return what is void by now; or all that has come, if it was given up meanwhile, or comes so
   *     late that this server has stood still and others count with it no longer
   */
  synchronized Left refill(
      long permits, long most, long least, Decision decision, long askedNanos, long nowNanos) {
    long windowEnd = windowEndNanos(decision, askedNanos);
    if (gone || nowNanos - askedNanos > LONGEST_TERM_NANOS) {
      return new Left(permits, windowEnd);
    }
    Left left = takeVoid(nowNanos);
    if (isOver(nowNanos)) {
      beganNanos = nowNanos;
    }
    windowEndNanos = windowEnd;
    long end = nowNanos + termNanos;
    boolean windowed = windowEnd != Long.MAX_VALUE;
    endNanos = windowed && windowEnd - end < 0 ? windowEnd : end;
    resetNanos = nowNanos + decision.resetAfter().toNanos();
    storeRemaining = decision.remaining();
    resting = decision.remaining() < least;
    got += permits;
    // Of what is here, not of what it may hold: that grows, and would be asked for whether or not
    // anything is spent.
    low = available.addAndGet(permits) / 2;
    if (nowNanos - refilledNanos < QUICK_NANOS) {
      size = Math.min(most, size * 2);
    }
    refilledNanos = nowNanos;
    return left;
  }

  /** There is not enough left, or nobody answers: nothing is asked for until so long from now. */
  void rest(long nowNanos, long nanos) {
    restUntilNanos = nowNanos + nanos;
  }

  /** There is not enough left to share out, until the store says otherwise. */
  void rest() {
    resting = true;
  }

  /** There is enough again. */
  void wake() {
    resting = false;
  }

  boolean isOver(long nowNanos) {
    return endNanos - nowNanos <= 0;
  }

  /** Ends a term: what it did not spend is taken out. */
  private Left end() {
    long left = available.getAndSet(0);
    if (got > 0) {
      long spent = Math.max(0, got - left);
      size = Math.max(2, Math.min(size, spent * 2));
      spentBefore += spent;
      got = 0;
    }
    return new Left(left, windowEndNanos);
  }

  /** Gives it up: it holds nothing any more, and takes nothing in. */
  synchronized Left giveUp() {
    gone = true;
    return end();
  }

  /** The same because its counter has begun anew: what was paid for is as if never taken. */
  synchronized Left forget() {
    forgotten = true;
    return giveUp();
  }

  synchronized boolean isForgotten() {
    return forgotten;
  }

  /** Whether less than this was spent in the last second. Asked more often, it says no. */
  synchronized boolean isCool(long least, long nowNanos) {
    if (nowNanos - judgedNanos < JUDGED_NANOS) {
      return false;
    }
    long spent = spentBefore + got - available.get();
    boolean cool = spent - spentThen < least;
    spentThen = spent;
    judgedNanos = nowNanos;
    return cool;
  }

  /** When the window ends of permits that were asked for then; of other algorithms, never. */
  private long windowEndNanos(Decision decision, long askedNanos) {
    return claim.limit().algorithm() == Algorithm.FIXED_WINDOW
        ? askedNanos + decision.resetAfter().toNanos() - MARGIN_NANOS
        : Long.MAX_VALUE;
  }

  /** Whether permits of a window can still be given back, or went with it. */
  static boolean isReturnable(long windowEndNanos, long nowNanos) {
    return windowEndNanos == Long.MAX_VALUE || windowEndNanos - nowNanos > TOO_LATE_NANOS;
  }
}
