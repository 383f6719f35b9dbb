package dev.weir.library;

import dev.weir.async.Continuations;
import dev.weir.rule.book.Match;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Callers that wait for permits, in the order in which they came.
 *
 * <p><b>How.</b> Each key has a queue. Only its head asks the store, at the moment for which the
 * store said that a permit will be there; all others wait behind it. So callers of one process get
 * permits in order, however many wait, and the store is asked once per permit and not once per
 * waiting caller. A caller whose wait would be longer than it allows is denied at once.
 *
 * <p>Waiting callers are bounded in number; above that, callers are denied as if nobody waited.
 */
final class WaitQueue {
  /** How many callers of one limiter may wait at a time. */
  static final int MAX_WAITING = 100_000;

  private final Engine engine;
  private final Map<String, Deque<Waiter>> queues = new HashMap<>();
  private int waiting;
  private boolean closed;

  /** Heads that are to ask now; one thread at a time works them off, so that no grant nests. */
  private final Deque<Waiter> due = new ArrayDeque<>();

  private boolean asking;

  WaitQueue(Engine engine) {
    this.engine = engine;
  }

  /** A caller in the queue of a key. */
  private static final class Waiter extends CompletableFuture<RateLimitDecision> {
    private final String key;
    private final Supplier<Match> match;
    private final long deadlineNanos;
    private @Nullable RateLimitDecision last;
    private boolean asking;

    /** When a timer will let it ask again; null if none is set. */
    private @Nullable Long askAgainNanos;

    Waiter(String key, Supplier<Match> match, long deadlineNanos) {
      this.key = key;
      this.match = match;
      this.deadlineNanos = deadlineNanos;
    }
  }

  /**
   * Waits for a decision.
   *
   * @param match makes the request; called again for each attempt
   */
  CompletableFuture<RateLimitDecision> acquire(String key, Supplier<Match> match, Duration atMost) {
    long now = engine.scheduler().nanos();
    Waiter waiter = new Waiter(key, match, now + Engine.nanos(atMost));
    boolean head;
    synchronized (this) {
      if (closed) {
        throw Engine.closedFailure();
      }
      if (waiting == MAX_WAITING || !engine.hasTimers()) {
        return engine.takeAsync(match.get());
      }
      waiting++;
      Deque<Waiter> queue = queues.computeIfAbsent(key, any -> new ArrayDeque<>());
      queue.addLast(waiter);
      head = queue.size() == 1;
    }
    // A caller that cancels its future makes room for the next one.
    var unused =
        waiter.whenComplete(
            (done, failure) -> {
              if (waiter.isCancelled()) {
                leave(waiter);
              }
            });
    if (head) {
      ask(waiter);
    } else if (atMost.isZero() || atMost.isNegative()) {
      expire(waiter);
    } else {
      engine.schedule(Engine.nanos(atMost), () -> expire(waiter));
    }
    return waiter;
  }

  /** Something was released: the head of the queue may try again before its time. */
  void wake(String key) {
    Waiter head;
    synchronized (this) {
      Deque<Waiter> queue = queues.get(key);
      head = queue == null ? null : queue.peekFirst();
    }
    if (head != null) {
      ask(head);
    }
  }

  /** Lets a head ask, on this thread or on the one that does so already. */
  private void ask(Waiter waiter) {
    Waiter next = waiter;
    synchronized (this) {
      if (asking) {
        due.addLast(waiter);
        return;
      }
      asking = true;
    }
    while (next != null) {
      try {
        takeFor(next);
      } finally {
        synchronized (this) {
          next = due.pollFirst();
          asking = next != null;
        }
      }
    }
  }

  private void takeFor(Waiter waiter) {
    synchronized (this) {
      Deque<Waiter> queue = queues.get(waiter.key);
      if (queue == null || queue.peekFirst() != waiter || waiter.asking) {
        return;
      }
      waiter.asking = true;
    }
    try {
      Match match = waiter.match.get();
      var unused =
          engine
              .takeAsync(match)
              .whenComplete((decision, failure) -> onAnswer(waiter, match, decision, failure));
    } catch (RuntimeException | Error e) { // closed, as a rule
      fail(waiter, e);
    }
  }

