package dev.weir.library;

import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.StoreFailure;
import dev.weir.library.internal.Arguments;
import dev.weir.rule.CallerLimits;
import dev.weir.rule.FailureMode;
import dev.weir.rule.Identity;
import dev.weir.rule.Rule;
import dev.weir.rule.book.Match;
import dev.weir.rule.book.RuleBook;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Limits how often something may happen, per key: a caller, a tenant, an endpoint.
 *
 * <p>A limiter may have several limits, such as 10 per second and 1,000 per day; all of them must
 * have room, and a denied request costs nothing anywhere. Make one with {@link Weir#limiter}, or
 * with {@link RulesLimiter#limiter} for limits in a rules file.
 *
 * <p>Safe for use by any number of threads. Methods without {@code Async} wait for a shared store,
 * for at most its deadline. Every method with a key throws an {@link IllegalArgumentException} if
 * the key is null, empty or longer than 8,192 characters, and an {@link IllegalStateException} if
 * the {@link Weir} is closed.
 */
public final class RateLimiter {
  private static final String KEY = "key";

  private final Engine engine;
  private final String name;
  private final Supplier<RuleBook> book;
  private final WaitQueue queue;
  private final CallerLimits limits;
  private final long cost;

  private RateLimiter(
      Engine engine,
      String name,
      Supplier<RuleBook> book,
      WaitQueue queue,
      CallerLimits limits,
      long cost) {
    this.engine = engine;
    this.name = name;
    this.book = book;
    this.queue = queue;
    this.limits = limits;
    this.cost = cost;
  }

  static RateLimiter of(Engine engine, String name, List<Limit> limits, FailureMode failureMode) {
    Rule rule =
        Rule.named(name)
            .per(Identity.of(KEY))
            .limit(limits.toArray(Limit[]::new))
            .failureMode(failureMode)
            .build();
    RuleBook book = RuleBook.of(List.of(rule), engine.keys());
    return of(engine, name, () -> book, CallerLimits.NONE);
  }

  /**
   * A limiter whose limits may change.
   *
   * @param book the limits in force, as a book of one rule that counts by the value {@code key}
   * @param limits those of single keys
   */
  static RateLimiter of(Engine engine, String name, Supplier<RuleBook> book, CallerLimits limits) {
    return new RateLimiter(engine, name, book, engine.newQueue(), limits, 1);
  }

  /** The name, under which counters are kept and denials are reported. */
  public String name() {
    return name;
  }

  /**
   * The same limiter for requests that cost more or less than one permit.
   *
   * @throws IllegalArgumentException if the cost is out of range
   */
  public RateLimiter cost(long permits) {
    return new RateLimiter(engine, name, book, queue, limits, Arguments.cost(permits));
  }

  /** A request for one key, to be asked for {@linkplain Weir#all together with others}. */
  public LimitRequest request(String key) {
    return new LimitRequest(this, key);
  }

  boolean isOf(Engine other) {
    return engine == other;
  }

  private Match match(String key, long permits) {
    engine.checkOpen();
    RuleBook current = book.get();
    Match match = current.match(Descriptor.of(current.names(), Arguments.key(key)), 0, limits);
    return permits == 1 ? match : match.withCost(OptionalLong.of(permits));
  }

  Match match(String key) {
    return match(key, cost);
  }

  /** Takes permits if all limits have room now. */
  public RateLimitDecision tryAcquire(String key) {
    return engine.take(match(key));
  }

  /**
   * {@link #tryAcquire} without waiting for the store. If the future is cancelled before the
   * decision is there, what is granted is given back.
   */
  public CompletableFuture<RateLimitDecision> tryAcquireAsync(String key) {
    return engine.takeAsync(match(key));
  }

  /**
   * Takes permits, and waits for them if need be. Callers of this process wait in the order in
   * which they came.
   *
   * @param atMost how long to wait; a caller that would have to wait longer is denied at once
   * @throws IllegalArgumentException if {@code atMost} is negative
   * @throws InterruptedException if the thread is interrupted; nothing is taken then
   * @throws IllegalStateException if the Weir is closed meanwhile
   */
  public RateLimitDecision acquire(String key, Duration atMost) throws InterruptedException {
    return Engine.await(acquireAsync(key, atMost));
  }

  /** {@link #acquire} without blocking a thread. A cancelled future leaves the queue. */
  public CompletableFuture<RateLimitDecision> acquireAsync(String key, Duration atMost) {
    return queue.acquire(Arguments.key(key), () -> match(key), Arguments.atMost(atMost));
  }

  /**
   * Takes an estimated cost, to be corrected once the true cost is known.
   *
   * @param estimate in permits
   * @return a reservation, which holds permits only if its decision is allowed
   * @throws IllegalArgumentException if the estimate is out of range
   */
  public Reservation reserve(String key, long estimate) {
    Match match = match(key, Arguments.cost(estimate));
    return new Reservation(engine, match, estimate, engine.take(match));
  }

  /**
   * {@link #reserve} without waiting for the store. If the future is cancelled before the decision
   * is there, what is granted is given back.
   */
  public CompletableFuture<Reservation> reserveAsync(String key, long estimate) {
    Match match = match(key, Arguments.cost(estimate));
    return Engine.handOver(
        engine.takeAsync(match),
        decision -> new Reservation(engine, match, estimate, decision),
        Reservation::close);
  }

  /** Answers what {@link #tryAcquire} would, and spends nothing. */
  public RateLimitDecision peek(String key) {
    Match match = match(key);
    try {
      return RateLimitDecision.of(match, engine.limiter().peek(match).join());
    } catch (StoreFailure e) {
      return RateLimitDecision.unavailable(match);
    }
  }

  /**
   * Gives back permits that were taken.
   *
   * @throws StoreFailure if the store does not answer
   */
  public void refund(String key) {
    var unused = engine.limiter().refund(match(key)).join();
  }

  /**
   * Charges permits whether or not there is room: the counter may be left in debt, which time pays
   * back.
   *
   * @throws StoreFailure if the store does not answer
   */
  public void charge(String key) {
    var unused = engine.limiter().charge(match(key)).join();
  }

  /**
   * Resets the counters of a key: they are as if never used.
   *
   * @throws StoreFailure if the store does not answer
   */
  public void reset(String key) {
    var unused = engine.limiter().reset(match(key)).join();
  }

  /**
   * Runs a supplier only if a permit can be taken.
   *
   * @throws LimitExceededException when it is called and the limit is reached
   */
  public <T> Supplier<T> decorate(String key, Supplier<T> supplier) {
    Arguments.key(key);
    Arguments.present("supplier", supplier);
    return () -> {
      RateLimitDecision decision = tryAcquire(key);
      decision.denial().ifPresent(denial -> throwExceeded(denial));
      return supplier.get();
    };
  }

  /**
   * Starts a stage only if a permit can be taken; otherwise the result fails with {@link
   * LimitExceededException}.
   */
  public <T> Supplier<CompletionStage<T>> decorateStage(
      String key, Supplier<? extends CompletionStage<T>> supplier) {
    Arguments.key(key);
    Arguments.present("supplier", supplier);
    return () ->
        tryAcquireAsync(key)
            .thenCompose(
                decision ->
                    decision
                        .denial()
                        .<CompletionStage<T>>map(
                            denial ->
                                CompletableFuture.failedStage(new LimitExceededException(denial)))
                        .orElseGet(supplier));
  }

  private static void throwExceeded(Denial denial) {
    throw new LimitExceededException(denial);
  }

  @Override
  public String toString() {
    return name;
  }
}
