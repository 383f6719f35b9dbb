package dev.weir.guard;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.guard.Breakers.Pass;
import dev.weir.guard.Breakers.Through;
import dev.weir.operation.CallerFuture;
import dev.weir.operation.Operation;
import dev.weir.operation.UniformStore;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
  /** What counters that nobody has are counted by. */
  private static final Limit NOBODYS = Limit.fixedWindow(1, Duration.ofSeconds(1));

  /** What is to be done before a store that is back is asked again has so long. */
  private static final long MAX_RECOVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Store store;
  private final GuardSettings settings;
  private final Timers timers;
  private final Watcher watcher;
  private final Breakers breakers;
  private final Deadlines deadlines;

  /** Hears how the store does. */
  public interface Watcher {
    /** An answer to a request came, or none did. Called on the path of a request: be quick. */
    void told(@Nullable Throwable failure);

    /**
     * That place did not answer somebody, a request or a probe, for this reason. Called on the path
     * of a request: be quick.
     */
    default void failed(String place, Throwable failure) {}

    /** That place of the store is not asked from now on. */
    void opened(String place, Throwable failure);

    /**
     * A probe was answered. Once the stage is complete, or soon after, that place is asked again.
     */
    CompletionStage<?> answering();

    /** That place is asked again. */
    void closed(String place);
  }

  /**
   * @param places of the store; each is guarded by itself
   */
  public Guarded(
      Store store, Places places, GuardSettings settings, Timers timers, Watcher watcher) {
    this.store = store;
    this.settings = settings;
    this.timers = timers;
    this.watcher = watcher;
    this.breakers = new Breakers(places, settings);
    this.deadlines = new Deadlines(timers);
  }

  /** Whether it is asked, in all its places. */
  public boolean isAsked() {
    return breakers.state() == Breaker.State.CLOSED;
  }

  /** Whether it is asked in one of its places. */
  boolean isAsked(String place) {
    return breakers.state(place) == Breaker.State.CLOSED;
  }

  /** Whether a counter is where the store is asked, or answers and will be asked in a moment. */
  public boolean isReachable(LimitKey key) {
    return breakers.isReachable(key);
  }

  /** In a word: closed, open or half-open, as breakers are called; of several, the worst. */
  public String state() {
    return switch (breakers.state()) {
      case CLOSED -> "closed";
      case OPEN -> "open";
      case HALF_OPEN -> "half-open";
    };
  }

  /**
   * Asks for a sign of life from each place, also where nothing else is asked: whether it counts,
   * since a store may be there to be looked at and refuse everything else. So a store that is back
   * is used again at once, and one that is gone is known even where there is no traffic. Call it
   * every second or so.
   */
  public Map<String, CompletionStage<Decision>> probe() {
    Map<String, CompletionStage<Decision>> signs = new LinkedHashMap<>();
    breakers.places().forEach((place, nobody) -> signs.put(place, probe(place, nobody)));
    return signs;
  }

  /** The same of one place; one that is no more does not answer. */
  CompletionStage<Decision> probe(String place) {
    LimitKey nobody = breakers.places().get(place);
    return nobody == null
        ? CompletableFuture.failedStage(new StoreFailure(Effect.UNKNOWN, "it is no more", null))
        : probe(place, nobody);
  }

  private CompletionStage<Decision> probe(String place, LimitKey nobody) {
    long now = timers.nanos();
    Pass pass = breakers.passToSee(place, now);
    return pass == null
        ? CompletableFuture.failedStage(notAsked())
        : asked(pass, false, Operation.CHARGE, List.of(new Claim(NOBODYS, nobody, 1, 0)), now)
            .stage();
  }

  @Override
  protected Answer ask(Operation operation, List<Claim> claims) {
    long now = timers.nanos();
    Pass pass = breakers.pass(claims, now);
    return pass == null ? Answer.failed(notAsked()) : asked(pass, true, operation, claims, now);
  }

  private static StoreFailure notAsked() {
    return new StoreFailure(Effect.NONE, "the store is not asked until it answers again", null);
  }

  /**
   * @param counts whether it is a request, of which the watcher is told
   */
  private Answer asked(
      Pass pass, boolean counts, Operation operation, List<Claim> claims, long nowNanos) {
    Answer answer;
    try {
      answer = operation.on(store, claims);
    } catch (StoreFailure e) {
      failed(pass, counts, nowNanos, e);
      return Answer.failed(e);
    } catch (RuntimeException | Error e) {
      // Not the store's fault, but a probe must not be left without an end.
      answered(pass, counts);
      throw e;
    }
    if (answer instanceof Decision) {
      answered(pass, counts);
      return answer;
    }
    Runnable giveBack =
        operation == Operation.TAKE ? () -> Operation.REFUND.on(store, claims) : () -> {};
    Awaited awaited = new Awaited(answer, pass, counts, nowNanos, giveBack);
    deadlines.watch(awaited);
    CallerFuture.onAnswer(answer, awaited::end);
    return awaited;
  }

  /** Whatever the watcher makes of it, the breaker hears of it: a probe must have an end. */
  private void answered(Pass pass, boolean counts) {
    try {
      told(counts, null);
    } finally {
      Through probe = pass.probe();
      if (probe == null) {
        pass.answered(timers.nanos());
      } else {
        recover(probe);
      }
    }
  }

  private void told(boolean counts, @Nullable Throwable failure) {
    if (counts) {
      watcher.told(failure);
    }
  }

  private void recover(Through probe) {
    probe.breaker().recovers(probe.round());
    timers.after(MAX_RECOVERY_NANOS, () -> close(probe));
    var unused = watcher.answering().whenComplete((done, failure) -> close(probe));
  }

  private void close(Through probe) {
    if (probe.breaker().close(probe.round())) {
      watcher.closed(probe.place());
    }
  }

  private void failed(Pass pass, boolean counts, long askedNanos, Throwable failure) {
    try {
      told(counts, failure);
    } finally {
      Through blamed = pass.blamed(failure);
      if (blamed != null) {
        watcher.failed(blamed.place(), failure);
        if (blamed.failed(askedNanos, timers.nanos())) {
          watcher.opened(blamed.place(), failure);
        }
      }
    }
  }

  /** An answer that is awaited until its deadline. */
  private final class Awaited extends CallerFuture implements Deadlines.Waiting {
    private final Answer answer;
    private final Pass pass;
    private final boolean counts;
    private final long askedNanos;
    private final Runnable giveBack;
    private boolean ended;

    /**
     * @param giveBack gives back what was granted to a caller who no longer waits for it
     */
    Awaited(Answer answer, Pass pass, boolean counts, long askedNanos, Runnable giveBack) {
      super(executorOf(answer, timers.continuations()));
      this.answer = answer;
      this.giveBack = giveBack;
      this.pass = pass;
      this.counts = counts;
      this.askedNanos = askedNanos;
    }

    void end(@Nullable Decision decision, @Nullable Throwable thrown) {
      if (decision == null) {
        end(thrown == null ? new NullPointerException("no decision") : StoreFailure.cause(thrown));
      } else if (isFirst()) {
        try {
          answered(pass, counts);
        } finally {
          settle(decision);
        }
      }
    }

    /** Counted before anybody goes on, so that whoever looks then sees it counted. */
    private void end(Throwable failure) {
      if (isFirst()) {
        try {
          failed(pass, counts, askedNanos, failure);
        } finally {
          fail(failure);
        }
      }
    }

    @Override
    protected void unclaimed(Decision granted) {
      giveBack.run();
    }

    /** The answer and the deadline may come at one moment, on two threads. */
    private synchronized boolean isFirst() {
      boolean first = !ended;
      ended = true;
      return first;
    }

    @Override
    public long deadlineNanos() {
      return askedNanos + settings.deadline().toNanos();
    }

    @Override
    public void late() {
      StoreFailure late =
          new StoreFailure(Effect.UNKNOWN, "the store did not answer in time", null);
      end(late);
      if (answer instanceof CallerFuture unused) {
        unused.expire(); // a concurrency permit that is granted now has no holder
      }
    }
  }
}
