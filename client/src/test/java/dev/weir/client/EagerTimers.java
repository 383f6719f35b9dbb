package dev.weir.client;

import dev.weir.client.dispatch.Timers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Time that passes only by waits, at once: every wait is recorded and over. Thread-safe. */
public final class EagerTimers implements Timers, InstantSource {
  private final List<Duration> waits = new ArrayList<>();
  private long now;

  @Override
  public synchronized long nanos() {
    return now;
  }

  @Override
  public synchronized Instant instant() {
    return ManualTimers.START.plusNanos(now);
  }

  @Override
  public Runnable schedule(long delayNanos, Runnable task) {
    synchronized (this) {
      waits.add(Duration.ofNanos(delayNanos));
      now += Math.max(0, delayNanos);
    }
    execute(task);
    return () -> {};
  }

  @Override
  public void execute(Runnable task) {
    Thread thread = new Thread(task, "eager-timer");
    thread.setDaemon(true);
    thread.start();
  }

  /** The waits so far. */
  public synchronized List<Duration> waits() {
    return List.copyOf(waits);
  }
}
