package dev.weir.redis.batch;

import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to one node in batches.
 *
 * <p><b>How.</b> A request that finds no batch in flight is sent at once, alone. Requests that
 * arrive while a batch is in flight wait, and are sent together when it has returned. No request
 * ever waits for a timer, and the busier the node is the larger are the batches, so the load on it
 * is never higher than necessary.
 *
 * <p>Each request is answered by its deadline, with a failure if need be. No request is sent twice.
 * While a batch is in flight nothing more is sent, so an unresponsive node has no more than that
 * left to answer; a batch that stays unanswered is given up, and the next one is sent.
 *
 * <p>Thread-safe: one lock guards all state; requests that a caller awaits are completed outside of
 * it.
 */
public final class Lane {
  /** A timer that is at most this late is not replaced by an earlier one. */
  private static final long TIMER_TOLERANCE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final Sender sender;
  private final int maxInFlight;
  private final Duration lateReplyTimeout;
  private final ScheduledExecutorService timer;
  private final StallClock clock;

  private final BatchQueue waiting;
  private final List<InFlightBatch> inFlight = new ArrayList<>();

  /** Batches that have returned, but whose requests are not all completed. */
  private final List<InFlightBatch> completing = new ArrayList<>();

  private @Nullable Future<?> timeout;
  private long timeoutNanos;
  private boolean closed;

  /** Sends batches. */
  interface Sender {
    /** Sends a batch, completes each request, and then, whatever happens, runs {@code done}. */
    void send(List<PendingRequest> batch, Runnable done);

    /** Called when a batch is given up because it has not returned long after its deadline. */
    void onUnresponsive();
  }

  /**
   * A lane that sends through {@code sender}.
   *
   * @param maxWaiting the maximum number of requests that wait; those above it fail at once
   * @param maxInBatch the maximum number of requests in a batch
   * @param maxInFlight the maximum number of batches in flight
   * @param lateReplyTimeout how long after its deadline a batch is given up
   * @param clock the clock of the deadlines
   */
  Lane(
      Sender sender,
      int maxWaiting,
      int maxInBatch,
      int maxInFlight,
      Duration lateReplyTimeout,
      ScheduledExecutorService timer,
      StallClock clock) {
    this.sender = sender;
    this.waiting = new BatchQueue(maxWaiting, maxInBatch);
    this.maxInFlight = maxInFlight;
    this.lateReplyTimeout = lateReplyTimeout;
    this.timer = timer;
    this.clock = clock;
  }

  /** Sends a request, or fails it at once if the queue is full or the lane is closed. */
  public void submit(PendingRequest request) {
    clock.onRequest();
    InFlightBatch batch;
    String rejection = null;
    synchronized (this) {
      if (closed) {
        rejection = "the store is closed";
      } else if (waiting.isFull()) {
        rejection = "too many requests wait for Redis: " + waiting.maxWaiting();
      } else {
        waiting.add(request);
      }
      batch = rejection == null ? next() : null;
      if (rejection == null && (timeout == null || request.deadline.nanos() - timeoutNanos < 0)) {
        setTimeout(clock.leftNanos(request.deadline));
      }
    }
    if (rejection != null) {
      request.abandon(Effect.NONE, rejection);
    }
    send(batch);
  }

  /** The next batch, if one may be sent and any request waits. Called under the lock. */
  private @Nullable InFlightBatch next() {
    if (closed || inFlight.size() >= maxInFlight || waiting.isEmpty()) {
      return null;
    }
    List<PendingRequest> requests = waiting.removeBatch();
    if (requests.isEmpty()) {
      return null;
    }
    InFlightBatch batch = new InFlightBatch(requests);
    inFlight.add(batch);
    return batch;
  }

  /** Sends a batch, and then those that wait; a loop, because a batch may fail at once. */
  private void send(@Nullable InFlightBatch first) {
    InFlightBatch batch = first;
    while (batch != null) {
      InFlightBatch current = batch;
      try {
        sender.send(current.requests, () -> onReturn(current));
      } catch (RuntimeException e) {
        fail(current.requests, new StoreFailure(Effect.UNKNOWN, "cannot send: " + e, e));
        onReturn(current);
      }
      batch = onSent(current);
    }
  }

