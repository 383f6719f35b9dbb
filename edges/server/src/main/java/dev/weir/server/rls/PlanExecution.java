package dev.weir.server.rls;

import dev.weir.Answer;
import dev.weir.Decision;
import dev.weir.Operation;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.limiter.Degradation;
import dev.weir.server.rls.StoreCall.Kind;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The calls of one request: what is sent next depends on the answers so far. */
final class PlanExecution {
  private final PendingCalls pending = new PendingCalls();
  private final StoreCalls calls;
  private final Store store;
  private final Degradation degradation;

  PlanExecution(StoreCalls calls) {
    this.calls = calls;
    this.store = calls.store;
    this.degradation = calls.degradation;
  }

  /** Sends all calls at once. */
  void sendAll(List<StoreCall> all) {
    all.forEach(call -> send(call, store, () -> {}));
  }

  /** Sends all calls at once, and runs the next step when the last of them is answered. */
  void sendAll(List<StoreCall> all, Runnable next) {
    if (all.isEmpty()) {
      next.run();
      return;
    }
    AtomicInteger left = new AtomicInteger(all.size());
    for (StoreCall call : all) {
      send(
          call,
          store,
          () -> {
            if (left.decrementAndGet() == 0) {
              next.run();
            }
          });
    }
  }

  /** Completes when all calls are answered; to be called once the plan is started. */
  CompletionStage<Void> end() {
    return pending.end();
  }

  private void send(StoreCall call, Store to, Runnable next) {
    send(call, to, next, failure -> continueWithoutStore(call, failure, next));
  }

  private void send(StoreCall call, Store to, Runnable next, Consumer<Throwable> onFailure) {
    Answer answer = call.send(to);
    if (answer instanceof Decision decision) {
      onAnswer(call, decision, to, next);
      return;
    }
    pending.await(
        answer,
        (decision, failure) -> {
          if (failure == null) {
            onAnswer(call, decision, to, next);
          } else if (!awaitLateAnswer(call, failure, to, next, onFailure)) {
            onFailure.accept(failure);
          }
        });
  }

  /** Waits for a late answer where a limit would deny for want of one. */
  private boolean awaitLateAnswer(
      StoreCall call, Throwable failure, Store to, Runnable next, Consumer<Throwable> onFailure) {
    Answer late = call.deniesWithoutStore() ? degradation.lateAnswer(failure).orElse(null) : null;
    if (late == null) {
      return false;
    }
    pending.await(
        late,
        (decision, lateFailure) -> {
          if (lateFailure == null) {
            onAnswer(call, decision, to, next);
          } else {
            onFailure.accept(failure);
          }
        });
    return true;
  }

  /** Sends the peeks of a plan, and then charges all or none. */
  void peekAndTake(ChargePlan plan) {
    peek(plan.peeks(), 0, plan.allOrNone());
  }

  /** Sends the peeks one after the other, from the given one on, and then charges. */
  private void peek(List<StoreCall> peeks, int from, AllOrNone then) {
    if (from == peeks.size()) {
      take(then, store);
    } else {
      send(peeks.get(from), store, () -> peek(peeks, from + 1, then));
    }
  }

  private void take(AllOrNone limits, Store from) {
    AllOrNone attempt = limits.withoutExhausted();
    List<LimitCheck> checks = attempt.checks();
    if (checks.isEmpty()) {
      return;
    }
    if (attempt.isDenied()) {
      StoreCall call = new StoreCall(Kind.TRY, checks);
      send(call, from, () -> {}, failure -> takeWithoutStore(attempt, call, failure));
      return;
    }
    StoreCall call = new StoreCall(Kind.TAKE, checks);
    send(
        call,
        from,
        () -> peekAtUnknown(checks, from, () -> takeAgain(attempt, checks, from)),
        failure -> takeWithoutStore(attempt, call, failure));
  }

  /** A cached denial says nothing of the other limits, and clients get the status of all. */
  private void peekAtUnknown(List<LimitCheck> checks, Store from, Runnable next) {
    List<LimitCheck> unknown = checks.stream().filter(LimitCheck::isUnknown).toList();
    if (unknown.isEmpty()) {
      next.run();
    } else {
      send(new StoreCall(Kind.TRY, unknown), from, next, failure -> next.run());
    }
  }

  /** After an attempt: the next one leaves out the optional limits that had no room. */
  private void takeAgain(AllOrNone tried, List<LimitCheck> checks, Store from) {
    if (checks.stream().noneMatch(LimitCheck::lacksRoom)) {
      return; // and so all were taken
    }
    AllOrNone next = tried.withoutExhausted();
    if (!next.isDenied()) {
      take(next, from);
    }
  }

  private void onAnswer(StoreCall call, Decision decision, Store from, Runnable next) {
    if (call.isTally() && !decision.allowed()) {
      // One of the counters is at the very end of what can be counted; the others go on.
      send(call.as(Kind.CHARGE), from, next);
      return;
    }
    long nowMicros = calls.nowMicros();
    List<Decision> each = decision.each();
    boolean counted = decision.allowed() && from == store;
    for (int i = 0; i < each.size(); i++) {
      LimitCheck check = call.checks().get(i);
      check.record(each.get(i), call.kind(), nowMicros);
      if (counted) {
        mirror(call.kind(), check);
      }
      if (call.kind() == Kind.REFUND) {
        calls.exhausted.invalidate(check);
      } else {
        calls.exhausted.record(check, nowMicros);
      }
    }
    next.run();
  }

  private void mirror(Kind kind, LimitCheck check) {
    if (kind != Kind.TAKE && kind != Kind.REFUND) {
      return;
    }
    Operation operation = kind == Kind.TAKE ? Operation.TAKE : Operation.REFUND;
    if (check.tallied) {
      degradation.mirrorTally(operation, check.claim(), check.max(), check.terms.failureMode());
    } else {
      degradation.mirror(operation, check.claim(), check.terms.failureMode());
    }
  }

  private void continueWithoutStore(StoreCall call, Throwable thrown, Runnable next) {
    StoreFailure failure = storeFailure(thrown);
    if (failure == null) {
      return;
    }
    List<LimitCheck> local = call.decideWithoutStore();
    if (local.isEmpty()) {
      next.run();
      return;
    }
    boolean tally = call.isTally();
    if (tally) {
      local.forEach(check -> check.reduceTo(degradation.part(check.max())));
    }
    send(
        new StoreCall(call.kind(), local),
        tally ? degradation.localTallies(failure) : degradation.localStore(failure),
        next);
  }

  private void takeWithoutStore(AllOrNone tried, StoreCall call, Throwable thrown) {
    StoreFailure failure = storeFailure(thrown);
    if (failure != null && !call.decideWithoutStore().isEmpty()) {
      take(tried, degradation.localStore(failure));
    }
  }

  /** Why the store did not answer; null if something else failed, which fails the request. */
  private @Nullable StoreFailure storeFailure(Throwable thrown) {
    StoreFailure failure = degradation.storeFailure(thrown);
    if (failure == null) {
      pending.fail(StoreFailure.cause(thrown));
    }
    return failure;
  }
}
