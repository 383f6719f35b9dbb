package dev.weir.library;

import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.rule.FailureMode;
import dev.weir.rule.Identity;
import dev.weir.rule.Rule;
import dev.weir.rule.book.Match;
import dev.weir.rule.book.RuleBook;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Limits how many of something are in flight at the same time, per key.
 *
 * <p>A permit is held until it is closed, and expires if its holder dies. Make a limiter with
 * {@link Weir#concurrency}.
 *
 * <p>Safe for use by any number of threads. Every method with a key throws an {@link
 * IllegalArgumentException} if the key is null, empty or longer than 8,192 characters, and an
 * {@link IllegalStateException} if the {@link Weir} is closed.
 */
public final class ConcurrencyLimiter {
  private static final String KEY = "key";
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Engine engine;
  private final String name;
  private final RuleBook book;
  private final WaitQueue queue;

  private ConcurrencyLimiter(Engine engine, String name, RuleBook book) {
    this.engine = engine;
    this.name = name;
    this.book = book;
    this.queue = engine.newQueue();
  }

  static ConcurrencyLimiter of(Engine engine, String name, Limit limit, FailureMode failureMode) {
    Rule rule =
        Rule.named(name).per(Identity.of(KEY)).limit(limit).failureMode(failureMode).build();
    return new ConcurrencyLimiter(engine, name, RuleBook.of(List.of(rule), engine.keys()));
  }

  /** The name, under which counters are kept and denials are reported. */
  public String name() {
    return name;
  }

  /** Takes a permit if one is free now; empty if none is. */
  public Optional<Permit> tryEnter(String key) {
    Match match = match(key, holder());
    return engine.take(match).allowed()
        ? Optional.of(new Permit(this, key, match))
        : Optional.empty();
  }

  /** {@link #tryEnter} without waiting for the store. A cancelled future holds no permit. */
  public CompletableFuture<Optional<Permit>> tryEnterAsync(String key) {
    Match match = match(key, holder());
    return Engine.handOver(
        engine.takeAsync(match),
        decision ->
            decision.allowed() ? Optional.of(new Permit(this, key, match)) : Optional.empty(),
        permit -> permit.ifPresent(Permit::close));
  }

  /**
   * Takes a permit, and waits for one if need be, in the order in which callers of this process
   * came.
   *
   * @throws LimitExceededException if none was free for so long
   * @throws IllegalArgumentException if {@code atMost} is negative
   * @throws IllegalStateException if the Weir is closed meanwhile
   * @throws InterruptedException if the thread is interrupted; no permit is held then
   */
  public Permit enter(String key, Duration atMost) throws InterruptedException {
    Match match = match(key, holder());
    Duration wait = Arguments.atMost(atMost);
    return permit(key, match, Engine.await(queue.acquire(key, () -> match, wait)));
  }

  /**
   * {@link #enter} without blocking a thread; the future fails with the {@link
   * LimitExceededException}. A cancelled future leaves the queue.
   */
  public CompletableFuture<Permit> enterAsync(String key, Duration atMost) {
    Match match = match(key, holder());
    return Engine.handOver(
        queue.acquire(key, () -> match, Arguments.atMost(atMost)),
        decision -> permit(key, match, decision),
        Permit::close);
  }

  private Permit permit(String key, Match match, RateLimitDecision decision) {
    if (decision.denial().isPresent()) {
      throw new LimitExceededException(decision.denial().get());
    }
    return new Permit(this, key, match);
  }

  private Match match(String key, long holder) {
    engine.checkOpen();
    return book.match(Descriptor.of(book.names(), Arguments.key(key)), holder);
  }

  private static long holder() {
    long holder;
    do {
      holder = RANDOM.nextLong() & (Long.MAX_VALUE >>> 11); // scripts count in doubles
    } while (holder == 0);
    return holder;
  }

  void release(String key, Match match) {
    var unused =
        engine
            .limiter()
            .release(match.claims())
            .stage()
            .whenComplete((done, failure) -> queue.wake(key));
  }

  boolean renew(Match match) {
    return engine.take(match).allowed();
  }

  @Override
  public String toString() {
    return name;
  }
}
