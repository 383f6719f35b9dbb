package dev.weir.test;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Operation;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.async.Continuations;
import dev.weir.internal.Rejections;
import dev.weir.library.WeirBuilder;
import dev.weir.memory.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * A store that stands in for Redis in tests, and fails when a test says so.
 *
 * <p>It counts in memory, by the clock of the test. What becomes of requests while it fails is
 * decided as in production: by the deadline, the circuit breaker, the local fallback and the
 * failure mode of each limit. After {@link #recover} it is used again as soon as a health probe is
 * answered, so within a second of the clock of the test.
 *
 * <p>Safe for use by any number of threads.
 */
public final class BreakableStore implements Store {
  /** How long a hanging call is pending on the clock of the machine, unless the test says it. */
  private static final Duration PATIENCE = Duration.ofMillis(25);

  /** Whole weeks, so that windows begin at the same times of a test. */
  private static final Duration LONGER_THAN_A_MONTH = Duration.ofDays(35);

  private final WeirTime time;
  private final Set<HangingCall> hanging = ConcurrentHashMap.newKeySet();
  private volatile MemoryStore counters;
  private State state = State.ANSWERING;
  private Duration patience = PATIENCE;

  private enum State {
    ANSWERING,
    FAILING,
    HANGING
  }

  /** A call that is not answered. */
  private static final class HangingCall {
    private final CompletableFuture<Decision> answer = new CompletableFuture<>();
  }

  /** A store that answers, and counts by the clock of a test. */
  public BreakableStore(WeirTime time) {
    this.time = time;
    this.counters = new MemoryStore(MemoryStore.DEFAULT_MAX_KEYS, time);
  }

  /**
   * Lets a Weir that is being built count in this store, by the clock of the test. Continuations of
   * futures run on the thread that moves the clock, so they are over when it has been moved.
   */
  public void applyTo(WeirBuilder builder) {
    builder.ticker(time).scheduler(time).store(this).executor(Continuations.DIRECT);
  }

  /** From now on every call fails at once, as if connections were refused. */
  public void fail() {
    enter(State.FAILING, PATIENCE);
  }

  /**
   * From now on no call is answered or counted. A call fails at its deadline on the clock of the
   * test, 25 ms by default; and after 25 ms of real time, so that code which waits for it goes on
   * although nobody moves the clock.
   */
  public void hang() {
    hang(PATIENCE);
  }

  /**
   * {@link #hang()} with another real time. A long one keeps calls pending until the test moves the
   * clock or ends the outage.
   *
   * @throws IllegalArgumentException if it is not between 1 ms and one hour
   */
  public void hang(Duration realTime) {
    Rejections.between("real time in ms", realTime.toMillis(), 1, TimeUnit.HOURS.toMillis(1));
    enter(State.HANGING, realTime);
  }

  /** From now on every call is answered. Calls that still hang fail, and are not counted. */
  public void recover() {
    enter(State.ANSWERING, PATIENCE);
  }

  private void enter(State next, Duration realTime) {
    synchronized (this) {
      state = next;
      patience = realTime;
    }
    hanging.forEach(this::drop);
  }

  /**
   * Begins anew, for a test that shares the store with earlier ones: the store answers, it has no
   * counters, and the clock is at least five weeks later, at midnight of a Thursday, so that
   * windows, permits and outages of earlier tests are over.
   */
  public void renew() {
    recover();
    time.skipToNext(LONGER_THAN_A_MONTH);
    counters = new MemoryStore(MemoryStore.DEFAULT_MAX_KEYS, time);
  }

  @Override
  public Answer apply(Operation operation, List<Claim> claims) {
    State now;
    Duration wait;
    HangingCall call = new HangingCall();
    synchronized (this) {
      now = state;
      wait = patience;
      if (now == State.HANGING) {
        hanging.add(call);
      }
    }
    return switch (now) {
      case ANSWERING -> counters.apply(operation, claims);
      case FAILING ->
          Answer.failed(new StoreFailure(Effect.NONE, "a test made the store fail", null));
      case HANGING -> {
        CompletableFuture.delayedExecutor(wait.toMillis(), TimeUnit.MILLISECONDS)
            .execute(() -> drop(call));
        yield Answer.later(call.answer);
      }
    };
  }

  private void drop(HangingCall call) {
    if (hanging.remove(call)) {
      call.answer.completeExceptionally(
          new StoreFailure(Effect.UNKNOWN, "a test made the store hang", null));
    }
  }

  /** How {@link dev.weir.library.Weir#store} calls it. */
  @Override
  public String toString() {
    return "breakable store of a test";
  }
}
