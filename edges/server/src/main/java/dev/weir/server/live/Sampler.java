package dev.weir.server.live;

import dev.weir.rules.ActiveRules;
import dev.weir.server.callers.CallerStats;
import dev.weir.server.callers.FleetCallers;
import dev.weir.server.metrics.CandidateStats;
import dev.weir.server.metrics.Metrics;
import dev.weir.server.metrics.RecentLatency;
import dev.weir.server.metrics.RlsStats;
import dev.weir.server.store.StoreMonitor;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Reads counters once a second, and keeps what operators look at. It has a thread of its own, and
 * costs requests nothing.
 *
 * <p>Thread-safe.
 */
public final class Sampler implements AutoCloseable {
  private static final Logger LOG = System.getLogger(Sampler.class.getName());
  private static final long ROTATE_SECONDS = 30;

  private final Sources sources;
  private final InstantSource clock;
  private final DecisionHistory history = new DecisionHistory();
  private final EventLog events = new EventLog();
  private final StateWatch watch = new StateWatch(events);
  private final RecentLatency latency;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(Sampler::thread);
  private volatile Runnable listener = () -> {};
  private long startMillis;
  private long ended;

  /** What is read. */
  public record Sources(
      RequestCounts requests,
      Metrics metrics,
      RlsStats rls,
      CallerStats callers,
      FleetCallers fleet,
      ActiveRules rules,
      Optional<StoreMonitor> store) {}

  /** Reads nothing yet. */
  public Sampler(Sources sources, InstantSource clock) {
    this.sources = sources;
    this.clock = clock;
    this.latency = RecentLatency.of(sources.metrics.http(), sources.rls);
    this.startMillis = clock.millis();
  }

  private static Thread thread(Runnable task) {
    Thread thread = new Thread(task, "weir-sampler");
    thread.setDaemon(true);
    return thread;
  }

  /** Reads every second from now on. What was counted before, to warm up, is in no second. */
  public synchronized void start() {
    count();
    watch.observe(ServerState.of(sources.rules, sources.store), clock.millis());
    var unused = timer.scheduleAtFixedRate(this::tryTick, 1, 1, TimeUnit.SECONDS);
  }

  private void tryTick() {
    try {
      tick();
    } catch (RuntimeException | Error e) {
      LOG.log(Level.WARNING, "Failed to sample the counters", e); // and again in a second
    }
  }

  /**
   * Ends a second, for the timer or for who moves the clock; if the last one ended longer ago, the
   * seconds between were empty.
   */
  public synchronized void tick() {
    long now = clock.millis();
    long due = TimeUnit.MILLISECONDS.toSeconds(now - startMillis);
    if (due < ended || due - ended > Timeline.SECONDS) {
      startMillis = now - TimeUnit.SECONDS.toMillis(ended + 1); // the clock was set
      due = ended + 1;
    }
    long rotations = ended / ROTATE_SECONDS;
    do {
      count();
      ended++;
    } while (ended < due);
    latency.tick();
    sources.metrics.candidates().tick();
    sources.callers.tick();
    sources.fleet.tick();
    if (ended / ROTATE_SECONDS > rotations) { // also if the timer was late
      sources.callers.rotate();
    }
    watch.observe(ServerState.of(sources.rules, sources.store), now);
    listener.run();
  }

  private void count() {
    Map<String, Long> denied = new HashMap<>(sources.metrics.denied());
    denied.putAll(sources.rls.denied());
    history.tick(sources.requests.with(sources.rls), denied);
  }

  /** Calls a listener at the end of each second, on the thread of this sampler. */
  void onSecond(Runnable called) {
    listener = called;
  }

  long nowMillis() {
    return clock.millis();
  }

  /** When the active rules were loaded. */
  Instant rulesSince() {
    return sources.rules.status().since();
  }

  /** Decisions of the last day. */
  DecisionHistory history() {
    return history;
  }

  /** What happened. */
  public EventLog events() {
    return events;
  }

  /** How often candidates agreed with the limits in force. */
  CandidateStats candidates() {
    return sources.metrics.candidates();
  }

  /** The latency of recent decisions. */
  OptionalLong p99Micros() {
    return latency.p99Micros();
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
