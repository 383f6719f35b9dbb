package dev.weir.limiter;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Operation;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.async.CallerFuture;
import dev.weir.async.Continuations;
import dev.weir.rule.Rule;
import dev.weir.rule.book.Match;
import dev.weir.shared.SharedStore;
import dev.weir.shared.fallback.LocalFallback;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Decides about requests: takes the charges of a {@link Match} from a store.
 *
 * <p><b>How.</b> A blocked request is denied without a call to the store. Otherwise the enforced
 * charges are taken all or none. Only if the request passes, rules in shadow mode are counted,
 * {@linkplain ShadowRules each rule by itself}, as if they were enforced; then {@linkplain
 * Candidates candidates}. The listener receives one outcome for each rule.
 *
 * <p><b>Without the store.</b> If the store fails, {@link Degradation} applies each rule's failure
 * mode: one rule that denies makes the answer fail with the {@link StoreFailure}, rules that count
 * locally are taken from the fallback, and rules that allow are not counted. A request that would
 * be denied waits for a late answer first, see {@link StoreFailure#late}.
 *
 * <p><b>Guarantees.</b> A grant whose caller cancelled is refunded. What the store grants is
 * mirrored to the fallback, so that an outage does not begin with a full budget.
 *
 * <p>Safe for use by any number of threads.
 */
public final class Limiter {
  private final Store store;
  private final Degradation degradation;
  private final Listener listener;

  /** Receives the outcome of requests, rule by rule. Called on the path of a request: be quick. */
  public interface Listener {
    /**
     * The outcome of a request for one rule, called once for each that applies, however many limits
     * it has. For a rule in shadow mode it is called for requests that pass.
     *
     * @param subject whom the outcome is about
     */
    void onOutcome(Rule rule, Outcome outcome, Subject subject);

    /** The outcome of a whole request: called once, whether or not a rule applies to it. */
    default void onRequest(Outcome outcome) {}

    /** A request was judged by the limits of a rule and by those of its candidate. */
    default void onCandidate(Rule rule, Agreement agreement) {}
  }

  /** The outcome of a request for one rule; if its limits differ, the last of these applies. */
  public enum Outcome {
    /** It passes, and is counted. */
    ALLOWED,
    /** The store did not answer, and the rule allows what it cannot count. */
    UNCOUNTED,
    /** It would not pass if the rule were enforced. */
    SHADOW_DENIED,
    /** Another rule denies or blocks it, so that this one counts nothing. */
    DENIED_BY_OTHER,
    /** The limit is reached. */
    DENIED,
    /** The store did not answer, and the rule denies what it cannot count. */
    UNANSWERED,
    /** The rule blocks this caller. */
    BLOCKED;

    /** Whether the rule itself denies the request. */
    public boolean denies() {
      return this == DENIED || this == UNANSWERED || this == BLOCKED;
    }
  }

  /** A limiter on a store that always answers. */
  public Limiter(Store store, Listener listener) {
    this(store, new Degradation(null), listener);
  }

  /** A limiter on a shared store, with the fallback of that store. */
  public static Limiter on(SharedStore store, Listener listener) {
    return new Limiter(store.router(), store.fallback(), listener);
  }

  /** A limiter that counts in {@code fallback} while the store does not answer, if rules say so. */
  public Limiter(Store store, LocalFallback fallback, Listener listener) {
    this(store, new Degradation(fallback), listener);
  }

  private Limiter(Store store, Degradation degradation, Listener listener) {
    this.store = store;
    this.degradation = degradation;
    this.listener = listener;
  }

  /** The store that charges are taken from. */
  public Store store() {
    return store;
  }

  /** The listener for outcomes. */
  public Listener listener() {
    return listener;
  }

  /** The failure modes while the store does not answer. */
  public Degradation degradation() {
    return degradation;
  }

  /**
   * Decides about a request, and charges it if it passes. The answer fails with a {@link
   * StoreFailure} if one of the rules denies without an answer of the store.
   */
  public Answer take(Match match) {
    if (match.blockedBy().isPresent()) {
      RuleOutcomes.reportBlocked(match, match.blockedBy().get(), listener);
      return Decision.blocked();
    }
    Answer answer = store.apply(Operation.TAKE, match.claims());
    if (answer instanceof Decision decision) {
      onDecision(match, decision);
      return answer;
    }
    Pending pending = new Pending(match, CallerFuture.executorOf(answer, Continuations.DIRECT));
    CallerFuture.onAnswer(answer, pending::onAnswer);
    return pending;
  }

  /** A request that waits for the store. */
  private final class Pending extends CallerFuture {
    private final Match match;
    private boolean decided;

    Pending(Match match, Executor executor) {
      super(executor);
      this.match = match;
    }

    void onAnswer(@Nullable Decision decision, @Nullable Throwable failure) {
      Answer late =
          decision == null && isAwaited() && (!degradation.isPossible() || FailureModes.deny(match))
              ? degradation.lateAnswer(failure).orElse(null)
              : null;
      if (late == null) {
        end(decision, failure);
      } else {
        CallerFuture.onAnswer(
            late, (answer, lateFailure) -> end(answer, failure == null ? lateFailure : failure));
      }
    }

    private void end(@Nullable Decision decision, @Nullable Throwable failure) {
      try {
        if (decision != null) {
          if (isAwaited()) {
            decided = true;
            onDecision(match, decision);
          }
          settle(decision);
        } else if (isAwaited()) {
          Decision local = takeWithoutStore(match, failure);
          decided = true;
          settle(local);
        }
      } catch (RuntimeException | Error e) {
        fail(StoreFailure.cause(e));
      }
    }

    @Override
    protected void onAbandoned(Decision granted) {
      if (decided) {
        giveBack(match, granted);
      } else {
        // The caller cancelled before the answer arrived: only the store has counted.
        var unused = store.refund(match.claims());
      }
    }
  }

  private Decision takeWithoutStore(Match match, @Nullable Throwable failure) {
    Decision decision;
    try {
      decision = withoutStore(Operation.TAKE, match, failure);
    } catch (CompletionException e) {
      if (degradation.storeFailure(e) != null) {
        RuleOutcomes.reportUnanswered(match, listener);
      }
      throw e;
    }
    RuleOutcomes.report(match, decision, listener);
    if (decision.allowed()) {
      ShadowRules.leaveUncounted(match, listener);
    }
    return decision;
  }

  /** The decision by failure modes; throws the failure again if one of the rules denies. */
  private Decision withoutStore(Operation operation, Match match, @Nullable Throwable thrown) {
    StoreFailure failure = degradation.storeFailure(thrown);
    if (failure == null || FailureModes.deny(match)) {
      throw new CompletionException(
          thrown == null ? new NullPointerException("no decision") : StoreFailure.cause(thrown));
    }
    Match local = FailureModes.countedLocally(match);
    Decision decision = degradation.localStore(failure).apply(operation, local.claims());
    if (operation == Operation.TAKE) {
      mirrorGrant(local, decision);
    }
    return FailureModes.complete(match, decision);
  }

  /** Answers like {@link #take}, but spends nothing, and ignores leases and cached denials. */
  public Answer peek(Match match) {
    if (match.blockedBy().isPresent()) {
      return Decision.blocked();
    }
    Answer answer = store.peek(match.claims());
    if (answer instanceof Decision) {
      return answer;
    }
    return CallerFuture.relay(
        answer,
        (decision, failure) ->
            decision == null ? withoutStore(Operation.PEEK, match, failure) : decision,
        () -> {});
  }

  /** Releases concurrency permits, wherever they were counted when they were taken. */
  public Answer release(List<Claim> held) {
    degradation.release(held);
    return store.refund(held);
  }

  /**
   * Gives back a grant that no caller uses, where it was counted: in the store or locally. It does
   * not wait, and a store that does not answer keeps the charge.
   */
  public void giveBack(Match match, Decision granted) {
    if (Degradation.isFromStore(granted)) {
      var unused = refund(match);
    } else if (granted.allowed()) {
      degradation.refundLocal(FailureModes.countedLocally(match).claims());
    }
  }

  /** Refunds what was granted. */
  public Answer refund(Match match) {
    return applyAndMirror(Operation.REFUND, match);
  }

  /** Charges what was used without a {@link #take}, even beyond the limits. */
  public Answer charge(Match match) {
    return applyAndMirror(Operation.CHARGE, match);
  }

  /** Resets the counters of a match. */
  public Answer reset(Match match) {
    return applyAndMirror(Operation.RESET, match);
  }

  private Answer applyAndMirror(Operation operation, Match match) {
    Answer answer = store.apply(operation, match.claims());
    if (!degradation.isPossible()) {
      return answer;
    }
    return CallerFuture.relay(
        answer,
        done -> {
          degradation.mirror(operation, match);
          return done;
        });
  }

  private void onDecision(Match match, Decision decision) {
    RuleOutcomes.report(match, decision, listener);
    mirrorGrant(match, decision);
    Candidates.judge(match, decision, store, listener);
    if (decision.allowed()) {
      ShadowRules.count(match, store, listener);
    }
  }

  private void mirrorGrant(Match match, Decision decision) {
    if (degradation.isPossible() && Degradation.isFromStore(decision)) {
      degradation.mirror(Operation.TAKE, match);
    }
  }
}
