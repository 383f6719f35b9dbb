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
import java.util.function.Consumer;
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

  /**
   * Done once all lines of a bill are settled. Nothing waits for anything else, but what is charged
   * all or none: for the tallies, which may deny the request, and for the looks among it.
   *
   * @throws RlsRequest.Refused if it cannot be asked for
   */
  CompletionStage<Void> ask(Bill bill) {
    bill.checkSize();
    Asking asking = new Asking();
    bill.refunds().forEach(call -> asking.ask(call, store));
    if (bill.isStrict()) {
      asking.askAll(bill.tallies(), () -> asking.look(bill));
    } else {
      bill.tallies().forEach(call -> asking.ask(call, store));
    }
    return asking.end();
  }

  /** Calls that are on their way, counted, since most requests wait for more than one. */
  private final class Asking {
    /** Those on their way, and whoever may still add to them. */
    private final AtomicInteger open = new AtomicInteger(1);

    private final CompletableFuture<Void> done = new CompletableFuture<>();

    void ask(Call call, Store asked) {
      ask(call, asked, () -> {});
    }

    /** Asks all at once; goes on when the last of them is settled. */
    void askAll(List<Call> calls, Runnable then) {
      if (calls.isEmpty()) {
        then.run();
        return;
      }
      AtomicInteger left = new AtomicInteger(calls.size());
      for (Call call : calls) {
        ask(
            call,
            store,
            () -> {
              if (left.decrementAndGet() == 0) {
                then.run();
              }
            });
      }
    }

    private void ask(Call call, Store asked, Runnable then) {
      ask(call, asked, then, failure -> withoutStore(call, failure, then));
    }

    private void ask(Call call, Store asked, Runnable then, Consumer<Throwable> otherwise) {
      Answer answer = call.ask(asked);
      if (answer instanceof Decision decision) {
        settle(call, decision, asked, then);
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
                        settle(call, decision, asked, then);
                      } else {
                        otherwise.accept(failure);
                      }
                    } catch (RuntimeException | Error e) {
                      done.completeExceptionally(e);
                    } finally {
                      close();
                    }
                  });
    }

    /** Looks where that is asked for, and then charges all or none. */
    void look(Bill bill) {
      look(bill.looks(), 0, bill.allOrNone());
    }

    /** Looks one after the other, from the given one on, and then charges. */
    private void look(List<Call> looks, int from, AllOrNone then) {
      if (from == looks.size()) {
        take(then, store);
      } else {
        ask(looks.get(from), store, () -> look(looks, from + 1, then));
      }
    }

    private void take(AllOrNone some, Store asked) {
      AllOrNone now = some.withoutExhausted();
      List<Line> lines = now.lines();
      if (lines.isEmpty()) {
        return;
      }
      if (now.isDenied()) {
        Call call = new Call(Call.Way.TRY, lines);
        ask(call, asked, () -> {}, failure -> withoutStore(now, call, failure));
        return;
      }
      Call call = new Call(Call.Way.TAKE, lines);
      ask(
          call,
          asked,
          () -> lookAtUnknown(lines, asked, () -> again(now, lines, asked)),
          failure -> withoutStore(now, call, failure));
    }

    /**
     * A denial that is remembered says nothing of the other limits, and clients are told of all.
     */
    private void lookAtUnknown(List<Line> lines, Store asked, Runnable then) {
      List<Line> unknown = lines.stream().filter(Line::isUnknown).toList();
      if (unknown.isEmpty()) {
        then.run();
      } else {
        ask(new Call(Call.Way.TRY, unknown), asked, then, failure -> then.run());
      }
    }

    /** After an attempt: what had no room and is not needed is left out of the next one. */
    private void again(AllOrNone tried, List<Line> lines, Store asked) {
      if (lines.stream().noneMatch(Line::lacksRoom)) {
        return; // and so all were taken
      }
      AllOrNone next = tried.withoutExhausted();
      if (!next.isDenied()) {
        take(next, asked);
      }
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

    private void settle(Call call, Decision decision, Store asked, Runnable then) {
      if (call.isTally() && !decision.allowed()) {
        // One of the counters is at the very end of what can be counted; the others go on.
        ask(call.as(Call.Way.CHARGE), asked, then);
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
      then.run();
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

    private void withoutStore(Call call, Throwable failure, Runnable then) {
      Standby alone = standby;
      StoreFailure gone = gone(failure);
      if (alone == null || gone == null) {
        return;
      }
      List<Line> counted = decideWithoutStore(call);
      if (counted.isEmpty()) {
        then.run();
        return;
      }
      boolean tally = call.isTally();
      if (tally) {
        for (Line line : counted) {
          line.keepTo(alone.part(line.most()));
        }
      }
      ask(
          new Call(call.way(), counted),
          tally ? alone.unlimitedAfter(gone) : alone.after(gone),
          then);
    }

    private void withoutStore(AllOrNone tried, Call call, Throwable failure) {
      Standby alone = standby;
      StoreFailure gone = gone(failure);
      if (alone != null && gone != null && !decideWithoutStore(call).isEmpty()) {
        take(tried, alone.after(gone));
      }
    }

    /** Why the store did not answer; null if that is not what happened, and nobody can go on. */
    private @Nullable StoreFailure gone(Throwable failure) {
      Throwable cause = StoreFailure.cause(failure);
      if (standby != null && cause instanceof StoreFailure gone) {
        return gone;
      }
      done.completeExceptionally(cause);
      return null;
    }

    /** Lets pass or refuses by what the rules say, and returns what is to be counted here. */
    private static List<Line> decideWithoutStore(Call call) {
      List<Line> counted = new ArrayList<>();
      for (Line line : call.lines()) {
        switch (then(call.way(), line)) {
          case ALLOW -> line.pass();
          case LOCAL -> counted.add(line);
          case DENY -> line.refuse();
        }
      }
      return counted;
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
