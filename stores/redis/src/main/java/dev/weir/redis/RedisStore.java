package dev.weir.redis;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Operation;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.async.Continuations;
import dev.weir.redis.batch.Deadline;
import dev.weir.redis.batch.Lanes;
import dev.weir.redis.batch.PendingRequest;
import dev.weir.redis.batch.UnclaimedGrants;
import dev.weir.redis.connection.ClusterShards;
import dev.weir.redis.connection.Connector;
import dev.weir.redis.connection.ErrorText;
import dev.weir.redis.connection.Link;
import dev.weir.redis.connection.Link.NodeSlot;
import dev.weir.redis.connection.RedisDriver;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.redis.connection.RedisUnusable;
import dev.weir.shared.Shards;
import dev.weir.shared.StoreMemory;
import dev.weir.shared.fleet.FleetTables;
import dev.weir.shared.fleet.Roster;
import dev.weir.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Counters in Redis or Valkey, shared by all servers that use it.
 *
 * <p>A script in Redis decides every request, by the time of Redis, so that all servers together
 * are as exact as one. The exception is a request whose claims are in several slots of a cluster:
 * see {@link SplitRequest}.
 *
 * <p>A request that Redis does not answer by the deadline fails with a {@link StoreFailure}. No
 * request that may have had an effect is sent again.
 *
 * <p>Thread-safe.
 */
public final class RedisStore implements Store, AutoCloseable {
  private static final Duration STARTUP_TIMEOUT = Duration.ofSeconds(5);

  /** Prevents that Redis, by its own clock, expires a counter that runs on another clock. */
  private static final long EXTRA_TTL_MILLIS_WITH_TICKER = Duration.ofHours(6).toMillis();

  private static final Duration WARM_UP_DEADLINE = Duration.ofSeconds(1);
  private static final Duration GRACE_AFTER_WARM_UP = Duration.ofSeconds(10);

  final Link link;
  private final RedisSettings settings;
  private final Lanes lanes;
  private final FleetCalls fleet;
  private final Shards shards;
  private final StoreMemory memory;
  private final Executor continuations;
  private final UnclaimedGrants unclaimedGrants = new UnclaimedGrants(this::refundUnclaimed);
  private volatile Duration deadline;

  /**
   * A store over {@code link}, which {@link #close} closes.
   *
   * @param ticker the time to count by; null for the time of Redis
   * @param localClock the approximate time, which selects the calendar windows to send
   */
  RedisStore(
      Link link,
      RedisSettings settings,
      @Nullable Ticker ticker,
      Ticker localClock,
      Executor continuations) {
    this.link = link;
    this.settings = settings;
    this.lanes = new Lanes(link, settings, ticker, localClock);
    this.fleet = new FleetCalls(link, settings, continuations);
    this.shards = link.isSingleNode() ? Shards.ONE : new ClusterShards(link);
    this.memory = new RedisMemory(link);
    this.continuations = continuations;
    this.deadline = settings.deadline();
  }

  /**
   * Connects, and checks that the scripts may run. Continuations of callers run in {@link
   * Continuations#shared()}.
   *
   * @throws RedisUnusable if that fails, with the reason in one line
   */
  public static RedisStore connect(RedisSettings settings) {
    return connect(settings, Continuations.shared());
  }

  /**
   * Connects, and checks that the scripts may run.
   *
   * @param continuations runs what callers add to stages. One that runs tasks at once, as {@link
   *     Continuations#DIRECT} does, has them on threads of the driver: none of them may block there
   * @throws RedisUnusable if that fails, with the reason in one line
   */
  public static RedisStore connect(RedisSettings settings, Executor continuations) {
    return connect(settings, RedisDriver.own(), continuations);
  }

  /**
   * Connects with a driver, and checks that the scripts may run.
   *
   * @param continuations as in {@link #connect(RedisSettings, Executor)}
   * @throws IllegalArgumentException if both the settings and the driver have credentials
   * @throws RedisUnusable if that fails, with the reason in one line
   */
  public static RedisStore connect(
      RedisSettings settings, RedisDriver driver, Executor continuations) {
    return connect(settings, driver, null, Ticker.system(), continuations);
  }

  /**
   * Connects a store that counts by the time of {@code ticker} instead of that of Redis, for tests.
   *
   * @throws RedisUnusable if that fails, with the reason in one line
   */
  public static RedisStore connect(RedisSettings settings, Ticker ticker) {
    return connect(settings, RedisDriver.own(), ticker, ticker, Continuations.shared());
  }

