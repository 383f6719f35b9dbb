package dev.weir.shared;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Rejects calls to a shard that does not answer, and lets single probes find out when it is back.
 *
 * <p><b>How.</b> While the breaker is closed, every call passes and failures are counted; a number
 * of consecutive failures, or a failure rate, opens it. While it is open, calls are rejected for
 * {@link GuardSettings#openDuration}; then one call passes as a probe, the breaker is half-open,
 * and the outcome of the probe closes or reopens it. Each change of state begins a new generation,
 * and results of calls from an earlier generation are ignored: late answers say nothing about now.
 *
 * <p><b>Why failures are grouped.</b> Calls that were outstanding together fail together, for one
 * reason: one late batch says no more than one late call. So a failure counts separately only if
 * its call was sent after the previous failure was known; otherwise it is part of that failure.
 *
 * <p>Safe for use by any number of threads. While the breaker is closed and calls succeed, a call
 * costs two reads and one increment.
 */
final class CircuitBreaker {
  /** The result of {@link #tryPass} for a call that is rejected; never a generation. */
  static final long REJECTED = -1;

  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  /** The states of a circuit breaker. */
  enum State {
    CLOSED("closed"),
    OPEN("open"),
    HALF_OPEN("half-open");

    private final String label;

    State(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }
  }

  private final GuardSettings settings;
  private final AtomicReferenceArray<@Nullable Second> seconds =
      new AtomicReferenceArray<>(GuardSettings.RATE_SECONDS);
  private volatile State state = State.CLOSED;
  private volatile long generation;
  private volatile int consecutiveFailures;

  /** When the last separate failure became known. */
  private volatile long failedNanos;

  // Guarded by the lock, as is every change of the state.
  private long openedNanos;
  private boolean halfOpenForHealthProbe;
  private volatile boolean recovering;

  CircuitBreaker(GuardSettings settings) {
    this.settings = settings;
  }

  /** Opens the breaker of a shard that has never answered. */
  synchronized void open(long nowNanos) {
    openedNanos = nowNanos;
    enter(State.OPEN);
  }

  /** The results of the calls of one second. */
  private static final class Second {
    private final long number;
    private final LongAdder successes = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final LongAdder separateFailures = new LongAdder();

    Second(long number) {
      this.number = number;
    }
  }

  State state() {
    return state;
  }

  /**
   * Lets a call through and returns the generation to report its result with, or returns {@link
   * #REJECTED}.
   */
  long tryPass(long nowNanos) {
    return state == State.CLOSED ? generation : tryProbe(nowNanos, false);
  }

  /**
   * Like {@link #tryPass}, for a health probe: it passes without waiting for the open duration to
   * end, and does not extend that duration if it fails.
   */
  long tryPassHealthProbe(long nowNanos) {
    return state == State.CLOSED ? generation : tryProbe(nowNanos, true);
  }

  /** Like {@link #tryPass}, for a call that cannot serve as a probe. */
  long tryPassIfClosed() {
    long now = generation;
    return state == State.CLOSED ? now : REJECTED;
  }

  private synchronized long tryProbe(long nowNanos, boolean healthProbe) {
    if (state == State.CLOSED) {
      return generation;
    }
    boolean early = nowNanos - openedNanos < settings.openDuration().toNanos();
    if (state == State.HALF_OPEN || (!healthProbe && early)) {
      return REJECTED;
    }
    halfOpenForHealthProbe = healthProbe;
    enter(State.HALF_OPEN);
    return generation;
  }

  /** Whether a call of this generation is the one probe that is on its way. */
  boolean isProbe(long callGeneration) {
    return callGeneration == generation && state == State.HALF_OPEN;
  }

  /**
   * Records that a probe was answered: the shard is reachable, and now receives pending charges.
   */
  synchronized void onProbeAnswered(long callGeneration) {
    recovering = isProbe(callGeneration);
  }

  /** Whether pending charges can be sent to the shard. */
  boolean isReachable() {
    return state == State.CLOSED || recovering;
  }

  void onSuccess(long callGeneration, long nowNanos) {
    if (callGeneration != generation) {
      return;
    }
    if (state == State.CLOSED) {
      second(nowNanos).successes.increment();
      if (consecutiveFailures != 0) {
        consecutiveFailures = 0;
      }
    } else {
      close(callGeneration);
    }
  }

  /** Closes the breaker if the call was the probe; returns whether it was. */
  synchronized boolean close(long callGeneration) {
    boolean probe = isProbe(callGeneration);
    if (probe) {
      enter(State.CLOSED);
    }
    return probe;
  }

  /**
   * Records a failure; returns whether it opened a closed breaker.
   *
   * @param sentNanos when the failed call was sent
   */
  synchronized boolean onFailure(long callGeneration, long sentNanos, long nowNanos) {
    if (callGeneration != generation || state == State.OPEN) {
      return false;
    }
    boolean wasClosed = state == State.CLOSED;
    second(nowNanos).failures.increment();
    int failures = consecutiveFailures;
    if (failures == 0 || sentNanos - failedNanos >= 0) {
      second(nowNanos).separateFailures.increment();
      failures++;
      consecutiveFailures = failures;
      failedNanos = nowNanos;
    }
    if (state == State.HALF_OPEN
        || failures >= settings.consecutiveFailures()
        || isFailureRateExceeded(nowNanos)) {
      boolean keepsOpenedTime = state == State.HALF_OPEN && halfOpenForHealthProbe;
      openedNanos = keepsOpenedTime ? openedNanos : nowNanos;
      enter(State.OPEN);
      return wasClosed;
    }
    return false;
  }

  private boolean isFailureRateExceeded(long nowNanos) {
    long now = Math.floorDiv(nowNanos, NANOS_PER_SECOND);
    long successes = 0;
    long failures = 0;
    long separateFailures = 0;
    for (int i = 0; i < seconds.length(); i++) {
      Second one = seconds.get(i);
      if (one != null && now - one.number < seconds.length()) {
        successes += one.successes.sum();
        failures += one.failures.sum();
        separateFailures += one.separateFailures.sum();
      }
    }
    long calls = successes + failures;
    return calls >= settings.minimumCalls()
        && separateFailures >= settings.consecutiveFailures()
        && failures * 100 >= settings.failurePercent() * calls;
  }

  private void enter(State next) {
    state = next;
    recovering = false;
    consecutiveFailures = 0;
    long before = generation;
    generation = before + 1;
    for (int i = 0; i < seconds.length(); i++) {
      seconds.set(i, null);
    }
  }

  private Second second(long nowNanos) {
    long now = Math.floorDiv(nowNanos, NANOS_PER_SECOND);
    int slot = Math.floorMod(now, seconds.length());
    Second current = seconds.get(slot);
    while (current == null || current.number < now) {
      seconds.compareAndSet(slot, current, new Second(now));
      current = seconds.get(slot);
    }
    return current;
  }
}
