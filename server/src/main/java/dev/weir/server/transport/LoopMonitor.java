package dev.weir.server.transport;

import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Knows whether all event loops do their work, those that accept connections among them.
 *
 * <p>An event loop that has ended takes its connections, or a whole port, with it, and nothing
 * brings it back: the process has to be started anew, and whoever runs it is told so. One that is
 * held up may recover; meanwhile the process does not call itself healthy.
 */
public final class LoopMonitor {
  private static final long BEAT_MILLIS = 1_000;
  private static final long MAX_SILENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final List<Loop> loops = new CopyOnWriteArrayList<>();
  private final Consumer<String> onDeath;
  private final LongSupplier nanos;
  private volatile boolean closing;

  private static final class Loop {
    final String name;
    final EventExecutor executor;
    volatile long beatNanos;

    Loop(String name, EventExecutor executor) {
      this.name = name;
      this.executor = executor;
    }
  }

  /**
   * @param onDeath hears of a loop that has ended though nobody wanted it to
   */
  public LoopMonitor(Consumer<String> onDeath) {
    this(onDeath, System::nanoTime);
  }

  LoopMonitor(Consumer<String> onDeath, LongSupplier nanos) {
    this.onDeath = onDeath;
    this.nanos = nanos;
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

  /** Begins to look whether they are held up. */
  public void start() {
    for (Loop loop : loops) {
      loop.beatNanos = nanos.getAsLong();
      var unused =
          loop.executor.scheduleAtFixedRate(
              () -> loop.beatNanos = nanos.getAsLong(), 0, BEAT_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void onEnd(Loop loop) {
    if (!closing) {
      onDeath.accept("the event loop \"" + loop.name + "\" has ended");
    }
  }

  /** What is wrong with one of them, if anything is. */
  public Optional<String> problem() {
    long now = nanos.getAsLong();
    for (Loop loop : loops) {
      if (loop.executor.isShuttingDown() && !closing) {
        return Optional.of("the event loop \"" + loop.name + "\" has ended");
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
