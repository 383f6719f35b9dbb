package dev.weir.library;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.library.internal.Arguments;
import dev.weir.library.web.HeldPermits;
import dev.weir.rule.FailureMode;
import dev.weir.rule.Identity;
import dev.weir.rule.Rule;
import dev.weir.rule.book.Charge;
import dev.weir.rule.book.Match;
import dev.weir.rule.book.RuleBook;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Limits how many of something are in flight at the same time, per key.
 *
 * <p>A permit is held until it is closed, and expires if its holder dies. Make a limiter with
 * {@link Weir#concurrency}, or with {@link RulesLimiter#concurrency} for limits in a rules file;
 * those may have rates beside the permits, and then both must have room.
 *
 * <p>Safe for use by any number of threads. Every method with a key throws an {@link
 * IllegalArgumentException} if the key is null, empty or longer than 8,192 characters, and an
 * {@link IllegalStateException} if the {@link Weir} is closed.
 */
public final class ConcurrencyLimiter {
  private static final String KEY = "key";

  private final Engine engine;
  private final String name;
  private final Supplier<RuleBook> book;
  private final WaitQueue queue;

  /**
   * A limiter whose limits may change.
   *
   * @param book the limits in force, as a book of one rule that counts by the value {@code key}
   */
  ConcurrencyLimiter(Engine engine, String name, Supplier<RuleBook> book) {
    this.engine = engine;
    this.name = name;
    this.book = book;
    this.queue = engine.newQueue();
  }

  static ConcurrencyLimiter of(Engine engine, String name, Limit limit, FailureMode failureMode) {
    Rule rule =
        Rule.named(name).per(Identity.of(KEY)).limit(limit).failureMode(failureMode).build();
    RuleBook book = RuleBook.of(List.of(rule), engine.keys());
    return new ConcurrencyLimiter(engine, name, () -> book);
  }

  /** The name, under which counters are kept and denials are reported. */
  public String name() {
    return name;
  }

  /** Takes a permit if one is free now; empty if none is. */
  public Optional<Permit> tryEnter(String key) {
    Match match = match(key, HeldPermits.newHolder());
    return engine.take(match).allowed()
        ? Optional.of(new Permit(this, key, match))
        : Optional.empty();
  }

  /** {@link #tryEnter} without waiting for the store. A cancelled future holds no permit. */
  public CompletableFuture<Optional<Permit>> tryEnterAsync(String key) {
    Match match = match(key, HeldPermits.newHolder());
    return Engine.handOver(
        engine.takeAsync(match),
        decision ->
            decision.allowed() ? Optional.of(new Permit(this, key, match)) : Optional.empty(),
        permit -> permit.ifPresent(Permit::close));
  }

  /**
   * {@link #tryEnter} for callers that want to know why there is no permit.
   *
   * @throws LimitExceededException if none is free now
   */
  public Permit enter(String key) {
    Match match = match(key, HeldPermits.newHolder());
    return permit(key, match, engine.take(match));
  }

  /**
   * {@link #enter(String)} without waiting for the store; the future fails with the {@link
   * LimitExceededException}. A cancelled future holds no permit.
   */
  public CompletableFuture<Permit> enterAsync(String key) {
    Match match = match(key, HeldPermits.newHolder());
    return Engine.handOver(
        engine.takeAsync(match), decision -> permit(key, match, decision), Permit::close);
  }

  private Permit permit(String key, Match match, RateLimitDecision decision) {
    if (decision.denial().isPresent()) {
      throw new LimitExceededException(decision.denial().get());
    }
    return new Permit(this, key, match);
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
    Attempts attempts = new Attempts(key);
    Duration wait = Arguments.atMost(atMost);
    return attempts.permit(Engine.await(queue.acquire(key, attempts, wait)));
  }

  /**
   * {@link #enter} without blocking a thread; the future fails with the {@link
   * LimitExceededException}. A cancelled future leaves the queue.
   */
  public CompletableFuture<Permit> enterAsync(String key, Duration atMost) {
    Attempts attempts = new Attempts(key);
    return Engine.handOver(
        queue.acquire(key, attempts, Arguments.atMost(atMost)), attempts::permit, Permit::close);
  }

  /** The attempts of a caller that waits, each by the limits of its time, all for one permit. */
  private final class Attempts implements Supplier<Match> {
    private final String key;
    private final long holder = HeldPermits.newHolder();
    private volatile Match last;

    Attempts(String key) {
      this.key = key;
      this.last = match(key, holder);
    }

    @Override
    public Match get() {
      last = match(key, holder);
      return last;
    }

    Permit permit(RateLimitDecision decision) {
      return ConcurrencyLimiter.this.permit(key, last, decision);
    }
  }

  private Match match(String key, long holder) {
    engine.checkOpen();
    RuleBook current = book.get();
    return current.match(Descriptor.of(current.names(), Arguments.key(key)), holder);
  }

  /** Releases the permits of a match, and only those: its rate limits stay charged. */
  void release(String key, Match match) {
    List<Claim> held = permits(match).map(Charge::claim).toList();
    var unused =
        engine.limiter().release(held).stage().whenComplete((done, failure) -> queue.wake(key));
  }

  boolean renew(Match match) {
    return engine.take(Match.of(permits(match).toList())).allowed();
  }

  /** Renews the permits of a match in the background, until the result is run. */
  Runnable autoRenew(Match match, Permit owner) {
    return engine.heldPermits().renew(Match.of(permits(match).toList()), owner);
  }

  private static Stream<Charge> permits(Match match) {
    return Stream.concat(match.charges().stream(), match.shadows().stream())
        .filter(charge -> charge.claim().limit().algorithm() == Algorithm.CONCURRENCY);
  }

  @Override
  public String toString() {
    return name;
  }
}
