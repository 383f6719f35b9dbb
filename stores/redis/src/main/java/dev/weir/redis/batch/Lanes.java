package dev.weir.redis.batch;

import dev.weir.StoreFailure;
import dev.weir.redis.connection.Link;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.time.Ticker;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The lanes to all nodes of a link, with the timer, clock and threads that they share. Lanes are
 * created when they are first used. Thread-safe.
 */
public final class Lanes implements AutoCloseable {
  private final Link link;
  private final RedisSettings settings;
  private final ScriptCaller scripts;
  private final ScheduledExecutorService timer;
  private final StallClock clock;
  private final CompletionExecutor completions = new CompletionExecutor();
  private final Map<String, Lane> lanes = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /**
   * Lanes over {@code link}, which {@link #close} closes too.
   *
   * @param ticker the time to count by; null for the time of Redis
   * @param localClock the approximate time, which selects the calendar windows to send
   */
  public Lanes(Link link, RedisSettings settings, @Nullable Ticker ticker, Ticker localClock) {
    this.link = link;
    this.settings = settings;
    this.scripts = new ScriptCaller(link, settings, ticker, localClock);
    ScheduledThreadPoolExecutor pool =
        new ScheduledThreadPoolExecutor(
            1,
            work -> {
              Thread thread = new Thread(work, "weir-redis-deadlines");
              thread.setDaemon(true);
              return thread;
            });
    pool.setRemoveOnCancelPolicy(true);
    this.timer = pool;
    this.clock = new StallClock(link.eventLoops(), pool, this::isAnyBusy);
  }

  private boolean isAnyBusy() {
    for (Lane lane : lanes.values()) {
      if (!lane.isIdle()) {
        return true;
      }
    }
    return false;
  }

  /** The lane to a node. */
  public Lane to(String node) {
    Lane known = lanes.get(node);
    if (known != null) {
      return known;
    }
    // Nodes come and go; a lane to a node that has left is dropped.
    lanes.entrySet().removeIf(lane -> !link.knowsNode(lane.getKey()) && lane.getValue().isIdle());
    Lane lane = lanes.computeIfAbsent(node, this::separateLane);
    if (closed) {
      lane.close();
    }
    return lane;
  }

  /** A new lane to a node that no other request uses; {@link #close} does not close it. */
  public Lane separateLane(String node) {
    return new Lane(
        new BatchSender(node, link, scripts, completions, clock, settings.lateReplyTimeout()),
        settings.queue(),
        settings.batch(),
        settings.inFlight(),
        settings.lateReplyTimeout(),
        timer,
        clock);
  }

  /** The nodes that have a lane. */
  public Set<String> nodes() {
    return Set.copyOf(lanes.keySet());
  }

  /** The deadline of a request that arrives now. */
  public Deadline deadline(Duration time) {
    return clock.deadline(time);
  }

  /**
   * The deadline of a request that arrives now and has more time than usual.
   *
   * @param usual the usual time, from which the grace on a busy machine is derived
   */
  public Deadline deadline(Duration time, Duration usual) {
    return clock.deadline(time, usual);
  }

  /** Treats the machine as busy for at least this long, so that deadlines are extended. */
  public void expectStalls(Duration next) {
    clock.expectStalls(next);
  }

  /**
   * Fails a request at its deadline, if it is not completed before. For requests that are not in a
   * lane themselves.
   *
   * @param failure creates the failure at that time
   */
  public void failAtDeadline(PendingRequest request, Supplier<StoreFailure> failure) {
    long left = clock.leftNanos(request.deadline);
    if (left <= 0) {
      request.fail(failure.get());
      return;
    }
    try {
      Future<?> timeout =
          timer.schedule(
              () -> clock.afterReads(() -> failAtDeadline(request, failure)),
              left,
              TimeUnit.NANOSECONDS);
      var unused = request.whenComplete((decision, thrown) -> timeout.cancel(false));
    } catch (RejectedExecutionException e) {
      // Closed: every call fails at once.
    }
  }

  /** The number of script calls made. */
  public long calls() {
    return scripts.calls();
  }

  /** Fails all requests, and closes the link, the timer and the threads. */
  @Override
  public void close() {
    closed = true;
    lanes.values().forEach(Lane::close);
    timer.shutdownNow();
    link.close();
    completions.close();
  }
}
