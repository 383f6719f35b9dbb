package dev.weir.shared;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.LimitKey;
import dev.weir.Operation;
import dev.weir.Store;
import dev.weir.StoreFailure.Effect;
import dev.weir.async.Scheduler;
import dev.weir.async.SystemScheduler;
import dev.weir.memory.MemoryStore;
import dev.weir.shared.fallback.LocalFallback;
import dev.weir.shared.fleet.Fleet;
import dev.weir.shared.fleet.Roster;
import dev.weir.shared.lease.ModeRoutingStore;
import dev.weir.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A store that several servers share, with everything that makes it dependable: deadlines and
 * circuit breakers, leases and cached denials, a local fallback for outages, and the fleet of
 * servers that share it.
 *
 * <pre>{@code
 * SharedStore store = SharedStore.around(redis).roster(redis.roster()).build();
 * store.start();
 * Limiter limiter = Limiter.on(store, listener);
 * }</pre>
 *
 * <p><b>How.</b> A request flows through {@link ModeRoutingStore}, which answers from leases and
 * cached denials where it can, and {@link GuardedStore}, which enforces the deadline and the
 * circuit breakers, to the store itself. Beside the requests, {@link StoreSupervisor} probes every
 * shard each second, announces this server in the roster, and charges to the store what was granted
 * locally.
 *
 * <p><b>Guarantees.</b> Every request is answered by its deadline. While a shard does not answer,
 * its requests fail at once with a {@link dev.weir.StoreFailure}; the limiter then counts in {@link
 * #fallback()} where the rule says so. Once the shard is back, it receives the pending charges
 * before requests go to it again.
 *
 * <p>Safe for use by any number of threads.
 */
public final class SharedStore implements Store, AutoCloseable {
  /** How long {@link #close} waits for leases to be returned and pending charges to be settled. */
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

  private final Builder parts;
  private final Scheduler scheduler;
  private final @Nullable SystemScheduler ownScheduler;
  private final Fleet fleet;
  private final LocalFallback fallback;
  private final StoreSupervisor supervisor;
  private final ModeRoutingStore routing;
  private final StoreCounters counters;

  private SharedStore(Builder parts) {
    this.parts = parts;
    this.ownScheduler = parts.scheduler == null ? Scheduler.system() : null;
    this.scheduler =
        parts.scheduler == null ? Objects.requireNonNull(ownScheduler) : parts.scheduler;
    this.fleet =
        parts.roster == null ? Fleet.alone() : new Fleet(parts.server, parts.roster, scheduler);
    this.fallback = new LocalFallback(parts.local, fleet, parts.ticker);
    this.counters = new StoreCounters(parts.listener);
    this.supervisor =
        new StoreSupervisor(
            parts.store, parts.shards, parts.guard, scheduler, fleet, fallback, counters);
    Store guarded = parts.guardedDecorator.apply(supervisor.guarded());
    this.routing = new ModeRoutingStore(guarded, parts.local, fleet, scheduler);
  }

  /** Begins to build a shared store around a store that may fail. */
  public static Builder around(Store store) {
    return new Builder(store);
  }

  /** Begins to probe the store and to announce this server. Call it once. */
  public void start() {
    supervisor.start();
  }

  @Override
  public Answer apply(Operation operation, List<Claim> claims) {
    return routing.apply(operation, claims);
  }

  /** Where requests enter: {@link #apply} calls this store, and adds nothing to it. */
  public Store router() {
    return routing;
  }

  /** The local counters for outages, in which the limiter counts meanwhile. */
  public LocalFallback fallback() {
    return fallback;
  }

  /** The servers that share the store. */
  public Fleet fleet() {
    return fleet;
  }

  /** Whether all shards answered their last health probes, and no circuit breaker is open. */
  public boolean isAnswering() {
    return supervisor.isAnswering();
  }

  /** Whether the circuit breakers of all shards are closed, so that requests go to every shard. */
  public boolean isCircuitClosed() {
    return supervisor.guarded().isCircuitClosed();
  }

  /** The state of the circuit breaker: closed, open or half-open; of several, the worst. */
  public String breakerState() {
    return supervisor.guarded().state();
  }

  /** The ids of the shards that do not answer, or whose circuit breaker is open. */
  public Set<String> unavailableShards() {
    return supervisor.unavailableShards();
  }

  /** Why the store does not keep the roster of servers, if it does not. */
  public Optional<String> rosterProblem() {
    return Optional.ofNullable(supervisor.rosterProblem());
  }

  /** Whether this server holds a lease on a counter. */
  public boolean isLeased(LimitKey key) {
    return routing.isLeased(key);
  }

  /** What leases and cached denials have done so far. */
  public ModeRoutingStore.Counts leaseCounts() {
    return routing.counts();
  }

  /** Requests that the store answered. */
  public long answers() {
    return counters.answers();
  }

  /** Requests that failed, by whether they may have had an effect. */
  public long failures(Effect effect) {
    return counters.failures(effect);
  }

  /** Requests rejected by an open circuit breaker, probes included. */
  public long rejected() {
    return supervisor.guarded().rejected();
  }

  /** How often a shard stopped answering. */
  public long outages() {
    return counters.outages();
  }

  /**
   * A second path to the store for warming up: its results are neither counted nor reported, and
   * open no circuit breaker of this store.
   *
   * @param deadline of each request
   */
  public Store warmUpView(Duration deadline) {
    GuardSettings settings = parts.guard.withDeadline(deadline);
    Store guarded =
        new GuardedStore(
            parts.store, parts.shards, settings, scheduler, GuardedStore.Listener.NONE);
    return new ModeRoutingStore(guarded, new MemoryStore(), Fleet.alone(), scheduler);
  }

  /**
   * Settles pending charges, returns leases and leaves the fleet, as far as the store answers. Send
   * no requests after this call.
   */
  public CompletableFuture<Void> stop() {
    CompletableFuture<Void> settled = supervisor.stop().toCompletableFuture();
    CompletableFuture<Void> left = fleet.leave().toCompletableFuture();
    CompletableFuture<Void> returned = routing.close().toCompletableFuture();
    return CompletableFuture.allOf(settled, left, returned);
  }

  /** {@linkplain #stop Stops}, and waits at most one second for it. The store stays open. */
  @Override
  public void close() {
    var unused =
        stop()
            .exceptionally(failure -> null)
            .completeOnTimeout(null, CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
            .join();
    if (ownScheduler != null) {
      ownScheduler.close();
    }
  }

  /** Builds a {@link SharedStore}. Not safe for use by several threads. */
  public static final class Builder {
    private final Store store;
    private MemoryStore local = new MemoryStore();
    private Shards shards = Shards.ONE;
    private GuardSettings guard = GuardSettings.DEFAULT;
    private String server = UUID.randomUUID().toString();
    private @Nullable Roster roster;
    private @Nullable Scheduler scheduler;
    private Ticker ticker = Ticker.system();
    private SharedStoreListener listener = SharedStoreListener.NONE;
    private UnaryOperator<Store> guardedDecorator = UnaryOperator.identity();

    private Builder(Store store) {
      this.store = Objects.requireNonNull(store);
    }

    /** The deadline of requests, and when circuit breakers open. */
    public Builder guard(GuardSettings settings) {
      this.guard = Objects.requireNonNull(settings);
      return this;
    }

    /** The parts of the store that fail independently; one by default. */
    public Builder shards(Shards all) {
      this.shards = Objects.requireNonNull(all);
      return this;
    }

    /** The store of the local counters; a new one by default. */
    public Builder fallback(MemoryStore counters) {
      this.local = Objects.requireNonNull(counters);
      return this;
    }

    /** The roster of the servers that share the store; without one, this server is alone. */
    public Builder roster(Roster servers) {
      this.roster = Objects.requireNonNull(servers);
      return this;
    }

    /** The name of this server in the roster; random by default. */
    public Builder server(String name) {
      this.server = Objects.requireNonNull(name);
      return this;
    }

    /** Runs timers; a thread of its own by default. It is not closed with the store. */
    public Builder scheduler(Scheduler timers) {
      this.scheduler = Objects.requireNonNull(timers);
      return this;
    }

    /** The clock of the fallback; the system clock by default. */
    public Builder ticker(Ticker clock) {
      this.ticker = Objects.requireNonNull(clock);
      return this;
    }

    /** The listener for failures, outages and recoveries; none by default. */
    public Builder listener(SharedStoreListener receiver) {
      this.listener = Objects.requireNonNull(receiver);
      return this;
    }

    /**
     * Wraps the guarded store, beneath the leases, in a store of the caller: for tests, tracing.
     */
    public Builder decorateGuarded(UnaryOperator<Store> decorator) {
      this.guardedDecorator = Objects.requireNonNull(decorator);
      return this;
    }

    /** Builds the store. Nothing is sent to it before {@link SharedStore#start}. */
    public SharedStore build() {
      return new SharedStore(this);
    }
  }
}
