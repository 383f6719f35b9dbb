package dev.weir.redis;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Operation;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.key.KeySecret;
import dev.weir.key.KeySpace;
import dev.weir.redis.connection.RedisDriver;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.redis.connection.RedisUnusable;
import dev.weir.shared.Shards;
import dev.weir.shared.StoreMemory;
import dev.weir.shared.fleet.FleetTables;
import dev.weir.shared.fleet.Roster;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The Redis that a fleet of servers shares: its counters, the secret of their keys, the roster of
 * the servers, and the tables that they share.
 *
 * <p><b>How.</b> A server that starts while Redis cannot be reached need not wait for it. Until the
 * first connection, every request fails at once with effect {@link Effect#NONE} and the reason, as
 * in an outage, and a thread tries to connect. A connection counts once the scripts may run and the
 * servers agree on the key secret; then it is used for good, and reconnects by itself.
 *
 * <p><b>Before it joins,</b> a server that was given no key secret counts under a random one. If
 * the others have another secret, it adopts that one, and what it granted before is not charged to
 * their counters.
 *
 * <p>Thread-safe.
 */
public final class SharedRedis implements Store, AutoCloseable {
  private static final Duration MIN_RETRY_DELAY = Duration.ofMillis(250);
  private static final Duration MAX_RETRY_DELAY = Duration.ofSeconds(2);

  private final RedisSettings settings;
  private final RedisDriver driver;
  private final Executor continuations;
  private final SharedKeySecret secret;
  private final JoinedFleet fleet;
  private final ScheduledExecutorService background =
      Executors.newSingleThreadScheduledExecutor(SharedRedis::daemon);
  private volatile @Nullable RedisStore connected;

  /** One shard before those of a cluster are known. */
  private volatile Shards shards = Shards.ONE;

  /** Why there is no connection yet. */
  private volatile String reason = "";

  private volatile boolean closed;

  private SharedRedis(
      RedisSettings settings,
      RedisDriver driver,
      @Nullable KeySecret secret,
      Executor continuations) {
    this.settings = settings;
    this.driver = driver;
    this.continuations = continuations;
    this.secret = new SharedKeySecret(secret);
    this.fleet = new JoinedFleet(() -> connected, this::notConnected, this.secret, continuations);
  }

  /**
   * Connects to Redis; or, if it cannot be reached at the moment, goes on trying in the background.
   *
   * @param secret the key secret of this server, or null to use that of the others
   * @param continuations runs what callers add to stages; see {@link RedisStore#connect}
   * @throws IllegalArgumentException if both the settings and the driver have credentials
   * @throws RedisUnusable if Redis answers, but cannot be used as it is configured
   * @throws KeySecretConflict if the others have a secret that this server does not know
   * @throws InterruptedException if the thread is interrupted meanwhile
   */
  public static SharedRedis open(
      RedisSettings settings,
      RedisDriver driver,
      @Nullable KeySecret secret,
      Executor continuations)
      throws InterruptedException {
    return start(settings, driver, secret, continuations, true);
  }

  /**
   * Connects to Redis.
   *
   * @param secret the key secret of this server, or null to use that of the others
   * @param continuations runs what callers add to stages; see {@link RedisStore#connect}
   * @throws IllegalArgumentException if both the settings and the driver have credentials
   * @throws RedisUnusable if Redis cannot be reached, or cannot be used as it is configured
   * @throws KeySecretConflict if the others have a secret that this server does not know
   * @throws InterruptedException if the thread is interrupted meanwhile
   */
  public static SharedRedis connect(
      RedisSettings settings,
      RedisDriver driver,
      @Nullable KeySecret secret,
      Executor continuations)
      throws InterruptedException {
    return start(settings, driver, secret, continuations, false);
  }

  private static SharedRedis start(
      RedisSettings settings,
      RedisDriver driver,
      @Nullable KeySecret secret,
      Executor continuations,
      boolean mayJoinLater)
      throws InterruptedException {
    SharedRedis redis = new SharedRedis(settings, driver, secret, continuations);
    try {
      redis.join();
    } catch (RedisUnusable e) {
      if (!mayJoinLater || !e.isTemporary()) {
        redis.close();
        throw e;
      }
      redis.setReason(e);
      redis.joinAfter(MIN_RETRY_DELAY);
    } catch (InterruptedException | RuntimeException e) {
      redis.close();
      throw e;
    }
    return redis;
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "weir-redis");
    thread.setDaemon(true);
    return thread;
  }

  /** Connects, agrees on the secret, and then lets requests use the connection. */
  private void join() throws InterruptedException {
    RedisStore store = RedisStore.connect(settings, driver, continuations);
    try {
      secret.agree(store);
    } catch (InterruptedException | RuntimeException e) {
      store.close();
      throw e;
    }
    store.beginWarmUp();
    shards = store.shards();
    connected = store;
    if (closed) {
      store.close();
    }
  }

  private void joinAfter(Duration delay) {
    var unused =
        background.schedule(() -> joinOrRetry(delay), delay.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void joinOrRetry(Duration delay) {
    try {
      join();
      endWarmUp();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      if (closed) {
        return;
      }
      setReason(e);
      Duration doubled = delay.multipliedBy(2);
      joinAfter(doubled.compareTo(MAX_RETRY_DELAY) < 0 ? doubled : MAX_RETRY_DELAY);
    }
  }

  /** The address is known to whoever reads the reason. */
  private void setReason(Throwable failure) {
    String prefix = "Redis at " + settings + ": ";
    String message = String.valueOf(failure.getMessage());
    reason = message.startsWith(prefix) ? message.substring(prefix.length()) : message;
  }

  @Override
  public Answer apply(Operation operation, List<Claim> claims) {
    RedisStore store = connected;
    return store == null ? Answer.failed(notConnected()) : store.apply(operation, claims);
  }

  private StoreFailure notConnected() {
    return new StoreFailure(Effect.NONE, "not connected to Redis: " + reason, null);
  }

  /** Why there was no connection to Redis since the start; empty once there was one. */
  public Optional<String> unreachable() {
    return connected == null ? Optional.of(reason) : Optional.empty();
  }

  /** Makes limit keys under the secret that all servers share. */
  public KeySpace keys() {
    return secret.keys();
  }

  /** What an operator must know; empty as long as all servers have the same key secret. */
  public List<String> problems() {
    return secret.problems();
  }

  /** The number of script calls; one call decides all requests of a batch in one slot. */
  public long calls() {
    RedisStore store = connected;
    return store == null ? 0 : store.calls();
  }

  /**
   * Ends the warm-up, which began with the connection: requests have the configured deadline, but
   * several times as much for the first seconds.
   */
  public void endWarmUp() {
    RedisStore store = connected;
    if (store != null) {
      store.endWarmUp();
    }
  }

  /**
   * The roster of the servers that share the counters. Each announcement also checks the key
   * secret, so that after an outage servers agree on it before they send requests again.
   */
  public Roster roster() {
    return fleet;
  }

  /** The tables that the servers share, stored next to the counters. */
  public FleetTables tables() {
    return fleet;
  }

  /** The masters of a cluster, which fail independently; one shard before they are known. */
  public Shards shards() {
    return new CurrentShards(() -> shards);
  }

  /** Reads the memory of the masters; nothing is known before the first connection. */
  public StoreMemory memory() {
    return () -> {
      RedisStore store = connected;
      return (store == null ? StoreMemory.UNKNOWN : store.memory()).read();
    };
  }

  /** Fails all pending requests, and closes the connections. */
  @Override
  public void close() {
    closed = true;
    background.shutdownNow();
    RedisStore store = connected;
    if (store != null) {
      store.close();
    }
  }
}
