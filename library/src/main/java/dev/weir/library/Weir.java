package dev.weir.library;

import dev.weir.Limit;
import dev.weir.Store;
import dev.weir.async.Continuations;
import dev.weir.async.Scheduler;
import dev.weir.async.SystemScheduler;
import dev.weir.key.KeySecret;
import dev.weir.key.KeySpace;
import dev.weir.limiter.Limiter;
import dev.weir.memory.MemoryStore;
import dev.weir.redis.SharedRedis;
import dev.weir.redis.connection.RedisDriver;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.rule.FailureMode;
import dev.weir.rule.book.Charge;
import dev.weir.rule.book.Match;
import dev.weir.rules.RulesLoader;
import dev.weir.rules.RulesRejected;
import dev.weir.rules.source.RuleFiles;
import dev.weir.rules.source.RulesFileWatcher;
import dev.weir.shared.GuardSettings;
import dev.weir.shared.SharedStore;
import dev.weir.time.Ticker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * Makes limiters that count in this process, or together with other processes through Redis.
 *
 * <pre>{@code
 * Weir weir = Weir.inMemory();
 * RateLimiter api = weir.limiter("api", Limit.tokenBucket(10, Duration.ofSeconds(1), 20));
 * RateLimitDecision decision = api.tryAcquire("acme");
 * }</pre>
 *
 * <p>Keys are derived inside: limiters with different names never share a counter, and processes on
 * one Redis count together without being given a secret. While Redis does not answer, the failure
 * mode decides; by default each process counts its part of the limit.
 *
 * <p>Safe for use by any number of threads. Close it to return leases and to close connections.
 */
public final class Weir implements AutoCloseable {
  private final Engine engine;
  private final FailureMode failureMode;
  private final List<AutoCloseable> resources;
  private final Map<String, Definition> definitions = new ConcurrentHashMap<>();
  private final ScheduledExecutorService watcher;

  /** What a name stands for, so that it stands for one thing only. */
  private record Definition(List<Limit> limits, Object limiter) {}

  private Weir(
      Engine engine,
      FailureMode failureMode,
      List<AutoCloseable> resources,
      ScheduledExecutorService watcher) {
    this.engine = engine;
    this.failureMode = failureMode;
    this.resources = resources;
    this.watcher = watcher;
  }

  /** Counts in this process. */
  public static Weir inMemory() {
    return builder().build();
  }

  /** Builds a Weir that counts in this process. */
  public static Builder builder() {
    return new Builder(null);
  }

  /**
   * Builds a Weir that counts in Redis.
   *
   * @param url such as {@code redis://host:6379}, {@code rediss://}, {@code redis-sentinel://} or
   *     {@code redis-cluster://}; see docs/redis.md for its options
   * @throws IllegalArgumentException if the URL is wrong
   */
  public static Builder redis(String url) {
    return new Builder(RedisSettings.parse(url));
  }

  /**
   * A rate limiter. The same name gives the same limiter.
   *
   * @param name letters, digits, dots, dashes and underscores
   * @param limits all of them must have room
   * @throws IllegalArgumentException if the name has another form, if there is no limit, or if the
   *     name stands for other limits already
   */
  public RateLimiter limiter(String name, Limit... limits) {
    List<Limit> all = List.of(limits);
    if (all.isEmpty()) {
      throw new IllegalArgumentException("limits: none (expected: at least one)");
    }
    return define(
        RateLimiter.class, name, all, () -> RateLimiter.of(engine, name, all, failureMode));
  }

  /**
   * A concurrency limiter. The same name gives the same limiter.
   *
   * @param permits how many may be in flight at a time, per key
   * @param expiry after so long a permit that was neither closed nor renewed is free again
   * @throws IllegalArgumentException if the name has another form or stands for something else
   */
  public ConcurrencyLimiter concurrency(String name, long permits, Duration expiry) {
    Limit limit = Limit.concurrent(permits, expiry);
    return define(
        ConcurrencyLimiter.class,
        name,
        List.of(limit),
        () -> ConcurrencyLimiter.of(engine, name, limit, failureMode));
  }

  private <T> T define(
      Class<T> type, String name, List<Limit> limits, java.util.function.Supplier<T> made) {
    Definition known =
        definitions.computeIfAbsent(name, absent -> new Definition(limits, made.get()));
    if (!type.isInstance(known.limiter) || !known.limits.equals(limits)) {
      throw new IllegalArgumentException(
          "name: " + name + " (expected: a new name, since it stands for " + known.limits + ")");
    }
    return type.cast(known.limiter);
  }

  /**
   * Decides about several requests together: all of them are granted, or none is charged. They may
   * be of different limiters and for different keys.
   */
  public RateLimitDecision all(LimitRequest... requests) {
    List<Charge> charges = new ArrayList<>();
    for (LimitRequest request : requests) {
      charges.addAll(request.limiter().match(request.key()).charges());
    }
    return engine.take(Match.of(charges));
  }

