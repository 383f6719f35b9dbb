package dev.weir.shared;

import dev.weir.Decision;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.async.Scheduler;
import dev.weir.shared.fallback.LocalFallback;
import dev.weir.shared.fleet.Fleet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Watches over a shared store in the background: detects outages, and brings the store up to date
 * after them.
 *
 * <p><b>How.</b> Each second it sends a health probe to every shard. If one of them answers, it
 * announces this server in the roster, which also returns the other servers, and then charges to
 * the store what the fallback granted meanwhile. A shard whose circuit breaker is open, and whose
 * probe could not even be sent, is probed again after a quarter of a second.
 *
 * <p><b>Outages.</b> A shard is lost when its circuit breaker opens or three probes in a row fail,
 * or if there is no connection at the start; the listener hears of that once. When a probe is
 * answered again, {@link GuardedStore} keeps the breaker half-open while this class announces and
 * settles, and then closes it: the store gets the pending charges before it gets requests.
 *
 * <p><b>Why announce before settle.</b> The roster reveals whether the store lost its data. Only
 * then is it known whether to charge what was granted locally, or also what the store itself
 * granted before.
 *
 * <p>Safe for use by any number of threads.
 */
final class StoreSupervisor {
  /** The delay of the next probe of a shard that the last one could not be sent to. */
  private static final long RETRY_NANOS = Fleet.ANNOUNCE_INTERVAL.dividedBy(4).toNanos();

  /** So many failures in a row are reported to the listener. */
  private static final int REPORTED_FAILURES = 3;

  private static final CompletionStage<Void> DONE = CompletableFuture.completedStage(null);

  private final Store store;
  private final Fleet fleet;
  private final LocalFallback fallback;
  private final Scheduler scheduler;
  private final SharedStoreListener listener;
  private final GuardedStore guarded;
  private final Map<String, Integer> failedProbes = new HashMap<>();
  private final Set<String> unavailable = new TreeSet<>();
  private final Set<String> retries = ConcurrentHashMap.newKeySet();
  private volatile boolean answering = true;

  /** Whether the last announcement succeeded, so that a loss of data would be known. */
  private volatile boolean rosterCurrent;

  private volatile @Nullable String rosterProblem;
  private volatile boolean stopped;
  private int failedAnnouncements;

  /**
   * Supervises a store; call {@link #start}.
   *
   * @param store the store without a guard
   */
  StoreSupervisor(
      Store store,
      Shards shards,
      GuardSettings settings,
      Scheduler scheduler,
      Fleet fleet,
      LocalFallback fallback,
      SharedStoreListener listener) {
    this.store = store;
    this.fleet = fleet;
    this.fallback = fallback;
    this.scheduler = scheduler;
    this.listener = listener;
    this.guarded = new GuardedStore(store, shards, settings, scheduler, new Recovery());
  }

  /** The store for requests. */
  GuardedStore guarded() {
    return guarded;
  }

  /** Whether all shards answered their last probes, and no circuit breaker is open. */
  boolean isAnswering() {
    return answering;
  }

  /** The shards that did not answer, or whose circuit breaker is open. */
  synchronized Set<String> unavailableShards() {
    return Set.copyOf(unavailable);
  }

  /** Why roster updates fail; null if they succeed. */
  @Nullable String rosterProblem() {
    return rosterProblem;
  }

  /**
   * Begins to supervise, until {@link #stop}. A shard without a connection, which fails the first
   * probe at once and without an effect, is lost from the start, and its circuit breaker is open.
   */
  void start() {
    guarded
        .probe()
        .forEach(
            (shard, probe) -> {
              CompletableFuture<Decision> result = probe.toCompletableFuture();
              if (result.isCompletedExceptionally()) {
                var unused = result.whenComplete((none, failure) -> onMissing(shard, failure));
              }
            });
    var unused = catchUp();
    scheduler.schedule(Fleet.ANNOUNCE_INTERVAL.toNanos(), this::tick);
  }

  private void onMissing(String shard, Throwable failure) {
    if (StoreFailure.effect(failure) == Effect.NONE) {
      guarded.openAtStart(shard);
      onLost(shard, failure);
    }
  }

  private void tick() {
    if (stopped) {
      return;
    }
    scheduler.schedule(Fleet.ANNOUNCE_INTERVAL.toNanos(), this::tick);
    Map<String, CompletionStage<Decision>> probes = guarded.probe();
    retainShards(probes.keySet());
    List<CompletableFuture<Boolean>> available = new ArrayList<>();
    probes.forEach(
        (shard, probe) ->
            available.add(
                probe
                    .handle((done, failure) -> onProbeResult(shard, failure))
                    .toCompletableFuture()));
    var unused =
        CompletableFuture.allOf(available.toArray(CompletableFuture<?>[]::new))
            .thenCompose(
                done -> available.stream().anyMatch(CompletableFuture::join) ? catchUp() : DONE);
  }

