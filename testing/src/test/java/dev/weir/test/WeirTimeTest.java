package dev.weir.test;

import static dev.weir.test.assertions.WeirAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Limit;
import dev.weir.library.LimitExceededException;
import dev.weir.library.Permit;
import dev.weir.library.RateLimitDecision;
import dev.weir.library.RateLimiter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The clock that tests move. */
@Timeout(60)
class WeirTimeTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final TestWeir test = TestWeir.with(builder -> {});
  private final WeirTime time = test.time();

  @AfterEach
  void close() {
    test.close();
  }

  @Test
  void standsStillUntilItIsMoved() {
    Instant start = time.instant();
    assertThat(start).isEqualTo(Instant.parse("2026-01-01T00:00:00Z"));
    time.advance(Duration.ofMillis(1_500));
    assertThat(time.instant()).isEqualTo(start.plusMillis(1_500));
    assertThat(time.micros()).isEqualTo(start.toEpochMilli() * 1_000 + 1_500_000);
    assertThat(time).hasToString("2026-01-01T00:00:01.500Z");
  }

  @Test
  void timersRunInTheOrderOfTheirTimesOnTheThreadThatMovesTheClock() {
    List<String> ran = new ArrayList<>();
    WeirTime clock = new WeirTime();
    clock.schedule(20, () -> ran.add("second at " + clock.nanos()));
    clock.schedule(20, () -> ran.add("third at " + clock.nanos()));
    clock.schedule(
        10,
        () -> {
          ran.add("first at " + clock.nanos() + " on " + Thread.currentThread().getName());
          clock.schedule(15, () -> ran.add("fourth at " + clock.nanos()));
        });
    clock.schedule(1_001, () -> ran.add("too late"));
    clock.advance(Duration.ofNanos(1_000));
    assertThat(ran)
        .containsExactly(
            "first at 10 on " + Thread.currentThread().getName(),
            "second at 20",
            "third at 20",
            "fourth at 25");
    assertThat(clock.nanos()).isEqualTo(1_000);
  }

  @Test
  void timerMayMoveTheClock() {
    WeirTime clock = new WeirTime();
    List<Long> ran = new ArrayList<>();
    clock.schedule(10, () -> clock.advance(Duration.ofNanos(100)));
    clock.schedule(50, () -> ran.add(clock.nanos()));
    clock.advance(Duration.ofNanos(20));
    assertThat(ran).containsExactly(50L);
    assertThat(clock.nanos()).isEqualTo(110);
  }

  @Test
  void doesNotGoBack() {
    assertThatThrownBy(() -> time.advance(Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("duration: PT-0.001S (expected: between PT0S and PT876000H)");
  }

  @Test
  void callersWaitInTheirOrder() {
    RateLimiter api = test.weir().limiter("api", Limit.tokenBucket(1, MINUTE, 1));
    List<Integer> order = new ArrayList<>();
    assertThat(api).admits(1, "acme");
    for (int i = 0; i < 5; i++) {
      int number = i;
      var unused =
          api.acquireAsync("acme", Duration.ofHours(1))
              .thenAccept(decision -> order.add(decision.allowed() ? number : -1));
    }
    time.advance(MINUTE.multipliedBy(3));
    assertThat(order).containsExactly(0, 1, 2);
    time.advance(MINUTE.multipliedBy(2));
    assertThat(order).containsExactly(0, 1, 2, 3, 4);
  }

  @Test
  void callerThatWaitsTooLongIsDenied() {
    RateLimiter api = test.weir().limiter("api", Limit.tokenBucket(1, MINUTE, 1));
    assertThat(api).admits(1, "acme");
    CompletableFuture<RateLimitDecision> first = api.acquireAsync("acme", MINUTE);
    CompletableFuture<RateLimitDecision> second = api.acquireAsync("acme", MINUTE);
    time.advance(MINUTE);
    assertThat(first.join()).isAllowed();
    assertThat(second.join()).isDeniedBy("api");
  }

  @Test
  void permitExpiresAndTheNextCallerEnters() {
    var exports = test.weir().concurrency("exports", 1, Duration.ofSeconds(10));
    Permit held = exports.tryEnter("acme").orElseThrow();
    CompletableFuture<Permit> waiting = exports.enterAsync("acme", MINUTE);
    time.advance(Duration.ofSeconds(9));
    assertThat(waiting).isNotDone();
    time.advance(Duration.ofSeconds(2));
    assertThat(waiting).isCompleted();
    assertThat(held.renew()).isFalse();
  }

  @Test
  void entryThatWaitsTooLongFails() {
    var exports = test.weir().concurrency("exports", 1, Duration.ofHours(1));
    assertThat(exports.tryEnter("acme")).isPresent();
    CompletableFuture<Permit> waiting = exports.enterAsync("acme", MINUTE);
    time.advance(MINUTE.plusSeconds(2));
    assertThatThrownBy(waiting::join).hasCauseInstanceOf(LimitExceededException.class);
  }

  /** Threads may wait by the hundred, virtual ones too: none of them moves the clock. */
  @Test
  void blockedThreadsGoOnWhenTheClockIsMoved() throws Exception {
    RateLimiter api = test.weir().limiter("api", Limit.tokenBucket(1, MINUTE, 1));
    assertThat(api).admits(1, "acme");
    int callers = 100;
    List<Thread> threads = new ArrayList<>();
    List<Boolean> allowed = new ArrayList<>();
    CountDownLatch started = new CountDownLatch(callers);
    for (int i = 0; i < callers; i++) {
      threads.add(
          Threads.start(
              () -> {
                started.countDown();
                boolean one = api.acquire("acme", Duration.ofDays(1)).allowed();
                synchronized (allowed) {
                  allowed.add(one);
                }
              }));
    }
    started.await();
    // In whatever order threads join the queue: each minute lets at least one of them pass.
    for (int minutes = 0; threads.stream().anyMatch(Thread::isAlive); minutes++) {
      assertThat(minutes).isLessThan(1_000_000);
      time.advance(MINUTE);
    }
    assertThat(allowed).hasSize(callers).doesNotContain(false);
  }

  @Test
  void aLongTimePassesQuicklyAndMissesNoTimer() {
    WeirTime clock = new WeirTime();
    AtomicInteger ticks = new AtomicInteger();
    List<Long> others = new ArrayList<>();
    Runnable[] tick = new Runnable[1];
    tick[0] =
        () -> {
          ticks.incrementAndGet();
          clock.schedule(1_000_000_000L, tick[0]);
        };
    tick[0].run();
    for (int days = 1; days < 300; days++) {
      clock.schedule(Duration.ofDays(days).toNanos(), () -> others.add(clock.nanos()));
    }
    clock.advance(Duration.ofDays(365));
    assertThat(others).hasSize(299).isSorted();
    assertThat(others.get(0)).isEqualTo(Duration.ofDays(1).toNanos());
    assertThat(ticks.get()).isBetween(600, 10_000);
    int before = ticks.get();
    clock.advance(Duration.ofSeconds(1));
    assertThat(ticks).hasValue(before + 1);
  }

  @Test
  void countersOfAYearHence() {
    RateLimiter api = test.weir().limiter("api", Limit.fixedWindow(1, Duration.ofDays(1)));
    assertThat(api).admits(1, "acme").thenDenies("acme");
    time.advance(Duration.ofDays(365));
    assertThat(api).admits(1, "acme").thenDenies("acme");
  }
}
