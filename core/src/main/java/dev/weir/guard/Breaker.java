package dev.weir.guard;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Knows whether it makes sense to ask a store.
 *
 * <p><b>How.</b> Closed, everything passes, and failures are counted: so many in a row, or so many
 * in a hundred, open it. Requests that were outstanding together fail together, for one reason: a
 * single batch that is late says no more than a single request that is. So a failure counts only if
 * its request was sent after the failure before it was known; otherwise it is part of that one.
 * Open, nothing passes for a while; then one request may, as a probe, and what becomes of it
 * decides. Each time the state changes a new round begins, and what was let through in an earlier
 * one is no longer listened to: answers that come late say nothing about now.
 *
 * <p>While it is closed and answers come, a request costs two reads and one count.
 */
final class Breaker {
  /** What {@link #pass} says to whoever may not. */
  static final long NO = -1;

  /** Where it stands. */
  enum State {
    CLOSED,
    OPEN,
    HALF_OPEN
  }

  private final GuardSettings settings;
  private final AtomicReferenceArray<@Nullable Second> seconds =
      new AtomicReferenceArray<>(GuardSettings.RATE_SECONDS);
  private volatile State state = State.CLOSED;
  private volatile long round;
  private volatile int inARow;

  /** When the last failure became known that counts by itself. */
  private volatile long failedNanos;

  // Under the lock, as every change of the state is.
  private long openedNanos;
  private boolean onlyToSee;
  private volatile boolean recovering;

  Breaker(GuardSettings settings) {
    this.settings = settings;
  }

  /** What came of the requests of one second. */
  private static final class Second {
    private final long number;
    private final LongAdder answers = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final LongAdder separateFailures = new LongAdder();

    Second(long number) {
      this.number = number;
    }
  }

  State state() {
    return state;
  }

  /** Lets a request through, with a number to come back with, or says {@link #NO}. */
  long pass(long nowNanos) {
    return state == State.CLOSED ? round : probe(nowNanos, false);
  }

  /**
   * The same for somebody who asks only to see whether the store answers. It need not wait, and
   * nobody has to wait longer if it fails.
   */
  long passToSee(long nowNanos) {
    return state == State.CLOSED ? round : probe(nowNanos, true);
  }

  /** The same for a request that is no use as a probe. */
  long passIfClosed() {
    long now = round;
    return state == State.CLOSED ? now : NO;
  }

  private synchronized long probe(long nowNanos, boolean toSee) {
    if (state == State.CLOSED) {
      return round;
    }
    boolean early = nowNanos - openedNanos < settings.recovery().toNanos();
    if (state == State.HALF_OPEN || (!toSee && early)) {
      return NO;
    }
    onlyToSee = toSee;
    enter(State.HALF_OPEN);
    return round;
  }

  /** Whether a request let through is a probe, alone on its way. */
  boolean isProbe(long passed) {
    return passed == round && state == State.HALF_OPEN;
  }

  /** A probe was answered: the store is there, and told what it missed. */
  synchronized void recovers(long passed) {
    recovering = isProbe(passed);
  }

  /** Whether what it missed can be told to the store. */
  boolean isReachable() {
    return state == State.CLOSED || recovering;
  }

  void answered(long passed, long nowNanos) {
    if (passed != round) {
      return;
    }
    if (state == State.CLOSED) {
      second(nowNanos).answers.increment();
      if (inARow != 0) {
        inARow = 0;
      }
    } else {
      close(passed);
    }
  }

  /** Lets everything through again, if that was a probe; says whether it was. */
  synchronized boolean close(long passed) {
    boolean probe = isProbe(passed);
    if (probe) {
      enter(State.CLOSED);
    }
    return probe;
  }

  /**
   * Hears of a failure; says whether the store was asked until now, and is not any more.
   *
   * @param askedNanos when the request was sent that failed
   */
  synchronized boolean failed(long passed, long askedNanos, long nowNanos) {
    if (passed != round || state == State.OPEN) {
      return false;
    }
    boolean asked = state == State.CLOSED;
    second(nowNanos).failures.increment();
    int failures = inARow;
    if (failures == 0 || askedNanos - failedNanos >= 0) {
      second(nowNanos).separateFailures.increment();
      failures++;
      inARow = failures;
      failedNanos = nowNanos;
    }
    if (state == State.HALF_OPEN || failures >= settings.failuresInARow() || tooMany(nowNanos)) {
      boolean waitsOn = state == State.HALF_OPEN && onlyToSee;
      openedNanos = waitsOn ? openedNanos : nowNanos;
      enter(State.OPEN);
      return asked;
    }
    return false;
  }

  private boolean tooMany(long nowNanos) {
    long now = Math.floorDiv(nowNanos, 1_000_000_000L);
    long answers = 0;
    long failures = 0;
    long separate = 0;
    for (int i = 0; i < seconds.length(); i++) {
      Second one = seconds.get(i);
      if (one != null && now - one.number < seconds.length()) {
        answers += one.answers.sum();
        failures += one.failures.sum();
        separate += one.separateFailures.sum();
      }
    }
    long all = answers + failures;
    return all >= settings.leastAnswers()
        && separate >= settings.failuresInARow()
        && failures * 100 >= settings.failurePercent() * all;
  }

  private void enter(State next) {
    state = next;
    recovering = false;
    inARow = 0;
    long before = round;
    round = before + 1;
    for (int i = 0; i < seconds.length(); i++) {
      seconds.set(i, null);
    }
  }

  private Second second(long nowNanos) {
    long now = Math.floorDiv(nowNanos, 1_000_000_000L);
    int slot = Math.floorMod(now, seconds.length());
    Second known = seconds.get(slot);
    while (known == null || known.number < now) {
      seconds.compareAndSet(slot, known, new Second(now));
      known = seconds.get(slot);
    }
    return known;
  }
}
