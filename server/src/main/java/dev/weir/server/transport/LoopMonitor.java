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
 * Knows whether all event loops do their work, those that accept connections among them.
 *
 * <p>An event loop that has ended takes its connections, or a whole port, with it, and nothing
 * brings it back: the process has to be started anew, and whoever runs it is told so. One that is
 * held up may recover; meanwhile the process does not call itself healthy.
 *
 * <p>A loop that ends for want of memory may not come to say so. So a thread looks after their
 * threads, once a second, which takes no memory at all.
 */
public final class LoopMonitor {
  private static final long BEAT_MILLIS = 1_000;
  private static final long MAX_SILENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final List<Loop> loops = new CopyOnWriteArrayList<>();
  private final Consumer<String> onDeath;
  private final LongSupplier nanos;
  private final Predicate<Thread> isAlive;
  private volatile boolean closing;

  private static final class Loop {
    final String name;
    final String ended;
    final EventExecutor executor;
    volatile @Nullable Thread thread;
    volatile long beatNanos;

    Loop(String name, EventExecutor executor) {
      this.name = name;
      this.ended = "the event loop \"" + name + "\" has ended";
      this.executor = executor;
    }
  }

  /**
   * @param onDeath hears of a loop that has ended though nobody wanted it to
   */
  public LoopMonitor(Consumer<String> onDeath) {
    this(onDeath, System::nanoTime, Thread::isAlive);
  }

  LoopMonitor(Consumer<String> onDeath, LongSupplier nanos, Predicate<Thread> isAlive) {
    this.onDeath = onDeath;
    this.nanos = nanos;
    this.isAlive = isAlive;
  }

  /** Watches the loops of a group from now on. */
  public void watch(String name, EventLoopGroup group) {
    int number = 0;
    for (EventExecutor executor : group) {
      Loop loop = new Loop(name + " " + number++, executor);
      loop.beatNanos = nanos.getAsLong();
      loops.add(loop);
      executor.terminationFuture().addListener(ended -> onEnd(loop));
    }
  }

  /** Begins to look whether they are held up, or have ended. */
  public void start() {
    for (Loop loop : loops) {
      loop.beatNanos = nanos.getAsLong();
      var unused =
          loop.executor.scheduleAtFixedRate(
              () -> beat(loop), 0, BEAT_MILLIS, TimeUnit.MILLISECONDS);
    }
    Loop[] all = loops.toArray(Loop[]::new);
    Thread thread = new Thread(() -> lookAfter(all), "weir-loop-monitor");
    thread.setDaemon(true);
    thread.start();
  }

  private void beat(Loop loop) {
    loop.beatNanos = nanos.getAsLong();
    loop.thread = Thread.currentThread();
  }

  private void lookAfter(Loop[] all) {
    while (!closing) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(BEAT_MILLIS));
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
      onDeath.accept(loop.ended);
    }
  }

  /** What is wrong with one of them, if anything is. */
  public Optional<String> problem() {
    long now = nanos.getAsLong();
    for (Loop loop : loops) {
      if (loop.executor.isShuttingDown() && !closing) {
        return Optional.of(loop.ended);
      }
      long silence = now - loop.beatNanos;
      if (silence > MAX_SILENCE_NANOS) {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(silence);
        return Optional.of("the event loop \"" + loop.name + "\" is held up for " + seconds + " s");
      }
    }
    return Optional.empty();
  }

  /** From now on they may end. */
  public void close() {
    closing = true;
  }
}