  private void onAnswer(
      Waiter waiter,
      Match match,
      @Nullable RateLimitDecision decision,
      @Nullable Throwable failure) {
    synchronized (this) {
      waiter.asking = false;
    }
    if (decision != null) {
      onDecision(waiter, match, decision);
    } else if (failure != null) {
      fail(waiter, failure);
    }
  }

  private void fail(Waiter waiter, Throwable failure) {
    leave(waiter);
    complete(() -> waiter.completeExceptionally(failure));
  }

  /** Fails all callers that wait, and all that come later. */
  void close() {
    List<Waiter> all = new ArrayList<>();
    synchronized (this) {
      closed = true;
      queues.values().forEach(all::addAll);
      queues.clear();
      waiting = 0;
    }
    for (Waiter waiter : all) {
      complete(() -> waiter.completeExceptionally(Engine.closedFailure()));
    }
  }

  private void onDecision(Waiter waiter, Match match, RateLimitDecision decision) {
    if (decision.allowed()) {
      leave(waiter);
      complete(
          () -> {
            if (!waiter.complete(decision)) {
              engine.limiter().giveBack(match, decision.whole());
            }
          });
      return;
    }
    waiter.last = decision;
    long now = engine.scheduler().nanos();
    Duration retryAfter = decision.retryAfter().orElse(null);
    if (retryAfter == null || waiter.deadlineNanos - now < Engine.nanos(retryAfter)) {
      leave(waiter);
      complete(() -> waiter.complete(decision));
      return;
    }
    askAgain(waiter, now, Engine.nanos(retryAfter));
  }

  /** Lets a head ask again, unless it does so earlier anyway. */
  private void askAgain(Waiter waiter, long nowNanos, long afterNanos) {
    Long atNanos = nowNanos + afterNanos;
    synchronized (this) {
      if (waiter.askAgainNanos != null && waiter.askAgainNanos - atNanos <= 0) {
        return;
      }
      waiter.askAgainNanos = atNanos;
    }
    engine.schedule(afterNanos, () -> askAgain(waiter, atNanos));
  }

  private void askAgain(Waiter waiter, Long timer) {
    synchronized (this) {
      if (timer.equals(waiter.askAgainNanos)) {
        waiter.askAgainNanos = null;
      }
    }
    ask(waiter);
  }

  /** The time of a caller that was never the head is over. */
  private void expire(Waiter waiter) {
    boolean asking;
    synchronized (this) {
      Deque<Waiter> queue = queues.get(waiter.key);
      asking = queue != null && queue.peekFirst() == waiter;
    }
    if (asking || waiter.isDone()) {
      return; // the head knows its deadline
    }
    leave(waiter);
    RateLimitDecision last = waiter.last;
    if (last != null) {
      complete(() -> waiter.complete(last));
      return;
    }
    Match match = waiter.match.get();
    var unused =
        engine
            .limiter()
            .peek(match)
            .stage()
            .whenComplete(
                (decision, failure) ->
                    complete(
                        () ->
                            waiter.complete(
                                failure == null && !decision.allowed()
                                    ? RateLimitDecision.of(match, decision)
                                    : RateLimitDecision.queued(match))));
  }

  /** Removes a caller; the next one becomes the head. */
  private void leave(Waiter waiter) {
    Waiter next = null;
    synchronized (this) {
      Deque<Waiter> queue = queues.get(waiter.key);
      if (queue == null) {
        return;
      }
      boolean head = queue.peekFirst() == waiter;
      if (!queue.remove(waiter)) {
        return;
      }
      waiting--;
      if (queue.isEmpty()) {
        queues.remove(waiter.key);
      } else if (head) {
        next = queue.peekFirst();
      }
    }
    if (next != null) {
      ask(next);
    }
  }

  private void complete(Runnable completion) {
    Continuations.run(engine.executor(), completion);
  }

  synchronized int waiting() {
    return waiting;
  }
}
