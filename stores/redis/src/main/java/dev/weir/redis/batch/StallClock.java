package dev.weir.redis.batch;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A clock that stands still while this process is stalled. Deadlines run on it, so that Redis is
 * blamed only for its own time, up to {@link Deadline#MAX_EXTENSION}.
 *
 * <p><b>Why.</b> A process that has just started, collects garbage, or waits for a processor may
 * read a reply long after it came. To treat Redis as failed then would decide requests without it,
 * though it answered in time.
 *
 * <p><b>How.</b> While requests are outstanding, a heartbeat passes through the timer thread and
 * through each event loop that reads from Redis, every {@link #HEARTBEAT_NANOS}. For as long as a
 * heartbeat is late nothing could be read, and the clock stands still. Before a deadline is
 * enforced, {@link #afterReads} passes through the event loops once more, so that replies that have
 * arrived are read first.
 *
 * <p>When this process waits for a processor, so may Redis, if it runs on the same machine, and so
 * may everything between the two. So for a second after a stall, requests have {@link
 * #GRACE_FACTOR} times as long.
 *
 * <p>Thread-safe.
 */
final class StallClock {
  static final long HEARTBEAT_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  /** A heartbeat that is at most this late shows only an ordinary thread switch. */
  static final long TOLERANCE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** An event loop that is blocked for longer no longer delays deadlines. */
  private static final long MAX_READ_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** The factor by which requests have more time after a stall. */
  static final int GRACE_FACTOR = 8;

  /** The machine is busy if stalls sum up to this much within {@link #RECENT}. */
  private static final long BUSY_STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private static final Duration RECENT = Duration.ofSeconds(1);

  private final Iterable<? extends Executor> eventLoops;
  private final ScheduledExecutorService timer;
  private final BooleanSupplier isOutstanding;
  private final LongSupplier time;

  private volatile long stalledNanos;
  private volatile boolean usedSinceHeartbeat;
  private volatile boolean beating;

  // Guarded by this.
  private long accountedNanos;
  private long recentNanos;
  private long recentSinceNanos;

  /** The end of the time in which the machine is treated as busy. */
  private volatile long busyUntilNanos;

  /**
   * A clock on {@link System#nanoTime}.
   *
   * @param eventLoops a live view of the event loops that read from Redis
   * @param isOutstanding whether a request is outstanding
   */
  StallClock(
      Iterable<? extends Executor> eventLoops,
      ScheduledExecutorService timer,
      BooleanSupplier isOutstanding) {
    this(eventLoops, timer, isOutstanding, System::nanoTime);
  }

  StallClock(
      Iterable<? extends Executor> eventLoops,
      ScheduledExecutorService timer,
      BooleanSupplier isOutstanding,
      LongSupplier time) {
    this.eventLoops = eventLoops;
    this.timer = timer;
    this.isOutstanding = isOutstanding;
    this.time = time;
    this.accountedNanos = time.getAsLong();
    this.recentSinceNanos = accountedNanos;
    this.busyUntilNanos = accountedNanos;
  }

  /** The nanoseconds in which this process was able to run, from an arbitrary origin. */
  long nanos() {
    return time.getAsLong() - stalledNanos;
  }

  /**
   * The deadline of a request that arrives now.
   *
   * @param usual the usual time, from which grace is derived; {@code time} may be longer
   */
  Deadline deadline(Duration time, Duration usual) {
    long latest = wallNanos() + time.plus(Deadline.MAX_EXTENSION).toNanos();
    return new Deadline(nanos() + time.toNanos(), (GRACE_FACTOR - 1) * usual.toNanos(), latest);
  }

  /** The deadline of a request that arrives now. */
  Deadline deadline(Duration time) {
    return deadline(time, time);
  }

  /** The time until a deadline; zero or negative if it has passed. */
  long leftNanos(Deadline deadline) {
    long now = wallNanos();
    long grace = now - busyUntilNanos < 0 ? deadline.graceNanos() : 0;
    return Math.min(deadline.nanos() + grace - nanos(), deadline.latestNanos() - now);
  }

  private long wallNanos() {
    return time.getAsLong();
  }

  /** Called for each request: heartbeats run until none is outstanding. */
  void onRequest() {
    if (!usedSinceHeartbeat) {
      usedSinceHeartbeat = true;
    }
    if (!beating) {
      startHeartbeat();
    }
  }

  private synchronized void startHeartbeat() {
    if (!beating) {
      beating = true;
      scheduleHeartbeat();
    }
  }

  private void scheduleHeartbeat() {
    long dueNanos = time.getAsLong() + HEARTBEAT_NANOS;
    try {
      var unused = timer.schedule(() -> heartbeat(dueNanos), HEARTBEAT_NANOS, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      beating = false; // closed
    }
  }

  private void heartbeat(long dueNanos) {
    recordRun(dueNanos);
    for (Executor loop : eventLoops) {
      runOn(loop, () -> {});
    }
    if (usedSinceHeartbeat || isOutstanding.getAsBoolean()) {
      usedSinceHeartbeat = false;
      scheduleHeartbeat();
      return;
    }
    synchronized (this) {
      beating = false;
    }
    if (usedSinceHeartbeat) {
      startHeartbeat(); // a request arrived in between
    }
  }

  /** Stops the clock for as long as a task that was due at {@code dueNanos} is late. */
  private synchronized void recordRun(long dueNanos) {
    long now = time.getAsLong();
    long from = dueNanos + TOLERANCE_NANOS;
    // Event loops that are stalled at the same time are one stall.
    if (from - accountedNanos < 0) {
      from = accountedNanos;
    }
    if (now - from > 0) {
      stalledNanos += now - from;
      accountedNanos = now;
      recordStall(now - from, now);
    }
  }

  private void recordStall(long nanos, long now) {
    if (now - recentSinceNanos > RECENT.toNanos()) {
      recentSinceNanos = now;
      recentNanos = 0;
    }
    recentNanos += nanos;
    if (recentNanos >= BUSY_STALL_NANOS) {
      expectStalls(RECENT);
    }
  }

  /** Treats the machine as busy for at least this long. */
  synchronized void expectStalls(Duration next) {
    long until = time.getAsLong() + next.toNanos();
    if (until - busyUntilNanos > 0) {
      busyUntilNanos = until;
    }
  }

  /**
   * Runs {@code check} on the timer thread, once everything that has arrived from Redis is read. A
   * blocked event loop delays it by a second at most.
   */
  void afterReads(Runnable check) {
    new ReadBarrier(check).await();
  }

  /** Waits until each event loop has run a task, or for {@link #MAX_READ_WAIT_NANOS}. */
  private final class ReadBarrier {
    private final Runnable check;
    private final AtomicInteger left = new AtomicInteger(1);
    private final AtomicBoolean done = new AtomicBoolean();
    private volatile @Nullable Future<?> timeout;

    ReadBarrier(Runnable check) {
      this.check = check;
    }

    void await() {
      for (Executor loop : eventLoops) {
        left.incrementAndGet();
        runOn(loop, this::passed);
      }
      if (left.get() > 1) {
        try {
          timeout = timer.schedule(this::finish, MAX_READ_WAIT_NANOS, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
          finish(); // closed
        }
      }
      passed();
    }

    private void passed() {
      if (left.decrementAndGet() == 0) {
        finish();
      }
    }

    private void finish() {
      if (done.compareAndSet(false, true)) {
        Future<?> waiting = timeout;
        if (waiting != null) {
          waiting.cancel(false);
        }
        onTimer(check);
      }
    }
  }

  private void onTimer(Runnable check) {
    try {
      timer.execute(check);
    } catch (RejectedExecutionException e) {
      check.run(); // closed
    }
  }

  private void runOn(Executor loop, Runnable then) {
    long postedNanos = time.getAsLong();
    try {
      loop.execute(
          () -> {
            recordRun(postedNanos);
            then.run();
          });
    } catch (RejectedExecutionException e) {
      then.run(); // the event loop has ended
    }
  }
}
