package dev.weir.server.rls;

import dev.weir.Answer;
import dev.weir.Decision;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.Ticker;
import dev.weir.guard.Standby;
import dev.weir.rule.Rule.WhenStoreFails;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Asks stores, and decides by what the rules say where the first one does not answer. */
final class Asker {
  private static final CompletionStage<Void> DONE = CompletableFuture.completedStage(null);

  private final Store store;
  private final @Nullable Standby standby;
  private final Ticker ticker;
  private final OverLimits known;

  Asker(Store store, @Nullable Standby standby, Ticker ticker, OverLimits known) {
    this.known = known;
    this.store = store;
    this.standby = standby;
    this.ticker = ticker;
  }

  long nowMicros() {
    return ticker.micros();
  }

  /** Done once all lines of all calls are settled. Calls do not wait for each other. */
  CompletionStage<Void> ask(List<Call> calls) {
    Asking asking = new Asking();
    for (Call call : calls) {
      asking.ask(call, store);
    }
    return asking.end();
  }

  /** Calls that are on their way, counted, since most requests wait for more than one. */
  private final class Asking {
    /** Those on their way, and whoever may still add to them. */
    private final AtomicInteger open = new AtomicInteger(1);

    private final CompletableFuture<Void> done = new CompletableFuture<>();

    void ask(Call call, Store asked) {
      Answer answer = call.ask(asked);
      if (answer instanceof Decision decision) {
        settle(call, decision, asked);
        return;
      }
      open.incrementAndGet();
      var unused =
          answer
              .stage()
              .whenComplete(
                  (decision, failure) -> {
                    try {
                      if (failure == null) {
                        settle(call, decision, asked);
                      } else {
                        withoutStore(call, failure);
                      }
                    } catch (RuntimeException | Error e) {
                      done.completeExceptionally(e);
                    } finally {
                      close();
                    }
                  });
    }

    private void close() {
      if (open.decrementAndGet() == 0) {
        done.complete(null);
      }
    }

    CompletionStage<Void> end() {
      if (open.get() == 1) {
        // All are answered, and nobody will be told that it is done.
        return done.isCompletedExceptionally() ? done : DONE;
      }
      close();
      return done;
    }

    private void settle(Call call, Decision decision, Store asked) {
      if (call.isTally() && !decision.allowed()) {
        // One of the counters is at the very end of what can be counted; the others go on.
        ask(call.as(Call.Way.CHARGE), asked);
        return;
      }
      long nowMicros = nowMicros();
      List<Decision> each = decision.each();
      boolean counted = decision.allowed() && asked == store;
      for (int i = 0; i < each.size(); i++) {
        Line line = call.lines().get(i);
        line.settle(each.get(i), call.way(), nowMicros);
        if (counted && standby != null && line.terms.whenStoreFails() == WhenStoreFails.LOCAL) {
          note(call.way(), line, standby);
        }
        if (call.way() == Call.Way.REFUND) {
          known.forget(line);
        } else {
          known.note(line, nowMicros);
        }
      }
    }

    /** What the store did is done to what is counted here beside it. */
    private static void note(Call.Way way, Line line, Standby standby) {
      if (way == Call.Way.TAKE && line.tallied) {
        standby.counted(line.claim(), line.most());
      } else if (way == Call.Way.TAKE) {
        standby.counted(line.claim());
      } else if (way == Call.Way.REFUND) {
        standby.gaveBack(line.claim(), line.tallied);
      }
    }

    private void withoutStore(Call call, Throwable failure) {
      Throwable cause = StoreFailure.cause(failure);
      if (standby == null || !(cause instanceof StoreFailure gone)) {
        done.completeExceptionally(cause);
        return;
      }
      boolean denied = false;
      List<Line> counted = new ArrayList<>();
      for (Line line : call.lines()) {
        switch (then(call.way(), line)) {
          case ALLOW -> line.pass();
          case LOCAL -> counted.add(line);
          case DENY -> {
            line.refuse();
            denied = true;
          }
        }
      }
      if (counted.isEmpty()) {
        return;
      }
      Call again = new Call(call.way(), counted);
      boolean none = denied && call.way() == Call.Way.TAKE && !call.isTally();
      boolean tally = call.isTally();
      if (tally) {
        for (Line line : counted) {
          line.keepTo(standby.part(line.most()));
        }
      }
      Store alone = tally ? standby.unlimitedAfter(gone) : standby.after(gone);
      ask(none ? again.as(Call.Way.TRY) : again, alone);
    }
  }

  /** What a rule wants; where it never asks the store, it counts as it always does. */
  private static WhenStoreFails then(Call.Way way, Line line) {
    if (line.claim().mode().isLocal()) {
      return WhenStoreFails.LOCAL;
    }
    boolean spends = way != Call.Way.REFUND && way != Call.Way.LOOK && !line.isLook();
    WhenStoreFails then = line.terms.whenStoreFails();
    return then == WhenStoreFails.DENY && !spends ? WhenStoreFails.ALLOW : then;
  }
}
