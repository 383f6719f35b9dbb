package dev.weir.redis;

import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The way to one server, where requests travel in batches.
 *
 * <p><b>How.</b> A request that finds the way free goes at once, alone. Those that arrive while a
 * batch is out wait, and go together in the next one when it has come back. Nothing ever waits for
 * a timer, and the busier the server is the larger are the batches, so it is never busier than it
 * must be.
 *
 * <p>Each request is answered by its deadline, with a failure if need be. Nothing is sent twice.
 */
final class Lane {
  private final Sender sender;
  private final int mostWaiting;
  private final int mostInBatch;
  private final int mostInFlight;
  private final ScheduledExecutorService timer;

  private final Deque<Pending> waiting = new ArrayDeque<>();
  private final List<List<Pending>> inFlight = new ArrayList<>();
  private boolean timed;
  private boolean closed;

  /** Sends batches. */
  interface Sender {
    /** Sends a batch, gives each request its answer, and then, whatever happens, calls back. */
    void send(List<Pending> batch, Runnable done);

    /** Called when requests of a batch have had no answer by their deadline. */
    void unanswered(List<Pending> batch);
  }

  Lane(
      Sender sender,
      int mostWaiting,
      int mostInBatch,
      int mostInFlight,
      ScheduledExecutorService timer) {
    this.sender = sender;
    this.mostWaiting = mostWaiting;
    this.mostInBatch = mostInBatch;
    this.mostInFlight = mostInFlight;
    this.timer = timer;
  }

  void submit(Pending request) {
    List<Pending> batch;
    String refused = null;
    synchronized (this) {
      if (closed) {
        refused = "the store is closed";
      } else if (waiting.size() >= mostWaiting) {
        refused = "too many requests wait for Redis: " + mostWaiting;
      } else {
        waiting.addLast(request);
      }
      batch = refused == null ? next() : null;
      watch();
    }
    if (refused != null) {
      request.fail(Effect.NONE, refused);
    }
    if (batch != null) {
      send(batch);
    }
  }

  /** What goes next, if the way is free and anybody waits. */
  private @Nullable List<Pending> next() {
    if (inFlight.size() >= mostInFlight || waiting.isEmpty()) {
      return null;
    }
    List<Pending> batch = new ArrayList<>(Math.min(mostInBatch, waiting.size()));
    while (batch.size() < mostInBatch && !waiting.isEmpty()) {
      batch.add(waiting.removeFirst());
    }
    inFlight.add(batch);
    return batch;
  }

  /** Sends a batch, and after it whatever waits; a loop, since a batch may fail at once. */
  private void send(List<Pending> first) {
    List<Pending> batch = first;
    while (batch != null) {
      Trip trip = new Trip(batch);
      sender.send(batch, trip);
      batch = trip.sent();
    }
  }

  /** A batch under way. Whoever comes second, the sending or the return, sends what is next. */
  private final class Trip implements Runnable {
    private final List<Pending> batch;
    private boolean sent;
    private boolean back;

    Trip(List<Pending> batch) {
      this.batch = batch;
    }

    @Nullable List<Pending> sent() {
      synchronized (Lane.this) {
        sent = true;
        return back ? next() : null;
      }
    }

    @Override
    public void run() {
      List<Pending> next;
      synchronized (Lane.this) {
        if (back) {
          return;
        }
        back = true;
        inFlight.removeIf(one -> one == batch);
        next = sent ? next() : null;
      }
      if (next != null) {
        send(next);
      }
    }
  }

  /** Sees to it that somebody looks when the next deadline is due. Called under the lock. */
  private void watch() {
    if (timed) {
      return;
    }
    long earliest = Long.MAX_VALUE;
    Pending first = waiting.peekFirst();
    long now = System.nanoTime();
    if (first != null) {
      earliest = first.deadlineNanos - now;
    }
    for (List<Pending> batch : inFlight) {
      for (Pending request : batch) {
        if (!request.isDone()) {
          earliest = Math.min(earliest, request.deadlineNanos - now);
          break; // they stand in the order of their deadlines
        }
      }
    }
    if (earliest != Long.MAX_VALUE) {
      timed = true;
      var unused = timer.schedule(this::expire, Math.max(0, earliest), TimeUnit.NANOSECONDS);
    }
  }

  private void expire() {
    List<Pending> unsent = new ArrayList<>();
    List<Pending> unknown = new ArrayList<>();
    List<List<Pending>> silent = new ArrayList<>();
    synchronized (this) {
      long now = System.nanoTime();
      for (Iterator<Pending> each = waiting.iterator(); each.hasNext(); ) {
        Pending request = each.next();
        if (request.deadlineNanos - now > 0) {
          break;
        }
        unsent.add(request);
        each.remove();
      }
      for (List<Pending> batch : inFlight) {
        boolean late = false;
        for (Pending request : batch) {
          if (!request.isDone() && request.deadlineNanos - now <= 0) {
            unknown.add(request);
            late = true;
          }
        }
        if (late) {
          silent.add(batch);
        }
      }
      unknown.forEach(request -> request.fail(Effect.UNKNOWN, "Redis did not answer in time"));
      timed = false;
      watch();
    }
    unsent.forEach(request -> request.fail(Effect.NONE, "Redis is busy: not sent in time"));
    silent.forEach(sender::unanswered);
  }

  /** Nothing more is sent. What waits fails; what is out may still come back. */
  void close() {
    List<Pending> left;
    synchronized (this) {
      closed = true;
      left = List.copyOf(waiting);
      waiting.clear();
    }
    left.forEach(request -> request.fail(Effect.NONE, "the store is closed"));
  }

  /** Takes the failure of a batch to each of its requests, once. */
  static void fail(List<Pending> batch, StoreFailure failure) {
    batch.forEach(request -> request.completeExceptionally(failure));
  }
}
