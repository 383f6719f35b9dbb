package dev.weir.rule;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.guard.Standby;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes to a store what the rules make of a request.
 *
 * <p>What rules enforce is taken all or none. What they only watch is counted after that, each by
 * itself, and only for a request that passes: a rule in shadow counts what it would count if it
 * were in force.
 *
 * <p>Where the store does not answer, each rule's {@link Rule.WhenStoreFails} decides: one that
 * denies makes the answer fail, those that count locally are asked of a second store, and the
 * others are left out.
 */
public final class Limiter {
  private static final Watcher NOBODY = (rule, outcome) -> {};

  private final Store store;
  private final @Nullable Standby standby;
  private final Watcher watcher;

  /** Hears what becomes of requests, rule by rule. Called on the path of a request: be quick. */
  public interface Watcher {
    /** What a rule said to a request that all rules let pass, or to one that some did not. */
    void told(Rule rule, Outcome outcome);
  }

  /** What a rule says to a request. */
  public enum Outcome {
    /** It passes as far as this rule goes. */
    ALLOWED,
    /** Not now. */
    DENIED,
    /** This caller, never. */
    BLOCKED,
    /** It would not pass if the rule were enforced. */
    SHADOW_DENIED,
    /** The store did not answer, and the rule lets pass what it cannot count. */
    UNCOUNTED,
    /** The store did not answer, and the rule lets nothing pass that it cannot count. */
    UNANSWERED
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
      watcher.told(match.blockedBy().get(), Outcome.BLOCKED);
      return Decision.of(Decision.Verdict.NEVER, 0, 0, 0);
    }
    Answer answer = store.take(match.claims());
    if (answer instanceof Decision decision) {
      tell(match, decision);
      return answer;
    }
    return Answer.later(
        answer
            .stage()
            .handle(
                (decision, failure) -> {
                  if (failure != null) {
                    return takenWithoutStore(match, failure);
                  }
                  tell(match, decision);
                  return CompletableFuture.completedStage(decision);
                })
            .thenCompose(stage -> stage));
  }

  private CompletionStage<Decision> takenWithoutStore(Match match, Throwable failure) {
    return withoutStore(
        match,
        failure,
        (alone, counted) -> {
          Decision decision = alone.take(counted.claims());
          tell(counted, decision);
          return decision;
        },
        watcher);
  }

  private CompletionStage<Decision> withoutStore(
      Match match,
      Throwable thrown,
      BiFunction<Standby.Alone, Match, Decision> decided,
      Watcher told) {
    Throwable cause = StoreFailure.cause(thrown);
    if (!(cause instanceof StoreFailure failure) || standby == null) {
      return CompletableFuture.failedStage(cause);
    }
    boolean denied = false;
    Match counted = new Match();
    for (int i = 0; i < match.claims().size(); i++) {
      Rule rule = match.rules().get(i);
      switch (then(match, i)) {
        case ALLOW -> told.told(rule, Outcome.UNCOUNTED);
        case LOCAL -> counted.add(rule, match.policies().get(i), match.claims().get(i), true);
        case DENY -> {
          told.told(rule, Outcome.UNANSWERED);
          denied = true;
        }
      }
    }
    if (denied) {
      return CompletableFuture.failedStage(failure);
    }
    Decision decision = decided.apply(standby.after(failure), counted);
    return CompletableFuture.completedStage(inFull(match, decision));
  }

  /** What a rule wants; where it never asks the store, it counts as it always does. */
  private static Rule.WhenStoreFails then(Match match, int i) {
    return match.claims().get(i).mode().isLocal()
        ? Rule.WhenStoreFails.LOCAL
        : match.rules().get(i).whenStoreFails();
  }

  /** A decision on the claims that were counted locally, as one on all claims of the request. */
  private static Decision inFull(Match match, Decision counted) {
    List<Decision> each = new ArrayList<>();
    int next = 0;
    for (int i = 0; i < match.claims().size(); i++) {
      boolean local = then(match, i) == Rule.WhenStoreFails.LOCAL;
      long capacity = match.claims().get(i).limit().capacity();
      each.add(
          local
              ? counted.each().get(next++)
              : Decision.of(Decision.Verdict.ALLOWED, capacity, 0, 0).on(Basis.UNCOUNTED));
    }
    return Decision.of(List.copyOf(each));
  }

  /**
   * Tells what {@link #take} would answer, and spends nothing; but not what is known of leases and
   * denials beside the store.
   */
  public Answer look(Match match) {
    if (match.blockedBy().isPresent()) {
      return Decision.of(Decision.Verdict.NEVER, 0, 0, 0);
    }
    Answer answer = store.look(match.claims());
    if (answer instanceof Decision) {
      return answer;
    }
    return Answer.later(
        answer
            .stage()
            .handle(
                (decision, failure) ->
                    failure == null
                        ? CompletableFuture.completedStage(decision)
                        : lookedWithoutStore(match, failure))
            .thenCompose(stage -> stage));
  }

  private CompletionStage<Decision> lookedWithoutStore(Match match, Throwable failure) {
    return withoutStore(match, failure, (alone, counted) -> alone.look(counted.claims()), NOBODY);
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
    return Answer.later(
        answer
            .stage()
            .whenComplete(
                (done, failure) -> {
                  if (failure == null) {
                    countedBeside(match, claim -> note.accept(beside, claim));
                  }
                }));
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

  private void tell(Match match, Decision decision) {
    List<Decision> each = decision.each();
    for (int i = 0; i < each.size() && i < match.rules().size(); i++) {
      watcher.told(match.rules().get(i), each.get(i).allowed() ? Outcome.ALLOWED : Outcome.DENIED);
    }
    if (decision.allowed()) {
      if (standby != null && decision.basis().compareTo(Basis.ALONE) < 0) {
        countedBeside(match, standby::counted);
      }
      for (int i = 0; i < match.shadows().size(); i++) {
        shadow(match.shadowRules().get(i), match.shadows().get(i));
      }
      match.shadowBlocks().forEach(rule -> watcher.told(rule, Outcome.SHADOW_DENIED));
    }
  }

  private void shadow(Rule rule, Claim claim) {
    Answer answer = store.take(claim);
    if (answer instanceof Decision decision) {
      shadowed(rule, decision);
    } else {
      var unused = answer.stage().thenAccept(decision -> shadowed(rule, decision));
    }
  }

  private void shadowed(Rule rule, Decision decision) {
    watcher.told(rule, decision.allowed() ? Outcome.ALLOWED : Outcome.SHADOW_DENIED);
  }
}