  /** Records the result of a probe; returns whether the shard is available for requests. */
  private boolean onProbeResult(String shard, @Nullable Throwable failure) {
    if (failure != null) {
      onProbeFailed(shard, failure);
      retrySoon(shard, failure);
    } else if (guarded.isCircuitClosed(shard)) {
      onAvailable(shard);
      return true;
    }
    return false;
  }

  /**
   * Probes a shard again soon if its circuit breaker is open and the probe had no effect, as a rule
   * because there is no connection. A shard that got a probe and did not answer is probed again
   * only with the next tick.
   */
  private void retrySoon(String shard, @Nullable Throwable failure) {
    boolean hadNoEffect = failure != null && StoreFailure.effect(failure) == Effect.NONE;
    if (hadNoEffect && !guarded.isCircuitClosed(shard) && retries.add(shard)) {
      scheduler.schedule(RETRY_NANOS, () -> retry(shard));
    }
  }

  private void retry(String shard) {
    retries.remove(shard);
    if (!stopped && !guarded.isCircuitClosed(shard)) {
      var unused = guarded.probe(shard).whenComplete((done, failure) -> retrySoon(shard, failure));
    }
  }

  /** Announces this server, and settles pending charges. */
  private CompletionStage<Void> catchUp() {
    if (stopped) {
      return DONE;
    }
    return fleet
        .announce()
        .handle(
            (dataLost, failure) -> {
              rosterCurrent = failure == null;
              onRosterResult(failure);
              return failure == null && dataLost;
            })
        .thenCompose(this::settle);
  }

  /** Settles pending charges, but not before it is known whether the store lost its data. */
  private CompletionStage<Void> settle(boolean dataLost) {
    return rosterCurrent || rosterProblem != null
        ? fallback.settle(store, guarded::isReachable, dataLost)
        : DONE;
  }

  private synchronized void onRosterResult(@Nullable Throwable failure) {
    failedAnnouncements = failure == null ? 0 : failedAnnouncements + 1;
    if (failure == null) {
      if (rosterProblem != null) {
        rosterProblem = null;
        listener.onRosterRecovered();
      }
    } else if (failedAnnouncements >= REPORTED_FAILURES && answering && rosterProblem == null) {
      Throwable cause = StoreFailure.cause(failure);
      rosterProblem = String.valueOf(cause.getMessage());
      listener.onRosterLost(cause);
    }
  }

  private synchronized void onProbeFailed(String shard, Throwable failure) {
    if (failedProbes.merge(shard, 1, Integer::sum) >= REPORTED_FAILURES) {
      onLost(shard, failure);
    }
  }

  private synchronized void onLost(String shard, Throwable failure) {
    if (unavailable.add(shard)) {
      answering = false;
      listener.onLost(shard, StoreFailure.cause(failure));
    }
  }

  private synchronized void onAvailable(String shard) {
    failedProbes.remove(shard);
    unavailable.remove(shard);
    checkRecovered();
  }

  /** Drops shards that no longer exist: they need not answer. */
  private synchronized void retainShards(Set<String> shards) {
    failedProbes.keySet().retainAll(shards);
    unavailable.retainAll(shards);
    checkRecovered();
  }

  private void checkRecovered() {
    if (!answering && unavailable.isEmpty()) {
      answering = true;
      listener.onRecovered();
    }
  }

  /** Reacts to the circuit breakers. */
  private final class Recovery implements GuardedStore.Listener {
    @Override
    public void onAnswer(@Nullable Throwable failure) {
      listener.onAnswer(failure);
    }

    @Override
    public void onFailure(String shard, Throwable failure) {
      listener.onFailure(shard, failure);
    }

    @Override
    public void onOpened(String shard, Throwable failure) {
      rosterCurrent = false;
      onLost(shard, failure);
    }

    @Override
    public CompletionStage<?> onProbeAnswered() {
      return catchUp();
    }

    @Override
    public void onClosed(String shard) {
      onAvailable(shard);
      var unused = settle(false); // what was granted locally since the probe
    }
  }

  /** Stops to supervise, and settles pending charges if the store answers. */
  CompletionStage<Void> stop() {
    stopped = true;
    return fallback.settle(store, guarded::isReachable, false);
  }
}
