package dev.weir.redis;

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
 * A clock that stands still while this process is stalled. Deadlines are counted by it, so that
 * Redis is blamed for its own time only, up to {@link Deadline#MAX_EXTENSION}.
 *
 * <p><b>Why.</b> A process that just started, collects garbage, or waits for a processor may read
 * an answer long after it came. To take Redis for gone then would decide requests without it, for
 * no fault of its own.
 *
 * <p><b>How.</b> While requests are outstanding, a heartbeat goes through the timer thread and
 * through each event loop that reads from Redis, every {@link #BEAT_NANOS}. By as much as it is
 * late, nothing could be read, and the clock stands still. Before a deadline is enforced, {@link
 * #afterReads} passes through the event loops once more: what has arrived by then is read first.
 *
 * <p>Where this process waits for a processor, Redis may have to as well, if it runs on the same
 * machine, and so may whatever is between the two. So for a second after a stall, requests have
 * {@link #GRACE} times as long.
 */
final class StallClock {
  static final long BEAT_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  /** A heartbeat that is late by so little shows nothing but an ordinary thread switch. */
  static final long TOLERANCE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** An event loop that is blocked for longer does not hold up deadlines any more. */
  private static final long MAX_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How many times as long requests have while stalls are recent. */
  static final int GRACE = 8;

  /** What stands for a machine that is busy: so much of a second lost. */
  private static final long BUSY_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private static final Duration RECENT = Duration.ofSeconds(1);

  private final Iterable<? extends Executor> loops;
  private final ScheduledExecutorService timer;
  private final BooleanSupplier outstanding;
  private final LongSupplier time;

  private volatile long stalledNanos;
  private volatile boolean used;
  private volatile boolean beating;

  // Under the lock.
  private long accountedNanos;
  private long recentNanos;
  private long recentSinceNanos;

  /** Until when the machine counts as busy. */
  private volatile long busyUntilNanos;

  /**
   * @param loops the event loops that read from Redis, as many as there are by now
   * @param outstanding whether anybody waits for Redis
   */
  StallClock(
      Iterable<? extends Executor> loops,
      ScheduledExecutorService timer,
      BooleanSupplier outstanding) {
    this(loops, timer, outstanding, System::nanoTime);
  }

  StallClock(
      Iterable<? extends Executor> loops,
      ScheduledExecutorService timer,
      BooleanSupplier outstanding,
      LongSupplier time) {
    this.loops = loops;
    this.timer = timer;
    this.outstanding = outstanding;
    this.time = time;
    this.accountedNanos = time.getAsLong();
    this.recentSinceNanos = accountedNanos;
    this.busyUntilNanos = accountedNanos;
  }

  /** Nanoseconds that this process was able to run, since some moment. */
  long nanos() {
    return time.getAsLong() - stalledNanos;
  }

  /**
   * The deadline of a request that comes now.
   *
   * @param usual by which grace is measured, where this request has more time than others
   */
  Deadline deadline(Duration time, Duration usual) {
    long latest = wallNanos() + time.plus(Deadline.MAX_EXTENSION).toNanos();
    return new Deadline(nanos() + time.toNanos(), (GRACE - 1) * usual.toNanos(), latest);
  }

  Deadline deadline(Duration time) {
    return deadline(time, time);
  }

  /** How long a request still has; not positive if its time is over. */
  long leftNanos(Deadline deadline) {
    long now = wallNanos();
    long grace = now - busyUntilNanos < 0 ? deadline.graceNanos() : 0;
    return Math.min(deadline.nanos() + grace - nanos(), deadline.latestNanos() - now);
  }

  private long wallNanos() {
    return time.getAsLong();
  }

  /** Notes that something is asked: until all is answered, stalls are looked for. */
  void use() {
    if (!used) {
      used = true;
    }
    if (!beating) {
      begin();
    }
  }

  private synchronized void begin() {
    if (!beating) {
      beating = true;
      scheduleBeat();
    }
  }

  private void scheduleBeat() {
    long dueNanos = time.getAsLong() + BEAT_NANOS;
    try {
      var unused = timer.schedule(() -> beat(dueNanos), BEAT_NANOS, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      beating = false; // closed
    }
  }

  private void beat(long dueNanos) {
    account(dueNanos);
    for (Executor loop : loops) {
      through(loop, () -> {});
    }
    if (used || outstanding.getAsBoolean()) {
      used = false;
      scheduleBeat();
      return;
    }
    synchronized (this) {
      beating = false;
    }
    if (used) {
      begin(); // somebody came while this was being ended
    }
  }

  /** Notes that what was due at {@code dueNanos} runs only now. */
  private synchronized void account(long dueNanos) {
    long now = time.getAsLong();
    long from = dueNanos + TOLERANCE_NANOS;
    // Loops that are stalled at the same time are one stall.
    if (from - accountedNanos < 0) {
      from = accountedNanos;
    }
    if (now - from > 0) {
      stalledNanos += now - from;
      accountedNanos = now;
      noteStall(now - from, now);
    }
  }

  private void noteStall(long nanos, long now) {
    if (now - recentSinceNanos > RECENT.toNanos()) {
      recentSinceNanos = now;
      recentNanos = 0;
    }
    recentNanos += nanos;
    if (recentNanos >= BUSY_NANOS) {
      expectStalls(RECENT);
    }
  }

  /** Takes the machine for busy, so long at least. */
  synchronized void expectStalls(Duration next) {
    long until = time.getAsLong() + next.toNanos();
    if (until - busyUntilNanos > 0) {
      busyUntilNanos = until;
    }
  }

  /**
   * Runs {@code check} on the timer thread, once all that has arrived from Redis is read. A loop
   * that is blocked is waited for a second at most.
   */
  void afterReads(Runnable check) {
    new Reads(check).await();
  }

  /** Waits until each event loop has come by, or for {@link #MAX_WAIT_NANOS}. */
  private final class Reads {
    private final Runnable check;
    private final AtomicInteger left = new AtomicInteger(1);
    private final AtomicBoolean done = new AtomicBoolean();
    private volatile @Nullable Future<?> giveUp;

    Reads(Runnable check) {
      this.check = check;
    }

    void await() {
      for (Executor loop : loops) {
        left.incrementAndGet();
        through(loop, this::passed);
      }
      if (left.get() > 1) {
        try {
          giveUp = timer.schedule(this::finish, MAX_WAIT_NANOS, TimeUnit.NANOSECONDS);
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
        Future<?> waiting = giveUp;
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

  private void through(Executor loop, Runnable then) {
    long postedNanos = time.getAsLong();
    try {
      loop.execute(
          () -> {
            account(postedNanos);
            then.run();
          });
    } catch (RejectedExecutionException e) {
      then.run(); // that loop has ended
    }
  }
}
