package dev.weir.library;

import dev.weir.Store;
import dev.weir.async.Continuations;
import dev.weir.async.Scheduler;
import dev.weir.async.SystemScheduler;
import dev.weir.key.KeySecret;
import dev.weir.key.KeySpace;
import dev.weir.library.internal.Arguments;
import dev.weir.library.metrics.DecisionListener;
import dev.weir.library.metrics.WeirMeters;
import dev.weir.library.status.StoreStatus;
import dev.weir.limiter.Limiter;
import dev.weir.memory.MemoryStore;
import dev.weir.redis.SharedRedis;
import dev.weir.redis.connection.RedisCredentials;
import dev.weir.redis.connection.RedisDriver;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.rule.FailureMode;
import dev.weir.shared.GuardSettings;
import dev.weir.shared.SharedStore;
import dev.weir.time.Ticker;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link Weir}: begin with {@link Weir#builder} or {@link Weir#redis}.
 *
 * <p>Every setting rejects null with an {@link IllegalArgumentException}. Settings of Redis throw
 * an {@link IllegalStateException} where the counters are in this process. Not safe for use by
 * several threads.
 */
public final class WeirBuilder {
  private @Nullable RedisSettings redis;
  private @Nullable Store store;
  private RedisDriver driver = RedisDriver.own();
  private @Nullable Supplier<RedisCredentials> credentials;
  private FailureMode failureMode = FailureMode.LOCAL;
  private Executor executor = Continuations.shared();
  private GuardSettings guard = GuardSettings.DEFAULT;
  private @Nullable KeySecret keySecret;
  private Ticker ticker = Ticker.system();
  private @Nullable Scheduler scheduler;
  private boolean storeRequired;
  private Supplier<DecisionListener> listeners = () -> DecisionListener.NONE;

  WeirBuilder(@Nullable RedisSettings redis) {
    this.redis = redis;
  }

  /**
   * How connections to Redis are made; on threads of their own by default. {@link
   * RedisDriver#sharing} uses those of a Lettuce client that exists already.
   */
  public WeirBuilder driver(RedisDriver connections) {
    RedisDriver given = Arguments.present("driver", connections);
    settings("driver");
    this.driver = given;
    return this;
  }

  /**
   * Supplies the credentials for Redis before every connection, instead of the URL: for passwords
   * that are rotated and tokens that expire. See {@link RedisDriver#credentials}.
   */
  public WeirBuilder credentials(Supplier<RedisCredentials> supplier) {
    Supplier<RedisCredentials> given = Arguments.present("credentials", supplier);
    settings("credentials");
    this.credentials = given;
    return this;
  }

  /**
   * How long a decision may wait for Redis, instead of the deadline in the URL.
   *
   * @throws IllegalArgumentException if it is shorter than 1 ms or longer than 60 s
   */
  public WeirBuilder deadline(Duration atMost) {
    this.redis = settings("deadline").withDeadline(Arguments.present("deadline", atMost));
    return this;
  }

  /**
   * Counts in another store instead, one that may fail: a store of the application's own, or one
   * that a test makes fail. The deadline, the circuit breaker, the local fallback and {@link
   * #onStoreFailure} apply to it as they do to Redis.
   *
   * <p>If there is a URL of Redis, only its deadline still counts; otherwise {@link #guard} has it.
   * Processes that share the store need the same {@link #keySecret}, and do not know of each other:
   * while it does not answer, each grants the whole limit. {@link Weir#store} calls it what its
   * {@code toString} does. It is not closed with the Weir.
   */
  public WeirBuilder store(Store counters) {
    this.store = Arguments.present("store", counters);
    return this;
  }

  /** What happens while Redis does not answer; each process counts its part by default. */
  public WeirBuilder onStoreFailure(FailureMode mode) {
    this.failureMode = Arguments.present("failure mode", mode);
    return this;
  }

  /**
   * Does not start without Redis. By default a Weir starts while Redis cannot be reached, {@link
   * #onStoreFailure} decides, and it joins Redis as soon as that answers.
   */
  public WeirBuilder storeRequired() {
    settings("store required");
    this.storeRequired = true;
    return this;
  }

  /** Runs what callers add to futures; a pool of daemon threads by default. */
  public WeirBuilder executor(Executor completions) {
    this.executor = Arguments.present("executor", completions);
    return this;
  }

  /** When the circuit breaker in front of Redis opens. */
  public WeirBuilder guard(GuardSettings settings) {
    this.guard = Arguments.present("guard", settings);
    return this;
  }

  /** The secret of limit keys; by default processes on one Redis agree on a random one. */
  public WeirBuilder keySecret(KeySecret secret) {
    this.keySecret = Arguments.present("key secret", secret);
    return this;
  }

  /**
   * Counts decisions, and calls to Redis, in a registry of Micrometer; see docs/java.md for the
   * names. {@link Weir#close} removes the meters. A registry serves one Weir at a time.
   */
  public WeirBuilder meterRegistry(MeterRegistry registry) {
    Arguments.present("meter registry", registry);
    this.listeners = () -> new WeirMeters(registry);
    return this;
  }

  /**
   * The clock that counters in this process count by, for tests. They include the counters for the
   * time in which Redis does not answer; Redis itself counts by its own clock. Callers that wait do
   * so on the {@link #scheduler}.
   */
  public WeirBuilder ticker(Ticker clock) {
    this.ticker = Arguments.present("ticker", clock);
    return this;
  }

  /**
   * The timers of everything that waits, for tests: waiting callers, health probes and leases.
   * Deadlines of Redis and the reload of rules files stay on real time. It is not closed with the
   * Weir.
   */
  public WeirBuilder scheduler(Scheduler timers) {
    this.scheduler = Arguments.present("scheduler", timers);
    return this;
  }

  private RedisSettings settings(String setting) {
    if (redis == null) {
      throw new IllegalStateException(setting + ": set (expected: only after Weir.redis)");
    }
    return redis;
  }

  /**
   * Connects, if it is Redis.
   *
   * @throws IllegalArgumentException if both the URL and a supplier have credentials
   * @throws dev.weir.redis.connection.RedisUnusable if Redis cannot be used as it is configured, or
   *     cannot be reached and is required; with the reason
   * @throws dev.weir.redis.KeySecretConflict if other processes on this Redis use another secret
   */
  public Weir build() {
    List<AutoCloseable> resources = new CopyOnWriteArrayList<>();
    ScheduledExecutorService watcher =
        Executors.newSingleThreadScheduledExecutor(WeirBuilder::daemon);
    SystemScheduler own = Scheduler.system(executor);
    Scheduler timers = scheduler == null ? own : scheduler;
    try {
      DecisionListener listener = listeners.get();
      resources.add(listener);
      Engine engine;
      Supplier<StoreStatus> status;
      if (store != null) {
        SharedStore shared = guarded(store, timers);
        engine = sharing(shared, keys(), timers, listener, resources);
        String address = store.toString();
        status = () -> new StoreStatus(address, true, shared.isAnswering());
      } else if (redis == null) {
        engine = inMemory(timers, listener);
        status = () -> StoreStatus.EMBEDDED;
      } else {
        SharedRedis connected = open(redis);
        resources.add(connected);
        SharedStore shared = guarded(redis, connected, timers);
        engine = sharing(shared, connected.keys(), timers, listener, resources);
        connected.endWarmUp();
        String address = "Redis " + redis.address();
        status = () -> new StoreStatus(address, true, shared.isAnswering());
      }
      resources.add(own); // after the store, which still uses it
      return new Weir(engine, failureMode, resources, watcher, status);
    } catch (RuntimeException e) {
      watcher.shutdownNow();
      own.close();
      Weir.close(resources);
      throw e;
    }
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "weir-rules");
    thread.setDaemon(true);
    return thread;
  }

  private KeySpace keys() {
    return keySecret == null ? KeySpace.random() : keySecret.keys();
  }

  private Engine inMemory(Scheduler timers, DecisionListener listener) {
    return new Engine(new Limiter(counters(), listener), keys(), timers, executor, listener);
  }

  private Engine sharing(
      SharedStore shared,
      KeySpace keys,
      Scheduler timers,
      DecisionListener listener,
      List<AutoCloseable> resources) {
    resources.add(0, shared); // leases are returned before the connection is closed
    shared.start();
    listener.watch(shared);
    return new Engine(Limiter.on(shared, listener), keys, timers, executor, listener);
  }

  private MemoryStore counters() {
    return new MemoryStore(MemoryStore.DEFAULT_MAX_KEYS, ticker);
  }

  private SharedStore guarded(Store own, Scheduler timers) {
    return SharedStore.around(own)
        .guard(redis == null ? guard : guard.withDeadline(redis.deadline()))
        .fallback(counters())
        .ticker(ticker)
        .scheduler(timers)
        .build();
  }

  private SharedStore guarded(RedisSettings settings, SharedRedis connected, Scheduler timers) {
    return SharedStore.around(connected)
        .roster(connected.roster())
        .shards(connected.shards())
        .guard(guard.asBackstopOf(settings.deadline()))
        .fallback(counters())
        .ticker(ticker)
        .scheduler(timers)
        .build();
  }

  private SharedRedis open(RedisSettings settings) {
    RedisDriver connections = credentials == null ? driver : driver.credentials(credentials);
    try {
      return storeRequired
          ? SharedRedis.connect(settings, connections, keySecret, executor)
          : SharedRedis.open(settings, connections, keySecret, executor);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while connecting to Redis", e);
    }
  }
}
