package dev.weir.library;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.internal.Rejections;
import dev.weir.library.internal.Arguments;
import dev.weir.library.status.StoreStatus;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.rule.FailureMode;
import dev.weir.rule.book.Match;
import dev.weir.rules.RulesLoader;
import dev.weir.rules.RulesRegistry;
import dev.weir.rules.RulesRejected;
import dev.weir.rules.source.RuleFiles;
import dev.weir.rules.source.RulesFileWatcher;
import dev.weir.rules.yaml.RulesText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;
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
  private final Supplier<StoreStatus> store;

  /** What a name stands for, so that it stands for one thing only. */
  private record Definition(List<Limit> limits, Object limiter) {}

  Weir(
      Engine engine,
      FailureMode failureMode,
      List<AutoCloseable> resources,
      ScheduledExecutorService watcher,
      Supplier<StoreStatus> store) {
    this.engine = engine;
    this.failureMode = failureMode;
    this.resources = resources;
    this.watcher = watcher;
    this.store = store;
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
    List<Match> matches = new ArrayList<>();
    for (LimitRequest request : requests) {
      RateLimiter limiter = Arguments.present("request", request).limiter();
      if (!limiter.isOf(engine)) {
        throw Rejections.of("request", limiter.name(), "a limiter of this Weir");
      }
      matches.add(limiter.match(request.key()));
    }
    int limits = matches.stream().mapToInt(one -> one.charges().size()).sum();
    Rejections.between("limits of all requests", Math.max(1, limits), 1, Claim.MAX_CLAIMS);
    return Match.together(matches);
  }

  /**
   * A limiter by a rules file, or by all files of a directory; see docs/rules.md. Changes of the
   * file become active by themselves, unless they are wrong.
   *
   * @throws IllegalArgumentException if the rules are wrong, with everything that is
   * @throws UncheckedIOException if the file cannot be read
   * @throws IllegalStateException if this is closed
   */
  public RulesLimiter rules(Path file) {
    return rules(Arguments.present("file", file), List.of());
  }

  /**
   * A limiter by rules that are written in the application; they do not change.
   *
   * @throws IllegalArgumentException if the rules are wrong, with everything that is
   * @throws IllegalStateException if this is closed
   */
  public RulesLimiter rules(RulesText... texts) {
    return rules(null, Arrays.asList(Arguments.present("texts", texts)));
  }

  /**
   * A limiter by a rules file and rules that are written in the application, as if they were one
   * file; see {@link #rules(Path)}.
   *
   * @param file null if there is none
   * @throws IllegalArgumentException also if there is neither a file nor a text
   * @throws UncheckedIOException if the file cannot be read
   * @throws IllegalStateException if this is closed
   */
  public synchronized RulesLimiter rules(@Nullable Path file, List<RulesText> texts) {
    engine.checkOpen();
    for (RulesText text : Arguments.present("texts", texts)) {
      Arguments.present("text", text);
    }
    if (file == null && texts.isEmpty()) {
      throw Rejections.of("rules", "none", "a file or a text");
    }
    RulesRegistry registry =
        new RulesRegistry(
            new RulesLoader(engine.keys(), System.getenv()).forApplication(),
            InstantSource.system());
    try {
      if (file == null) {
        registry.addSource("application").loadInitial(texts);
      } else {
        registry.addFixedSource("application", texts);
        RulesFileWatcher files =
            new RulesFileWatcher(RuleFiles.at(file), registry, InstantSource.system());
        files.start(watcher);
        resources.add(files);
      }
      RulesLimiter limiter = new RulesLimiter(engine, registry);
      resources.add(limiter::close);
      resources.add(registry);
      return limiter;
    } catch (IOException e) {
      registry.close();
      throw new UncheckedIOException(e);
    } catch (RulesRejected e) {
      registry.close();
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /** The store, and whether it answers now. */
  public StoreStatus store() {
    return store.get();
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
