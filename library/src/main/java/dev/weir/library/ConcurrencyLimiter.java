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
 * {@link Weir#concurrency}. Safe for use by any number of threads.
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
    this.queue = new WaitQueue(engine);
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
    return permit(key, match, engine.takeAsync(match))
        .handle(
            (permit, failure) -> {
              if (failure instanceof LimitExceededException) {
                return Optional.empty();
              }
              if (failure instanceof RuntimeException other) {
                throw other;
              }
              return Optional.of(permit);
            });
  }

  /**
   * Takes a permit, and waits for one if need be, in the order in which callers of this process
   * came.
   *
   * @throws LimitExceededException if none was free for so long
   * @throws InterruptedException if the thread is interrupted; no permit is held then
   */
  public Permit enter(String key, Duration atMost) throws InterruptedException {
    Match match = match(key, holder());
    RateLimitDecision decision = Engine.await(queue.acquire(key, () -> match, atMost));
    if (decision.denial().isPresent()) {
      throw new LimitExceededException(decision.denial().get());
    }
    return new Permit(this, key, match);
  }

  /** {@link #enter} without blocking a thread. A cancelled future leaves the queue. */
  public CompletableFuture<Permit> enterAsync(String key, Duration atMost) {
    Match match = match(key, holder());
    return permit(key, match, queue.acquire(key, () -> match, atMost));
  }

  /** A permit once the decision is there; one that nobody waits for is released. */
  private CompletableFuture<Permit> permit(
      String key, Match match, CompletableFuture<RateLimitDecision> taken) {
    CompletableFuture<Permit> result = new CompletableFuture<>();
    var unused =
        taken.whenComplete(
            (decision, failure) -> {
              if (failure != null) {
                result.completeExceptionally(failure);
              } else if (decision.denial().isPresent()) {
                result.completeExceptionally(new LimitExceededException(decision.denial().get()));
              } else {
                Permit permit = new Permit(this, key, match);
                if (!result.complete(permit)) {
                  permit.close();
                }
              }
            });
    var unusedCancellation =
        result.whenComplete(
            (permit, failure) -> {
              if (result.isCancelled()) {
                taken.cancel(false);
              }
            });
    return result;
  }

  private Match match(String key, long holder) {
    return book.match(Descriptor.of(book.names(), key), holder);
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
