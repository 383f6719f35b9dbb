package dev.weir.grpc;

import dev.weir.async.Scheduler;
import dev.weir.library.ConcurrencyLimiter;
import dev.weir.library.RateLimiter;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** What all calls through one client interceptor share. Thread-safe. */
final class ClientLimits {
  /** How many calls may wait for the end of a pause at a time; further ones are denied. */
  static final int MAX_HELD = 10_000;

  /** The largest part of a pause that is added at random. */
  private static final int JITTER = 4;

  private final @Nullable RateLimiter rate;
  private final @Nullable ConcurrencyLimiter concurrency;
  private final Scheduler scheduler;
  private final RandomGenerator random;
  private final ServerPauses pauses;
  private final AtomicInteger held = new AtomicInteger();

  ClientLimits(
      @Nullable RateLimiter rate,
      @Nullable ConcurrencyLimiter concurrency,
      Scheduler scheduler,
      RandomGenerator random,
      Duration maxPause) {
    this.rate = rate;
    this.concurrency = concurrency;
    this.scheduler = scheduler;
    this.random = random;
    this.pauses = new ServerPauses(scheduler, maxPause);
  }

  @Nullable RateLimiter rate() {
    return rate;
  }

  @Nullable ConcurrencyLimiter concurrency() {
    return concurrency;
  }

  Scheduler scheduler() {
    return scheduler;
  }

  ServerPauses pauses() {
    return pauses;
  }

  long withJitter(long nanos) {
    return nanos + random.nextLong(nanos / JITTER + 1);
  }

  boolean tryHold() {
    if (held.incrementAndGet() <= MAX_HELD) {
      return true;
    }
    held.decrementAndGet();
    return false;
  }

  void endHold() {
    held.decrementAndGet();
  }
}
