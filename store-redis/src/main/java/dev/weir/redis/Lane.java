package dev.weir.redis;

import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.operation.Operation;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Future;
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
 * <p>Each request is answered by its deadline, with a failure if need be. Nothing is sent twice. As
 * long as a batch stays out nothing more is sent, so that a server that is silent is owed no more
 * than that; one that stays silent is given up, and the way is free again.
 *
 * <p>It is longer than other classes because all of it is one state under one lock.
 */
final class Lane {
  /** While a script runs nobody else is served; and it can name no more than 8,000 keys at once. */
  private static final int MAX_CLAIMS_IN_BATCH = 4_000;

  /** For the sake of so little no other timer is set. */
  private static final long CLOSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final Sender sender;
  private final int mostWaiting;
  private final int mostInBatch;
  private final int mostInFlight;
  private final Duration patience;
  private final ScheduledExecutorService timer;
  private final StallClock clock;

  private final Deque<Pending> waiting = new ArrayDeque<>();
  private final List<Trip> inFlight = new ArrayList<>();

  /** Those that are back, but whose answers are still being given. */
  private final List<Trip> answering = new ArrayList<>();

  private @Nullable Future<?> timeout;
  private long timeoutNanos;
  private boolean closed;

  /** Sends batches. */
  interface Sender {
    /** Sends a batch, gives each request its answer, and then, whatever happens, calls back. */
    void send(List<Pending> batch, Runnable done);

    /** Called when a batch has not come back long after its deadline, and is given up. */
    void silent();
  }

  /**
   * @param patience how long after its deadline a batch is still waited for
   * @param clock by which deadlines are counted
   */
  Lane(
      Sender sender,
      int mostWaiting,
      int mostInBatch,
      int mostInFlight,
      Duration patience,
      ScheduledExecutorService timer,
      StallClock clock) {
    this.sender = sender;
    this.mostWaiting = mostWaiting;
    this.mostInBatch = mostInBatch;
    this.mostInFlight = mostInFlight;
    this.patience = patience;
    this.timer = timer;
    this.clock = clock;
  }

  void submit(Pending request) {
    clock.use();
    Trip trip;
    String refused = null;
    synchronized (this) {
      if (closed) {
        refused = "the store is closed";
      } else if (waiting.size() >= mostWaiting) {
        refused = "too many requests wait for Redis: " + mostWaiting;
      } else {
        waiting.addLast(request);
      }
      trip = refused == null ? next() : null;
      if (refused == null && (timeout == null || request.deadline.nanos() - timeoutNanos < 0)) {
        setTimeout(clock.leftNanos(request.deadline));
      }
    }
    if (refused != null) {
      request.givenUp(Effect.NONE, refused);
    }
    send(trip);
  }

  /** What goes next, if the way is free and anybody waits. Called under the lock. */
  private @Nullable Trip next() {
    if (closed || inFlight.size() >= mostInFlight || waiting.isEmpty()) {
      return null;
    }
    List<Pending> batch = new ArrayList<>(Math.min(mostInBatch, waiting.size()));
    int room = MAX_CLAIMS_IN_BATCH;
    for (Pending first = waiting.peekFirst();
        first != null && batch.size() < mostInBatch && first.claims.size() <= room;
        first = waiting.peekFirst()) {
      waiting.removeFirst();
      boolean granting = first.operation == Operation.TAKE || first.operation == Operation.LOOK;
      if (first.isAwaited() || !granting) {
        room -= first.claims.size();
        batch.add(first);
      } else {
        first.givenUp(Effect.NONE, "cancelled"); // which costs nothing
      }
    }
    if (batch.isEmpty()) {
      return null;
    }
    Trip trip = new Trip(batch);
    inFlight.add(trip);
    return trip;
  }

  /** Sends a batch, and after it whatever waits; a loop, since a batch may fail at once. */
  private void send(@Nullable Trip first) {
    Trip trip = first;
    while (trip != null) {
      try {
        sender.send(trip.batch, trip);
      } catch (RuntimeException e) {
        fail(trip.batch, new StoreFailure(Effect.UNKNOWN, "cannot send: " + e, e));
        trip.run();
      }
      trip = trip.sent();
    }
  }

  /** A batch under way. Whoever comes second, the sending or the return, sends what is next. */
  private final class Trip implements Runnable {
    private final List<Pending> batch;
    private boolean sent;
    private boolean back;
    private boolean late;

    Trip(List<Pending> batch) {
      this.batch = batch;
    }

    @Nullable Trip sent() {
      synchronized (Lane.this) {
        sent = true;
        return back ? next() : null;
      }
    }

