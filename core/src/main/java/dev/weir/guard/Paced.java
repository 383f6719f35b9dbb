package dev.weir.guard;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Does errands in the order in which they came, no more than so many at a time: what is of no hurry
 * must not stand in the way of requests.
 */
public final class Paced {
  private final int most;
  private final Queue<Errand> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger underWay = new AtomicInteger();
  private final AtomicInteger inLine = new AtomicInteger();
  private final AtomicInteger calls = new AtomicInteger();

  private record Errand(
      Supplier<? extends CompletionStage<?>> work, CompletableFuture<Void> done) {}

  public Paced(int most) {
    this.most = most;
  }

  /** Does it when its turn has come. What is returned is complete when it is done, or failed. */
  public CompletableFuture<Void> add(Supplier<? extends CompletionStage<?>> work) {
    Errand errand = new Errand(work, new CompletableFuture<>());
    inLine.incrementAndGet();
    waiting.add(errand);
    go();
    return errand.done;
  }

  /** How many wait for their turn. */
  public int waiting() {
    return inLine.get();
  }

  /** One thread at a time, and no deeper for each that is done at once. */
  private void go() {
    if (calls.getAndIncrement() > 0) {
      return;
    }
    int seen = 1;
    while (seen > 0) {
      while (underWay.get() < most) {
        Errand next = waiting.poll();
        if (next == null) {
          break;
        }
        begin(next);
      }
      seen = calls.addAndGet(-seen);
    }
  }

  private void begin(Errand errand) {
    inLine.decrementAndGet();
    underWay.incrementAndGet();
    CompletionStage<?> end;
    try {
      end = errand.work.get();
    } catch (RuntimeException e) {
      end = CompletableFuture.failedStage(e);
    }
    var unused =
        end.whenComplete(
            (done, failure) -> {
              underWay.decrementAndGet();
              errand.done.complete(null);
              go();
            });
  }
}