  /**
   * Connects, and checks that the scripts may run.
   *
   * @param ticker the time to count by; null for the time of Redis
   * @param localClock the approximate time, which selects the calendar windows to send
   */
  static RedisStore connect(
      RedisSettings settings,
      RedisDriver driver,
      @Nullable Ticker ticker,
      Ticker localClock,
      Executor continuations) {
    RedisSettings effective =
        ticker == null ? settings : settings.withExtraTtlMillis(EXTRA_TTL_MILLIS_WITH_TICKER);
    Link link = Connector.connect(effective, driver);
    RedisStore store = new RedisStore(link, effective, ticker, localClock, continuations);
    try {
      Connector.checkVersion(link, settings);
      store.checkScripts(STARTUP_TIMEOUT);
      return store;
    } catch (StoreFailure e) {
      store.close();
      String reason = ErrorText.singleLine(e.getMessage()).replaceFirst("^Redis refused: ", "");
      throw RedisUnusable.because(store + ": " + reason, e);
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
  }

  @Override
  public Answer apply(Operation operation, List<Claim> claims) {
    List<Claim> request = Claim.request(claims);
    if (request.isEmpty()) {
      return Decision.of(List.of());
    }
    NodeSlot first = nodeSlot(request.get(0));
    for (int i = 1; i < request.size(); i++) {
      if (nodeSlot(request.get(i)).slot() != first.slot()) {
        return SplitRequest.submit(this, operation, request);
      }
    }
    return submit(operation, request, first);
  }

  NodeSlot nodeSlot(Claim claim) {
    return link.nodeSlot(claim.key());
  }

  /**
   * Checks that the scripts may run all their commands.
   *
   * @throws StoreFailure if they may not
   */
  void checkScripts(Duration timeout) {
    // In a lane of its own: in the shared ones all requests have the same time.
    String node = nodeSlot(StartupCheck.CLAIM).node();
    StartupCheck.run(lanes.separateLane(node), lanes.deadline(timeout));
  }

  /** Sends a request whose claims are all in one slot. */
  PendingRequest submit(Operation operation, List<Claim> claims, NodeSlot nodeSlot) {
    PendingRequest pending =
        new PendingRequest(operation, claims, deadline(), continuations, unclaimedGrants);
    if (operation != Operation.TAKE
        || unclaimedGrants.admit(pending, () -> lanes.to(nodeSlot.node()).submit(pending))) {
      lanes.to(nodeSlot.node()).submit(pending);
    }
    return pending;
  }

  /** Fails a request at its deadline, if it is not completed before. */
  void failAtDeadline(PendingRequest request, Supplier<StoreFailure> failure) {
    lanes.failAtDeadline(request, failure);
  }

  /**
   * Begins the warm-up, in which requests have more time: a process that has just started mostly
   * waits for itself.
   */
  public void beginWarmUp() {
    deadline = settings.deadline().compareTo(WARM_UP_DEADLINE) < 0 ? WARM_UP_DEADLINE : deadline;
  }

  /**
   * Ends the warm-up: requests have the configured deadline, but several times as much for the
   * first seconds, because the process still compiles its hottest code.
   */
  public void endWarmUp() {
    lanes.expectStalls(GRACE_AFTER_WARM_UP);
    deadline = settings.deadline();
  }

  private void refundUnclaimed(List<Claim> claims) {
    var unused = submit(Operation.REFUND, claims, nodeSlot(claims.get(0)));
  }

  /** Runs the continuations of callers. */
  Executor continuations() {
    return continuations;
  }

  /** The number of holders whose takes of concurrency permits are in flight. */
  int holdersInFlight() {
    return unclaimedGrants.size();
  }

  /** The deadline of a request that arrives now. */
  Deadline deadline() {
    return lanes.deadline(deadline, settings.deadline());
  }

  /** The nodes that have a lane. */
  Set<String> laneNodes() {
    return lanes.nodes();
  }

  /** The name in Redis of what {@link #setIfAbsent} stores. */
  String keyOf(String name) {
    return settings.prefix() + name;
  }

  /**
   * Stores a text next to the counters for all servers that share them, unless one is stored under
   * this name already; completes with the stored text, on a thread of the driver. The text does not
   * expire.
   */
  CompletionStage<String> setIfAbsent(String name, String text) {
    return new SharedText(link, keyOf(name)).setIfAbsent(text);
  }

  /** The masters of a cluster, which fail independently; {@link Shards#ONE} for a single node. */
  public Shards shards() {
    return shards;
  }

  /**
   * The roster of the servers that share these counters, stored next to them. Decisions do not
   * depend on it: a user without permission for its commands can still decide.
   */
  public Roster roster() {
    return new RedisRoster(fleet);
  }

  /** The tables that the servers share, stored next to the counters. */
  public FleetTables tables() {
    return name -> new RedisFleetTable(name, fleet);
  }

  /** Reads the memory of the masters, for which a user needs permission for INFO. */
  public StoreMemory memory() {
    return memory;
  }

  /** The number of script calls; one call decides all requests of a batch in one slot. */
  public long calls() {
    return lanes.calls();
  }

  /** The address, without the password. */
  @Override
  public String toString() {
    return "Redis at " + settings;
  }

  /** Fails all pending requests, and closes the connections. */
  @Override
  public void close() {
    lanes.close();
  }
}