    @Override
    public void run() {
      Trip next;
      synchronized (Lane.this) {
        if (back) {
          return;
        }
        back = true;
        inFlight.remove(this);
        if (isOpen()) {
          // A deadline may be far away; what is answered by now is not kept until then.
          answering.removeIf(trip -> !trip.isOpen());
          answering.add(this);
        }
        next = sent ? next() : null;
        watch();
      }
      send(next);
    }

    /** Adds those who still wait though their time is over; whether there are any others, too. */
    boolean addLate(List<Pending> late) {
      boolean found = false;
      for (Pending request : batch) {
        if (clock.leftNanos(request.deadline) <= 0) {
          found = true;
          if (request.isAwaited()) {
            late.add(request);
          }
        }
      }
      return found;
    }

    /**
     * When the next of its deadlines is due. One that is out is looked at then even if nobody waits
     * any more: the way must be made free for others.
     */
    long leftNanos() {
      long earliest = Long.MAX_VALUE;
      for (Pending request : batch) {
        if (request.isAwaited() || (!back && !late)) {
          earliest = Math.min(earliest, clock.leftNanos(request.deadline));
        }
      }
      return earliest;
    }

    /** Whether a request of it has no answer yet. */
    boolean isOpen() {
      for (Pending request : batch) {
        if (request.isAwaited()) {
          return true;
        }
      }
      return false;
    }

    /** Its requests have long been told; now the way is made free for others. */
    void giveUp() {
      synchronized (Lane.this) {
        if (back) {
          return;
        }
      }
      try {
        sender.silent();
      } finally {
        run();
      }
    }
  }

  /** Sees to it that somebody looks when the next deadline is due. Called under the lock. */
  private void watch() {
    if (timeout != null || closed) {
      return;
    }
    long earliest = Long.MAX_VALUE;
    for (Pending request : waiting) {
      earliest = Math.min(earliest, clock.leftNanos(request.deadline));
    }
    for (List<Trip> trips : List.of(inFlight, answering)) {
      for (Trip trip : trips) {
        earliest = Math.min(earliest, trip.leftNanos());
      }
    }
    if (earliest != Long.MAX_VALUE) {
      setTimeout(earliest);
    }
  }

  /** Sees to it that somebody looks after so long, or before. Called under the lock. */
  private void setTimeout(long leftNanos) {
    long at = clock.nanos() + leftNanos;
    Future<?> before = timeout;
    if (closed || (before != null && timeoutNanos - at <= CLOSE_NANOS)) {
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
    List<Pending> unsent = new ArrayList<>();
    List<Pending> unknown = new ArrayList<>();
    synchronized (this) {
      for (Iterator<Pending> each = waiting.iterator(); each.hasNext(); ) {
        Pending request = each.next();
        if (clock.leftNanos(request.deadline) <= 0) {
          unsent.add(request);
          each.remove();
        }
      }
      for (Trip trip : inFlight) {
        if (trip.addLate(unknown) && !trip.late && !closed) {
          trip.late = true;
          var unused = timer.schedule(trip::giveUp, patience.toNanos(), TimeUnit.NANOSECONDS);
        }
      }
      answering.removeIf(trip -> !trip.isOpen());
      answering.forEach(trip -> trip.addLate(unknown));
      timeout = null;
      watch();
    }
    // Outside the lock, for whoever waits for them may do anything.
    unsent.forEach(request -> request.givenUp(Effect.NONE, "Redis is busy: not sent in time"));
    unknown.forEach(Pending::expire);
  }

  /** Whether nobody waits, nothing is out, and all that was is answered. */
  synchronized boolean isIdle() {
    return waiting.isEmpty() && inFlight.isEmpty() && answering.stream().noneMatch(Trip::isOpen);
  }

  /** How many batches are out, or were and may not be answered. */
  synchronized int remembered() {
    return inFlight.size() + answering.size();
  }

  /** Nothing more is sent. What waits was not done; what is out may have been. */
  void close() {
    List<Pending> unsent;
    List<Pending> unknown = new ArrayList<>();
    synchronized (this) {
      closed = true;
      unsent = List.copyOf(waiting);
      waiting.clear();
      inFlight.forEach(trip -> unknown.addAll(trip.batch));
      answering.forEach(trip -> unknown.addAll(trip.batch));
    }
    unsent.forEach(request -> request.givenUp(Effect.NONE, "the store is closed"));
    unknown.forEach(request -> request.givenUp(Effect.UNKNOWN, "the store is closed"));
  }

  /** Takes the failure of a batch to each of its requests, once. */
  static void fail(List<Pending> batch, StoreFailure failure) {
    batch.forEach(request -> request.ended(failure));
  }
}
