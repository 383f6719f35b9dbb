package dev.weir.library;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.internal.Rejections;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.rule.FailureMode;
import dev.weir.rule.book.Charge;
import dev.weir.rule.book.Match;
import dev.weir.rules.RulesLoader;
import dev.weir.rules.RulesRejected;
import dev.weir.rules.source.RuleFiles;
import dev.weir.rules.source.RulesFileWatcher;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;

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

  Weir(
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
  public static WeirBuilder builder() {
    return new WeirBuilder(null);
  }

  /**
   * Builds a Weir that counts in Redis.
   *
   * @param url such as {@code redis://host:6379}, {@code rediss://}, {@code redis-sentinel://} or
   *     {@code redis-cluster://}; see docs/redis.md for its options
   * @throws IllegalArgumentException if the URL is wrong
   */
  public static WeirBuilder redis(String url) {
    return new WeirBuilder(RedisSettings.parse(Arguments.present("url", url)));
  }

  /**
   * A rate limiter. The same name gives the same limiter.
   *
   * @param name letters, digits, dots, dashes and underscores
   * @param limits all of them must have room
   * @throws IllegalArgumentException if the name has another form, if there is no limit, or if the
   *     name stands for other limits already
   * @throws IllegalStateException if this is closed
   */
  public RateLimiter limiter(String name, Limit... limits) {
    for (Limit limit : Arguments.present("limits", limits)) {
      Arguments.present("limit", limit);
    }
    List<Limit> all = List.of(limits);
    if (all.isEmpty()) {
      throw Rejections.of("limits", "none", "at least one");
    }
    return define(
        RateLimiter.class, name, all, () -> RateLimiter.of(engine, name, all, failureMode));
  }

  /**
   * A concurrency limiter. The same name gives the same limiter.
   *
   * @param permits how many may be in flight at a time, per key
   * @param expiry after so long a permit that was neither closed nor renewed is free again
   * @throws IllegalArgumentException if the name has another form or stands for something else, or
   *     if a number is out of range
   * @throws IllegalStateException if this is closed
   */
  public ConcurrencyLimiter concurrency(String name, long permits, Duration expiry) {
    Limit limit = Limit.concurrent(permits, Arguments.present("expiry", expiry));
    return define(
        ConcurrencyLimiter.class,
        name,
        List.of(limit),
        () -> ConcurrencyLimiter.of(engine, name, limit, failureMode));
  }

  private <T> T define(Class<T> type, String name, List<Limit> limits, Supplier<T> made) {
    engine.checkOpen();
    Definition known =
        definitions.computeIfAbsent(
            Arguments.present("name", name), absent -> new Definition(limits, made.get()));
    if (!type.isInstance(known.limiter) || !known.limits.equals(limits)) {
      throw Rejections.of("name", name, "a new name, since it stands for " + known.limits);
    }
    return type.cast(known.limiter);
  }

  /**
   * Decides about several requests together: all of them are granted, or none is charged. They may
   * be of different limiters and for different keys.
   *
   * @throws IllegalArgumentException if there is no request, if one is of another Weir, or if they
   *     have more limits together than a store decides at once
   * @throws IllegalStateException if this is closed
   */
  public RateLimitDecision all(LimitRequest... requests) {
    return engine.take(together(requests));
  }

  /**
   * {@link #all} without waiting for the store. If the future is cancelled before the decision is
   * there, what is granted is given back.
   */
  public CompletableFuture<RateLimitDecision> allAsync(LimitRequest... requests) {
    return engine.takeAsync(together(requests));
  }

  private Match together(LimitRequest... requests) {
    if (Arguments.present("requests", requests).length == 0) {
      throw Rejections.of("requests", "none", "at least one");
    }
    List<Charge> charges = new ArrayList<>();
    for (LimitRequest request : requests) {
      RateLimiter limiter = Arguments.present("request", request).limiter();
      if (!limiter.isOf(engine)) {
        throw Rejections.of("request", limiter.name(), "a limiter of this Weir");
      }
      charges.addAll(limiter.match(request.key()).charges());
    }
    Rejections.between("limits of all requests", charges.size(), 1, Claim.MAX_CLAIMS);
    return Match.of(charges);
  }

  /**
   * A limiter by a rules file, or by all files of a directory; see docs/rules.md. Changes of the
   * file become active by themselves, unless they are wrong.
   *
   * @throws IllegalArgumentException if the rules are wrong, with everything that is
   * @throws UncheckedIOException if the file cannot be read
   * @throws IllegalStateException if this is closed
   */
  public synchronized RulesLimiter rules(Path file) {
    Arguments.present("file", file);
    engine.checkOpen();
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

  /**
   * Returns leases, leaves the fleet, closes connections. Callers that wait fail with an {@link
   * IllegalStateException}, and so do all requests from now on; permits and reservations may still
   * be closed. A second time, nothing happens.
   */
  @Override
  public synchronized void close() {
    if (engine.isClosed()) {
      return;
    }
    engine.close();
    watcher.shutdownNow();
    close(resources);
  }

  static void close(List<AutoCloseable> resources) {
    for (AutoCloseable resource : resources) {
      try {
        resource.close();
      } catch (Exception e) {
        System.getLogger(Weir.class.getName())
            .log(System.Logger.Level.WARNING, "Failed to close " + resource, e);
      }
    }
  }
}
