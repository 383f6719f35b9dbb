package dev.weir.server.transport;

import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Monitors all event loops, including those that accept connections. Thread-safe.
 *
 * <p>An event loop that has ended takes its connections, or a whole port, with it, and cannot be
 * restarted: the process has to be restarted, and the monitor reports that. A loop that is blocked
 * may recover; meanwhile the process does not report itself healthy.
 *
 * <p>A loop that ends for lack of memory may be unable to report it. So a thread checks the loops'
 * threads once a second, which allocates no memory.
 */
public final class LoopMonitor {
  private static final long HEARTBEAT_MILLIS = 1_000;
  private static final long MAX_SILENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final List<Loop> loops = new CopyOnWriteArrayList<>();
  private final Consumer<String> onDeath;
  private final LongSupplier nanos;
  private final Predicate<Thread> isAlive;
  private volatile boolean closing;

  private static final class Loop {
    final String name;
    final String endedMessage;
    final EventExecutor executor;
    volatile @Nullable Thread thread;
    volatile long heartbeatNanos;

    Loop(String name, EventExecutor executor) {
      this.name = name;
      this.endedMessage = "the event loop \"" + name + "\" has ended";
      this.executor = executor;
    }
  }

  /**
   * Monitors nothing yet.
   *
   * @param onDeath gets a description of a loop that ended while the server was running
   */
  public LoopMonitor(Consumer<String> onDeath) {
    this(onDeath, System::nanoTime, Thread::isAlive);
  }

  LoopMonitor(Consumer<String> onDeath, LongSupplier nanos, Predicate<Thread> isAlive) {
    this.onDeath = onDeath;
    this.nanos = nanos;
    this.isAlive = isAlive;
  }

  /** Adds the loops of a group. */
  public void watch(String name, EventLoopGroup group) {
    int number = 0;
    for (EventExecutor executor : group) {
      Loop loop = new Loop(name + " " + number++, executor);
      loop.heartbeatNanos = nanos.getAsLong();
      loops.add(loop);
      executor.terminationFuture().addListener(future -> onEnd(loop));
    }
  }

  /** Begins to check whether loops are blocked or have ended. */
  public void start() {
    for (Loop loop : loops) {
      loop.heartbeatNanos = nanos.getAsLong();
      var unused =
          loop.executor.scheduleAtFixedRate(
              () -> heartbeat(loop), 0, HEARTBEAT_MILLIS, TimeUnit.MILLISECONDS);
    }
    Loop[] all = loops.toArray(Loop[]::new);
    Thread thread = new Thread(() -> checkThreads(all), "weir-loop-monitor");
    thread.setDaemon(true);
    thread.start();
  }

  private void heartbeat(Loop loop) {
    loop.heartbeatNanos = nanos.getAsLong();
    loop.thread = Thread.currentThread();
  }

  private void checkThreads(Loop[] all) {
    while (!closing) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(HEARTBEAT_MILLIS));
      for (Loop loop : all) {
        Thread thread = loop.thread;
        if (thread != null && !isAlive.test(thread)) {
          onEnd(loop);
          return;
        }
      }
    }
  }

  private void onEnd(Loop loop) {
    if (!closing) {
      onDeath.accept(loop.endedMessage);
    }
  }

  /** A description of a loop that has ended or is blocked; empty if there is none. */
  public Optional<String> problem() {
    long now = nanos.getAsLong();
    for (Loop loop : loops) {
      if (loop.executor.isShuttingDown() && !closing) {
        return Optional.of(loop.endedMessage);
      }
      long silence = now - loop.heartbeatNanos;
      if (silence > MAX_SILENCE_NANOS) {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(silence);
        return Optional.of("the event loop \"" + loop.name + "\" is blocked for " + seconds + " s");
      }
    }
    return Optional.empty();
  }

  /** Stops monitoring: loops may end from now on. */
  public void close() {
    closing = true;
  }
}
