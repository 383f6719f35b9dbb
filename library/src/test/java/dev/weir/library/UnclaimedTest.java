package dev.weir.library;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.testkit.redis.Await;
import dev.weir.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is granted to callers that have gone, or whose keys have changed, is given back. */
@Timeout(180)
class UnclaimedTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration HOUR = Duration.ofHours(1);

  /** The interrupt comes at any moment: the caller has the permit, or nobody has it. */
  @Test
  void interruptNeverLosesAGrant() throws Exception {
    try (Weir weir = Weir.inMemory()) {
      ConcurrencyLimiter one = weir.concurrency("one", 1, HOUR);
      for (int round = 0; round < 300; round++) {
        Permit held = one.tryEnter("acme").orElseThrow();
        AtomicReference<Permit> entered = new AtomicReference<>();
        Thread caller = new Thread(() -> enter(one, entered));
        caller.start();
        Thread releasing = new Thread(held::close);
        releasing.start();
        caller.interrupt();
        caller.join();
        releasing.join();
        if (entered.get() != null) {
          entered.get().close();
        }
        int number = round;
        Await.until("permit of round " + number, LIMIT, () -> isFree(one));
      }
    }
  }

  private static void enter(ConcurrencyLimiter one, AtomicReference<Permit> entered) {
    try {
      entered.set(one.enter("acme", LIMIT));
    } catch (InterruptedException e) {
      // It holds no permit then.
    }
  }

  private static boolean isFree(ConcurrencyLimiter one) {
    Optional<Permit> permit = one.tryEnter("acme");
    permit.ifPresent(Permit::close);
    return permit.isPresent();
  }

  @Test
  void callersThatCancelDuringAnOutageHoldNothing() {
    try (RedisServer redis = RedisServer.start();
        Weir weir = Weir.redis(redis.url()).deadline(Duration.ofMillis(200)).build()) {
      ConcurrencyLimiter three = weir.concurrency("three", 3, HOUR);
      RateLimiter rate = weir.limiter("rate", Limit.fixedWindow(3, HOUR));
      redis.pause();
      List<CompletableFuture<?>> gone = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        gone.add(three.tryEnterAsync("acme"));
        gone.add(rate.tryAcquireAsync("acme"));
      }
      gone.forEach(future -> future.cancel(false));
      Await.until("three are free", LIMIT, () -> enterThree(three));
      Await.until("three are left", LIMIT, () -> rate.peek("acme").remaining() == 3);
      redis.resume();
    }
  }

  private static boolean enterThree(ConcurrencyLimiter three) {
    List<Permit> permits = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      three.tryEnter("acme").ifPresent(permits::add);
    }
    permits.forEach(Permit::close);
    return permits.size() == 3;
  }

  /** It was taken under keys of which Redis knows nothing. */
  @Test
  void reservationOfBeforeTheJoinGivesNothingBackToOthers() {
    try (RedisServer redis = RedisServer.start("appendonly yes", "appendfsync no");
        Weir first = Weir.redis(redis.url()).deadline(Duration.ofSeconds(5)).build()) {
      Limit thousand = Limit.fixedWindow(1_000, HOUR);
      RateLimiter shared = first.limiter("tokens", thousand);
      redis.kill();
      try (Weir late = Weir.redis(redis.url()).deadline(Duration.ofSeconds(5)).build()) {
        RateLimiter tokens = late.limiter("tokens", thousand);
        Reservation closed = tokens.reserve("acme", 400);
        Reservation settled = tokens.reserve("acme", 400);
        assertThat(closed.decision().degraded()).isTrue();
        redis.restart();
        Await.until("joined", LIMIT, () -> !tokens.peek("acme").degraded());
        Await.until("back", LIMIT, () -> !shared.peek("acme").degraded());
        assertThat(shared.cost(1_000).tryAcquire("acme").allowed()).isTrue();
        closed.close();
        settled.settle(1);
        assertThat(shared.tryAcquire("acme").allowed()).isFalse();
        assertThat(tokens.tryAcquire("acme").allowed()).isFalse();
      }
    }
  }

  /**
   * Two processes without a secret count together after Redis lost everything, whoever is first.
   */
  @Test
  void processThatStartsDuringAnOutageAndTheRunningOneCountTogether() {
    try (RedisServer redis = RedisServer.start();
        Weir running = Weir.redis(redis.url()).deadline(Duration.ofSeconds(5)).build()) {
      Limit five = Limit.fixedWindow(5, HOUR);
      RateLimiter here = running.limiter("api", five);
      assertThat(here.tryAcquire("acme").degraded()).isFalse();
      redis.kill();
      try (Weir late = Weir.redis(redis.url()).deadline(Duration.ofSeconds(5)).build()) {
        RateLimiter there = late.limiter("api", five);
        redis.restart();
        Await.until("joined", LIMIT, () -> !there.peek("acme").degraded());
        Await.until("back", LIMIT, () -> !here.peek("acme").degraded());
        Await.until(
            "one counter",
            LIMIT,
            () -> {
              String key = "probe-" + System.nanoTime();
              return here.tryAcquire(key).allowed() && there.peek(key).remaining() == 4;
            });
      }
    }
  }
}
