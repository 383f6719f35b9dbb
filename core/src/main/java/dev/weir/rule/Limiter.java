package dev.weir.rule;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.guard.FallbackStore;
import dev.weir.guard.Standby;
import dev.weir.operation.CallerFuture;
import dev.weir.operation.Continuations;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes to a store what the rules make of a request.
 *
 * <p>What rules enforce is taken all or none. What they only watch is counted after that,
 * {@linkplain ShadowRules each rule by itself}, and only for a request that passes: a rule in
 * shadow counts what it would count if it were in force.
 *
 * <p>Where the store does not answer, each rule's {@link Rule.WhenStoreFails} decides: one that
 * denies makes the answer fail, those that count locally are asked of a second store, and the
 * others are left out. A request that a rule would deny for want of an answer waits for one that is
 * late: see {@link StoreFailure#late}.
 */
public final class Limiter {
  private final Store store;
  private final @Nullable Standby standby;
  private final Watcher watcher;

  /** Hears what becomes of requests, rule by rule. Called on the path of a request: be quick. */
  public interface Watcher {
    /**
     * What came of a request for a rule that applies to it: called once for each such rule, however
     * many limits it has. A rule that only watches is told of requests that pass.
     */
    void told(Rule rule, Outcome outcome);
  }

  /** What comes of a request for one rule; of several limits of the rule, the last of these. */
  public enum Outcome {
    /** It passes, and is counted. */
    ALLOWED,
    /** The store did not answer, and the rule lets pass what it cannot count. */
    UNCOUNTED,
    /** It would not pass if the rule were enforced. */
    SHADOW_DENIED,
    /** Another rule denies or blocks it, so that this one counts nothing. */
    DENIED_BY_OTHER,
    /** Not now. */
    DENIED,
    /** The store did not answer, and the rule lets nothing pass that it cannot count. */
    UNANSWERED,
    /** This caller, never. */
    BLOCKED;

    /** Whether the rule itself turns the request away. */
    boolean denies() {
      return this == DENIED || this == UNANSWERED || this == BLOCKED;
    }
  }

  /** On a store that always answers. */
  public Limiter(Store store, Watcher watcher) {
    this.store = store;
    this.standby = null;
    this.watcher = watcher;
  }

  /**
   * @param standby counts in this process, for rules that want that while {@code store} does not
   *     answer
   */
  public Limiter(Store store, Standby standby, Watcher watcher) {
    this.store = store;
    this.standby = standby;
    this.watcher = watcher;
  }

  /** Decides about a request, and charges it if it may pass. */
  public Answer take(Match match) {
    if (match.blockedBy().isPresent()) {
      RuleOutcomes.reportBlocked(match, match.blockedBy().get(), watcher);
      return Decision.blocked();
    }
    Answer answer = store.take(match.claims());
    if (answer instanceof Decision decision) {
      finish(match, decision);
      return answer;
    }
    Taking taking = new Taking(match, CallerFuture.executorOf(answer, Continuations.DIRECT));
    CallerFuture.onAnswer(answer, taking::end);
    return taking;
  }

  /** A request that waits for the store. */
  private final class Taking extends CallerFuture {
    private final Match match;
    private boolean finished;

    Taking(Match match, Executor executor) {
      super(executor);
      this.match = match;
    }

    void end(@Nullable Decision decision, @Nullable Throwable failure) {
      Answer late = decision == null && isAwaited() ? late(failure) : null;
      if (late == null) {
        end(decision, failure, failure);
      } else {
        CallerFuture.onAnswer(late, (said, gone) -> end(said, gone, failure));
      }
    }

    /** What the store may still say, where a rule has nothing better to say without it. */
    private @Nullable Answer late(@Nullable Throwable thrown) {
      return thrown != null
              && StoreFailure.cause(thrown) instanceof StoreFailure failure
              && isDeniedWithoutStore(match)
          ? failure.late().orElse(null)
          : null;
    }

    private void end(
        @Nullable Decision decision, @Nullable Throwable failure, @Nullable Throwable first) {
      try {
        if (decision != null) {
          if (isAwaited()) {
            finished = true;
            finish(match, decision);
          }
          settle(decision);
        } else if (isAwaited()) {
          settle(takenWithoutStore(match, first == null ? failure : first));
        }
      } catch (RuntimeException | Error e) {
        fail(StoreFailure.cause(e));
      }
    }

    @Override
    protected void unclaimed(Decision granted) {
      // A caller who left before the answer came was counted by the store alone.
      var unused = finished ? refund(match) : store.refund(match.claims());
    }
  }

  private boolean isDeniedWithoutStore(Match match) {
    return standby == null || FailureModes.deny(match);
  }

  private Decision takenWithoutStore(Match match, @Nullable Throwable failure) {
    Decision decision;
    try {
      decision = withoutStore(match, failure, this::takeAlone);
    } catch (CompletionException e) {
      if (StoreFailure.cause(e) instanceof StoreFailure && standby != null) {
        RuleOutcomes.reportUnanswered(match, watcher);
      }
      throw e;
    }
    RuleOutcomes.report(match, decision, watcher);
    if (decision.allowed()) {
      ShadowRules.leaveUncounted(match, watcher);
    }
    return decision;
  }

  private Decision takeAlone(FallbackStore alone, Match counted) {
    Decision decision = alone.take(counted.claims());
    noteCounted(counted, decision);
    return decision;
  }

  /** What the rules say without the store, or the failure again where one of them denies. */
  private Decision withoutStore(
      Match match, @Nullable Throwable thrown, BiFunction<FallbackStore, Match, Decision> decided) {
    Throwable cause =
        thrown == null ? new NullPointerException("no decision") : StoreFailure.cause(thrown);
    if (!(cause instanceof StoreFailure failure) || standby == null) {
      throw new CompletionException(cause);
    }
    Match counted = FailureModes.counted(match, failure);
    return FailureModes.inFull(match, decided.apply(standby.after(failure), counted));
  }

  /**
   * Tells what {@link #take} would answer, and spends nothing; but not what is known of leases and
   * denials beside the store.
   */
  public Answer look(Match match) {
    if (match.blockedBy().isPresent()) {
      return Decision.blocked();
    }
    Answer answer = store.look(match.claims());
    if (answer instanceof Decision) {
      return answer;
    }
    return CallerFuture.relay(
        answer,
        (decision, failure) -> decision == null ? lookedWithoutStore(match, failure) : decision,
        () -> {});
  }

  private Decision lookedWithoutStore(Match match, @Nullable Throwable failure) {
    return withoutStore(match, failure, (alone, counted) -> alone.look(counted.claims()));
  }

  /** Gives back places among those in flight, wherever they were counted when they were taken. */
  public Answer release(List<Claim> held) {
    if (standby != null) {
      standby.release(held);
    }
    return store.refund(held);
  }

  /** Gives back what was granted, and need not have been. */
  public Answer refund(Match match) {
    return noted(store.refund(match.claims()), match, Standby::gaveBack);
  }

  /** Charges what was used and not yet paid for, even beyond the limits. */
  public Answer charge(Match match) {
    return noted(store.charge(match.claims()), match, Standby::counted);
  }

  /** Lets counters begin anew. */
  public Answer forget(Match match) {
    return noted(store.forget(match.claims()), match, Standby::forgot);
  }

  /** What the store did is done to what is counted here beside it, where a rule wants that. */
  private Answer noted(Answer answer, Match match, BiConsumer<Standby, Claim> note) {
    Standby beside = standby;
    if (beside == null) {
      return answer;
    }
    return CallerFuture.relay(
        answer,
        done -> {
          countedBeside(match, claim -> note.accept(beside, claim));
          return done;
        });
  }

  private static void countedBeside(Match match, Consumer<Claim> note) {
    for (int i = 0; i < match.claims().size(); i++) {
      if (match.rules().get(i).whenStoreFails() == Rule.WhenStoreFails.LOCAL) {
        note.accept(match.claims().get(i));
      }
    }
  }

  public Store store() {
    return store;
  }

  private void finish(Match match, Decision decision) {
    RuleOutcomes.report(match, decision, watcher);
    noteCounted(match, decision);
    if (decision.allowed()) {
      ShadowRules.count(match, store, watcher);
    }
  }

  /** What the store granted is counted here too, for rules that want to go on without it. */
  private void noteCounted(Match match, Decision decision) {
    if (standby != null && decision.allowed() && decision.basis().compareTo(Basis.ALONE) < 0) {
      countedBeside(match, standby::counted);
    }
  }
}
