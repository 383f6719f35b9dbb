package dev.weir.server.rls;

import dev.weir.Answer;
import dev.weir.Decision;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.Ticker;
import dev.weir.rule.Rule.WhenStoreFails;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Asks stores, and decides by what the rules say where the first one does not answer. */
final class Asker {
  private static final CompletionStage<Void> DONE = CompletableFuture.completedStage(null);

  private final Store store;
  private final Store local;
  private final Ticker ticker;
  private final OverLimits known;

  Asker(Store store, Store local, Ticker ticker, OverLimits known) {
    this.known = known;
    this.store = store;
    this.local = local;
    this.ticker = ticker;
  }

  long nowMicros() {
    return ticker.micros();
  }

  /** Done once all lines of all calls are settled. Calls do not wait for each other. */
  CompletionStage<Void> ask(List<Call> calls) {
    CompletionStage<Void> all = DONE;
    for (Call call : calls) {
      all = both(all, ask(call, store));
    }
    return all;
  }

  @SuppressWarnings(
      "ReferenceEquality") // what is done already is the usual case, and costs nothing
  private static CompletionStage<Void> both(
      CompletionStage<Void> one, CompletionStage<Void> other) {
    return one == DONE ? other : other == DONE ? one : one.thenCombine(other, (x, y) -> null);
  }

  private CompletionStage<Void> ask(Call call, Store asked) {
    Answer answer = call.ask(asked);
    if (answer instanceof Decision decision) {
      return settle(call, decision, asked);
    }
    return answer
        .stage()
        .handle(
            (decision, failure) ->
                failure == null ? settle(call, decision, asked) : withoutStore(call, failure))
        .thenCompose(stage -> stage);
  }

  private CompletionStage<Void> settle(Call call, Decision decision, Store asked) {
    if (call.isTally() && !decision.allowed()) {
      // One of the counters is at the very end of what can be counted; the others go on.
      return ask(call.as(Call.Way.CHARGE), asked);
    }
    long nowMicros = nowMicros();
    List<Decision> each = decision.each();
    for (int i = 0; i < each.size(); i++) {
      Line line = call.lines().get(i);
      line.settle(each.get(i), call.way(), nowMicros);
      if (call.way() == Call.Way.REFUND) {
        known.forget(line);
      } else {
        known.note(line, nowMicros);
      }
    }
    return DONE;
  }

  private CompletionStage<Void> withoutStore(Call call, Throwable failure) {
    if (!(cause(failure) instanceof StoreFailure)) {
      return CompletableFuture.failedStage(cause(failure));
    }
    boolean denied = false;
    List<Line> counted = new ArrayList<>();
    for (Line line : call.lines()) {
      WhenStoreFails then = line.terms.whenStoreFails();
      if (call.way() == Call.Way.REFUND || call.way() == Call.Way.LOOK || line.isLook()) {
        then = then == WhenStoreFails.DENY ? WhenStoreFails.ALLOW : then;
      }
      switch (then) {
        case ALLOW -> line.pass();
        case LOCAL -> counted.add(line);
        case DENY -> {
          line.refuse();
          denied = true;
        }
      }
    }
    if (counted.isEmpty()) {
      return DONE;
    }
    Call again = new Call(call.way(), counted);
    boolean none = denied && call.way() == Call.Way.TAKE && !call.isTally();
    return ask(none ? again.as(Call.Way.TRY) : again, local);
  }

  private static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }
}
