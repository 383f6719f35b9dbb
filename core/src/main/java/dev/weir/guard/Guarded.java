package dev.weir.guard;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.operation.Operation;
import dev.weir.operation.UniformStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A store that is never waited for beyond a deadline, and not asked while it does not answer.
 *
 * <p>Either way there is a {@link StoreFailure} in time; what then becomes of a request is its
 * rule's to say. Nothing is ever asked twice.
 */
public final class Guarded extends UniformStore {
  /** A counter that nobody has. */
  private static final List<Claim> NOBODY =
      List.of(Claim.of(Limit.fixedWindow(1, Duration.ofSeconds(1)), new LimitKey(0, 0)));

  /** What is to be done before a store that is back is asked again has so long. */
  private static final long MOST_RECOVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Store store;
  private final GuardSettings settings;
  private final Timers timers;
  private final Watcher watcher;
  private final Breaker breaker;
  private final Deadlines deadlines;

  /** Hears how the store does. */
  public interface Watcher {
    /** An answer to a request came, or none did. Called on the path of a request: be quick. */
    void told(@Nullable Throwable failure);

    /** The store is not asked from now on. */
    void opened(Throwable failure);

    /**
     * A probe was answered. Once the stage is complete, or soon after, the store is asked again.
     */
    CompletionStage<?> answering();

    /** The store is asked again. */
    void closed();
  }

  public Guarded(Store store, GuardSettings settings, Timers timers, Watcher watcher) {
    this.store = store;
    this.settings = settings;
    this.timers = timers;
    this.watcher = watcher;
    this.breaker = new Breaker(settings);
    this.deadlines = new Deadlines(timers);
  }

  /** Whether it is asked at all. */
  public boolean isAsked() {
    return breaker.state() == Breaker.State.CLOSED;
  }

  /** In a word: closed, open or half-open, as breakers are called. */
  public String state() {
    return switch (breaker.state()) {
      case CLOSED -> "closed";
      case OPEN -> "open";
      case HALF_OPEN -> "half-open";
    };
  }

  /**
   * Asks for a sign of life, also where nothing else is asked: whether it counts, since a store may
   * be there to be looked at and refuse everything else. So a store that is back is used again at
   * once, and one that is gone is known even where there is no traffic. Call it every second or so.
   */
  public CompletionStage<Decision> probe() {
    long passed = breaker.passToSee(timers.nanos());
    Answer answer =
        passed == Breaker.NO
            ? Answer.failed(notAsked())
            : asked(passed, false, Operation.CHARGE, NOBODY);
    return answer.stage();
  }

  @Override
  protected Answer ask(Operation operation, List<Claim> claims) {
    long passed = breaker.pass(timers.nanos());
    return passed == Breaker.NO
        ? Answer.failed(notAsked())
        : asked(passed, true, operation, claims);
  }

  private static StoreFailure notAsked() {
    return new StoreFailure(Effect.NONE, "the store is not asked until it answers again", null);
  }

  /**
   * @param counts whether it is a request, of which the watcher is told
   */
  private Answer asked(long passed, boolean counts, Operation operation, List<Claim> claims) {
    Answer answer;
    try {
      answer = operation.on(store, claims);
    } catch (StoreFailure e) {
      failed(passed, counts, e);
      return Answer.failed(e);
    } catch (RuntimeException | Error e) {
      // Not the store's fault, but a probe must not be left without an end.
      answered(passed, counts);
      throw e;
    }
    if (answer instanceof Decision) {
      answered(passed, counts);
      return answer;
    }
    Awaited awaited = new Awaited(passed, counts);
    deadlines.watch(awaited);
    var unused = answer.stage().whenComplete(awaited::end);
    return Answer.later(awaited);
  }

  private void answered(long passed, boolean counts) {
    if (counts) {
      watcher.told(null);
    }
    if (!breaker.isProbe(passed)) {
      breaker.answered(passed, timers.nanos());
      return;
    }
    timers.after(MOST_RECOVERY_NANOS, () -> close(passed));
    var unused = watcher.answering().whenComplete((done, failure) -> close(passed));
  }

  private void close(long passed) {
    if (breaker.isProbe(passed)) {
      breaker.answered(passed, timers.nanos());
      watcher.closed();
    }
  }

  private void failed(long passed, boolean counts, Throwable failure) {
    if (counts) {
      watcher.told(failure);
    }
    boolean was = isAsked();
    breaker.failed(passed, timers.nanos());
    if (was && !isAsked()) {
      watcher.opened(failure);
    }
  }

  /** An answer that is awaited until its deadline. */
  private final class Awaited extends CompletableFuture<Decision> implements Deadlines.Waiting {
    private final long passed;
    private final boolean counts;
    private final long deadlineNanos;
    private boolean ended;

    Awaited(long passed, boolean counts) {
      this.passed = passed;
      this.counts = counts;
      this.deadlineNanos = timers.nanos() + settings.deadline().toNanos();
    }

    void end(@Nullable Decision decision, @Nullable Throwable thrown) {
      if (decision == null) {
        fail(thrown == null ? new NullPointerException("no decision") : StoreFailure.cause(thrown));
      } else if (isFirst()) {
        try {
          answered(passed, counts);
        } finally {
          complete(decision);
        }
      }
    }

    /** Counted before anybody goes on, so that whoever looks then sees it counted. */
    private void fail(Throwable failure) {
      if (isFirst()) {
        try {
          failed(passed, counts, failure);
        } finally {
          completeExceptionally(failure);
        }
      }
    }

    /** The answer and the deadline may come at one moment, on two threads. */
    private synchronized boolean isFirst() {
      boolean first = !ended;
      ended = true;
      return first;
    }

    @Override
    public long deadlineNanos() {
      return deadlineNanos;
    }

    @Override
    public void late() {
      fail(new StoreFailure(Effect.UNKNOWN, "the store did not answer in time", null));
    }
  }
}