  /** Marks a batch as sent. The later of this and {@link #onReturn} starts the next batch. */
  private synchronized @Nullable InFlightBatch onSent(InFlightBatch batch) {
    batch.sent = true;
    return batch.returned ? next() : null;
  }

  private void onReturn(InFlightBatch batch) {
    InFlightBatch next;
    synchronized (this) {
      if (batch.returned) {
        return;
      }
      batch.returned = true;
      inFlight.remove(batch);
      if (batch.isAwaited()) {
        // A deadline may be far away; batches that are complete by now are not kept until then.
        completing.removeIf(other -> !other.isAwaited());
        completing.add(batch);
      }
      next = batch.sent ? next() : null;
      scheduleTimeout();
    }
    send(next);
  }

  /** Gives up a batch whose requests have failed long ago, to let others be sent. */
  private void giveUp(InFlightBatch batch) {
    synchronized (this) {
      if (batch.returned) {
        return;
      }
    }
    try {
      sender.onUnresponsive();
    } finally {
      onReturn(batch);
    }
  }

  /** Sets the timer to the next deadline, unless it is set. Called under the lock. */
  private void scheduleTimeout() {
    if (timeout != null || closed) {
      return;
    }
    long earliest = waiting.leftNanos(clock);
    for (List<InFlightBatch> batches : List.of(inFlight, completing)) {
      for (InFlightBatch batch : batches) {
        earliest = Math.min(earliest, batch.leftNanos(clock));
      }
    }
    if (earliest != Long.MAX_VALUE) {
      setTimeout(earliest);
    }
  }

  /** Makes sure that the timer fires after this time at the latest. Called under the lock. */
  private void setTimeout(long leftNanos) {
    long at = clock.nanos() + leftNanos;
    Future<?> before = timeout;
    if (closed || (before != null && timeoutNanos - at <= TIMER_TOLERANCE_NANOS)) {
      return;
    }
    if (before != null) {
      before.cancel(false);
    }
    timeoutNanos = at;
    timeout =
        timer.schedule(
            () -> clock.afterReads(this::expire), Math.max(0, leftNanos), TimeUnit.NANOSECONDS);
  }

  private void expire() {
    List<PendingRequest> unsent;
    List<PendingRequest> unanswered = new ArrayList<>();
    synchronized (this) {
      unsent = waiting.removeExpired(clock);
      for (InFlightBatch batch : inFlight) {
        if (batch.addExpired(clock, unanswered) && !batch.late && !closed) {
          batch.late = true;
          var unused =
              timer.schedule(() -> giveUp(batch), lateReplyTimeout.toNanos(), TimeUnit.NANOSECONDS);
        }
      }
      completing.removeIf(batch -> !batch.isAwaited());
      completing.forEach(batch -> batch.addExpired(clock, unanswered));
      timeout = null;
      scheduleTimeout();
    }
    // Outside the lock, because callers may do anything.
    unsent.forEach(request -> request.abandon(Effect.NONE, "Redis is busy: not sent in time"));
    unanswered.forEach(PendingRequest::expire);
  }

  /** Whether no request waits, no batch is in flight, and all requests are completed. */
  synchronized boolean isIdle() {
    return waiting.isEmpty()
        && inFlight.isEmpty()
        && completing.stream().noneMatch(InFlightBatch::isAwaited);
  }

  /** The number of batches that are in flight, or have returned and may not be completed. */
  synchronized int trackedBatches() {
    return inFlight.size() + completing.size();
  }

  /**
   * Fails all requests, and sends no more. Those that wait had no effect; the effect of those in
   * flight is unknown.
   */
  void close() {
    List<PendingRequest> unsent;
    List<PendingRequest> unanswered = new ArrayList<>();
    synchronized (this) {
      closed = true;
      unsent = waiting.removeAll();
      inFlight.forEach(batch -> unanswered.addAll(batch.requests));
      completing.forEach(batch -> unanswered.addAll(batch.requests));
    }
    unsent.forEach(request -> request.abandon(Effect.NONE, "the store is closed"));
    unanswered.forEach(request -> request.abandon(Effect.UNKNOWN, "the store is closed"));
  }

  /** Fails each request of a batch that is not completed yet. */
  static void fail(List<PendingRequest> batch, StoreFailure failure) {
    batch.forEach(request -> request.onFailure(failure));
  }
}
