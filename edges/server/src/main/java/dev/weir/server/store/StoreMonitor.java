package dev.weir.server.store;

import dev.weir.Store;
import dev.weir.StoreFailure.Effect;
import dev.weir.async.Continuations;
import dev.weir.async.Scheduler;
import dev.weir.async.SystemScheduler;
import dev.weir.server.reply.DegradedCounters;
import dev.weir.shared.SharedStore;
import dev.weir.shared.SharedStoreListener;
import dev.weir.shared.StoreMemory;
import dev.weir.shared.fallback.LocalFallback;
import dev.weir.shared.lease.ModeRoutingStore;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The shared store of a server, and what operators learn about it: log lines, status, counts. Safe
 * for use by any number of threads.
 */
public final class StoreMonitor implements SharedStoreListener, AutoCloseable {
  /** How long a server that stops waits for its log. */
  private static final Duration LOG_TIMEOUT = Duration.ofSeconds(1);

  /** Longer than any store's own deadline while a server warms up. */
  private static final Duration WARM_UP_DEADLINE = Duration.ofSeconds(2);

  private final StoreLog log = new StoreLog();

  /** Runs continuations directly: requests go on in event loops, and cost its thread no time. */
  private final SystemScheduler scheduler = Scheduler.system(Continuations.DIRECT);

  private final SharedStore shared;
  private final String address;
  private final Supplier<FailureModeCounts> modes;
  private final StoreOutages outages;
  private final StoreMemoryMonitor memory;

  /** A monitor without rules and edges. */
  StoreMonitor(StoreConfig config) {
    this(config, new DegradedCounters(), () -> FailureModeCounts.NONE);
  }

  /**
   * Opens the shared store and starts it.
   *
   * @param degraded counts requests that were decided without the store
   * @param modes the failure modes of the active rules
   */
  public StoreMonitor(
      StoreConfig config, DegradedCounters degraded, Supplier<FailureModeCounts> modes) {
    OutageWarmup.run(scheduler, (rule, outcome, subject) -> {});
    this.address = config.address();
    this.modes = modes;
    SharedStore.Builder builder =
        SharedStore.around(config.store())
            .fallback(config.local())
            .shards(config.shards())
            .guard(config.guard())
            .scheduler(scheduler)
            .listener(this);
    config.roster().ifPresent(builder::roster);
    this.shared = builder.build();
    this.outages =
        new StoreOutages(
            log,
            scheduler,
            config,
            modes,
            () -> StoreTally.of(scheduler.nanos(), degraded, shared.fallback(), shared.fleet()),
            new Settlement());
    this.memory = new StoreMemoryMonitor(config.memory(), scheduler);
    shared.start();
    memory.start();
  }

  private final class Settlement implements StoreOutages.Recovery {
    @Override
    public int pending() {
      return shared.fallback().pendingKeys() + shared.fallback().inFlight();
    }

    @Override
    public boolean knowsMemory() {
      return shared.fleet().detectsDataLoss();
    }
  }

  /** The store that requests use. */
  public SharedStore store() {
    return shared;
  }

  /** A store to warm up with: results are neither counted nor reported. */
  public Store warmUpStore() {
    return shared.warmUpView(WARM_UP_DEADLINE);
  }

  /** Counts locally while the store does not answer. */
  public LocalFallback fallback() {
    return shared.fallback();
  }

  @Override
  public void onAnswer(@Nullable Throwable failure) {
    outages.onAnswer(failure == null);
  }

  @Override
  public void onFailure(String shard, Throwable failure) {
    outages.onFailure(shard, failure);
  }

  @Override
  public void onLost(String shard, Throwable failure) {
    outages.onLost(shard, failure);
  }

  @Override
  public void onRecovered() {
    outages.onRecovered();
  }

  @Override
  public void onRosterLost(Throwable failure) {
    log.rosterLost(String.valueOf(failure.getMessage()));
  }

  @Override
  public void onRosterRecovered() {
    log.rosterRecovered();
  }

  /** What operators should look into. */
  public List<String> problems() {
    List<String> problems = new ArrayList<>();
    shared.rosterProblem().map(StoreLog::rosterLostLine).ifPresent(problems::add);
    problems.addAll(outages.problems(shared.unavailableShards()));
    return problems;
  }

  /** The state of the store, for operators: everything beside {@link #problems}. */
  public JsonObject status() {
    FailureModeCounts rules = modes.get();
    JsonObject status = new JsonObject().put("answers", isAnswering());
    if (!address.isEmpty()) {
      status.put("address", address);
    }
    status
        .put("breaker", breaker())
        .put("servers", servers())
        .put("pendingKeys", fallback().pendingKeys())
        .put(
            "whenStoreFails",
            new JsonObject()
                .put("allow", rules.allow())
                .put("deny", rules.deny())
                .put("local", rules.local()));
    JsonArray lost = outages.json(shared.unavailableShards());
    return lost.isEmpty() ? status : status.put("outages", lost);
  }

  /** Whether all shards answered their last health probes, and no circuit breaker is open. */
  public boolean isAnswering() {
    return shared.isAnswering();
  }

  /** The state of the circuit breaker, as one word. */
  public String breaker() {
    return shared.breakerState();
  }

  /** How many servers share the store. */
  public int servers() {
    return shared.fleet().size();
  }

  /** Whether the fleet has so many servers, and the others know this one. */
  boolean isKnownTo(int servers) {
    return shared.fleet().size() == servers && shared.fleet().isKnown();
  }

  /** The memory of the nodes of the store that answered the last read, some seconds ago. */
  public List<StoreMemory.Node> memory() {
    return memory.nodes();
  }

  /** Whether the store keeps the roster of servers, as far as it answers at all. */
  public boolean keepsRoster() {
    return shared.rosterProblem().isEmpty();
  }

  /** What leases and cached denials have done so far. */
  public ModeRoutingStore.Counts counts() {
    return shared.leaseCounts();
  }

  /** Requests that the store answered. */
  public long answers() {
    return shared.answers();
  }

  /** Requests that failed, by whether they may have had an effect. */
  public long failures(Effect effect) {
    return shared.failures(effect);
  }

  /** Requests rejected by the open circuit breaker, probes included. */
  public long rejected() {
    return shared.rejected();
  }

  /** Requests that the store did not answer, whether or not they were sent. */
  public long unanswered() {
    return failures(Effect.NONE) + failures(Effect.UNKNOWN) + rejected();
  }

  /** How often the store stopped answering. */
  public long outages() {
    return shared.outages();
  }

  /** Returns leases, settles pending charges, leaves the fleet, and logs what is still pending. */
  @Override
  public void close() {
    long lost = fallback().lost();
    memory.stop();
    shared.close();
    scheduler.close();
    outages.flush();
    log.pendingCharges(fallback().pendingKeys(), fallback().lost() - lost, fallback().inFlight());
    log.await(LOG_TIMEOUT);
  }
}