  /**
   * A limiter by a rules file, or by all files of a directory; see docs/rules.md. Changes of the
   * file become active by themselves, unless they are wrong.
   *
   * @throws IllegalArgumentException if the rules are wrong, with everything that is
   * @throws UncheckedIOException if the file cannot be read
   */
  public RulesLimiter rules(Path file) {
    try {
      RulesLoader loader = new RulesLoader(engine.keys(), System.getenv());
      RulesFileWatcher files =
          new RulesFileWatcher(RuleFiles.at(file), loader, InstantSource.system());
      files.start(watcher);
      resources.add(files);
      return new RulesLimiter(engine, files);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (RulesRejected e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /** Returns leases, leaves the fleet, closes connections. */
  @Override
  public void close() {
    watcher.shutdownNow();
    for (AutoCloseable resource : List.copyOf(resources)) {
      try {
        resource.close();
      } catch (Exception e) {
        System.getLogger(Weir.class.getName())
            .log(System.Logger.Level.WARNING, "Failed to close " + resource, e);
      }
    }
  }

  /** Builds a {@link Weir}. Not safe for use by several threads. */
  public static final class Builder {
    private final @Nullable RedisSettings redis;
    private FailureMode failureMode = FailureMode.LOCAL;
    private Executor executor = Continuations.shared();
    private GuardSettings guard = GuardSettings.DEFAULT;
    private @Nullable KeySecret keySecret;
    private Ticker ticker = Ticker.system();
    private boolean storeRequired;

    private Builder(@Nullable RedisSettings redis) {
      this.redis = redis;
    }

    /** What happens while Redis does not answer; each process counts its part by default. */
    public Builder onStoreFailure(FailureMode mode) {
      this.failureMode = Objects.requireNonNull(mode);
      return this;
    }

    /** Runs what callers add to futures; a pool of daemon threads by default. */
    public Builder executor(Executor completions) {
      this.executor = Objects.requireNonNull(completions);
      return this;
    }

    /** When the circuit breaker in front of Redis opens. */
    public Builder guard(GuardSettings settings) {
      this.guard = Objects.requireNonNull(settings);
      return this;
    }

    /** The secret of limit keys; by default processes on one Redis agree on a random one. */
    public Builder keySecret(KeySecret secret) {
      this.keySecret = Objects.requireNonNull(secret);
      return this;
    }

    /** The clock of counters in this process: for tests. */
    public Builder ticker(Ticker clock) {
      this.ticker = Objects.requireNonNull(clock);
      return this;
    }

    /**
     * Does not start without Redis. By default a Weir starts while Redis cannot be reached, {@link
     * #onStoreFailure} decides, and it joins Redis as soon as that answers.
     */
    public Builder storeRequired() {
      this.storeRequired = true;
      return this;
    }

    /**
     * Connects, if it is Redis.
     *
     * @throws dev.weir.redis.connection.RedisUnusable if Redis cannot be used as it is configured,
     *     or cannot be reached and is required; with the reason
     * @throws dev.weir.redis.KeySecretConflict if other processes on this Redis use another secret
     */
    public Weir build() {
      SystemScheduler scheduler = Scheduler.system(executor);
      ScheduledExecutorService watcher =
          Executors.newSingleThreadScheduledExecutor(
              task -> {
                Thread thread = new Thread(task, "weir-rules");
                thread.setDaemon(true);
                return thread;
              });
      List<AutoCloseable> resources = new CopyOnWriteArrayList<>();
      if (redis == null) {
        Store store = new MemoryStore(MemoryStore.DEFAULT_MAX_KEYS, ticker);
        KeySpace keys = keySecret == null ? KeySpace.random() : keySecret.keys();
        Limiter limiter = new Limiter(store, (rule, outcome) -> {});
        resources.add(scheduler);
        Engine engine = new Engine(limiter, keys, scheduler, executor);
        return new Weir(engine, failureMode, resources, watcher);
      }
      return buildShared(redis, scheduler, watcher, resources);
    }

    private Weir buildShared(
        RedisSettings settings,
        SystemScheduler scheduler,
        ScheduledExecutorService watcher,
        List<AutoCloseable> resources) {
      try {
        SharedRedis store =
            storeRequired
                ? SharedRedis.connect(settings, RedisDriver.own(), keySecret, executor)
                : SharedRedis.open(settings, RedisDriver.own(), keySecret, executor);
        SharedStore shared =
            SharedStore.around(store)
                .roster(store.roster())
                .shards(store.shards())
                .guard(guard.asBackstopOf(settings.deadline()))
                .scheduler(scheduler)
                .build();
        shared.start();
        store.endWarmUp();
        resources.add(shared);
        resources.add(scheduler);
        resources.add(store);
        Limiter limiter = new Limiter(shared, shared.fallback(), (rule, outcome) -> {});
        Engine engine = new Engine(limiter, store.keys(), scheduler, executor);
        return new Weir(engine, failureMode, resources, watcher);
      } catch (InterruptedException e) {
        watcher.shutdownNow();
        scheduler.close();
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while connecting to Redis", e);
      } catch (RuntimeException e) {
        watcher.shutdownNow();
        scheduler.close();
        throw e;
      }
    }
  }
}
