package dev.weir.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Limit;
import dev.weir.async.Scheduler;
import dev.weir.testkit.time.ManualScheduler;
import dev.weir.testkit.time.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callers that wait, on real time, judged by outcome and never by how long it took. */
@Timeout(60)
class WaitingTest {
  private static final Duration LONG = Duration.ofSeconds(50);

  /** Threads that ask again and again get equal shares: nobody overtakes anybody. */
  @Test
  void thirtyTwoThreadsGetEqualShares() throws Exception {
    int threads = 32;
    int permits = 10 * threads;
    try (Weir weir = Weir.inMemory()) {
      RateLimiter limiter = weir.limiter("api", Limit.tokenBucket(100, Duration.ofSeconds(1), 1));
      AtomicLong left = new AtomicLong(permits);
      CountDownLatch start = new CountDownLatch(1);
      List<AtomicLong> granted = new ArrayList<>();
      List<Thread> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        AtomicLong mine = new AtomicLong();
        granted.add(mine);
        Thread thread =
            new Thread(
                () -> {
                  try {
                    start.await();
                    while (left.get() > 0) {
                      if (limiter.acquire("acme", LONG).allowed() && left.decrementAndGet() >= 0) {
                        mine.incrementAndGet();
                      }
                    }
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                });
        all.add(thread);
        thread.start();
      }
      start.countDown();
      for (Thread thread : all) {
        thread.join();
      }
      assertThat(granted.stream().mapToLong(AtomicLong::get).sum()).isEqualTo(permits);
      long most = granted.stream().mapToLong(AtomicLong::get).max().orElseThrow();
      long least = granted.stream().mapToLong(AtomicLong::get).min().orElseThrow();
      assertThat(most - least).as("%s", granted).isLessThanOrEqualTo(4); // within ±2 of each other
    }
  }

  @Test
  void waitingCallersAreServedInTheirOrder() {
    try (Weir weir = Weir.inMemory()) {
      RateLimiter limiter = weir.limiter("api", Limit.tokenBucket(200, Duration.ofSeconds(1), 1));
      List<Integer> order = new ArrayList<>();
      List<CompletableFuture<?>> all = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        int number = i;
        all.add(
            limiter
                .acquireAsync("acme", LONG)
                .thenAccept(
                    decision -> {
                      synchronized (order) {
                        order.add(decision.allowed() ? number : -1);
                      }
                    }));
      }
      all.forEach(CompletableFuture::join);
      assertThat(order).hasSize(50).doesNotContain(-1);
      // Completions of neighbours may run on two threads of the executor; the queue is in order.
      for (int i = 0; i < order.size(); i++) {
        assertThat(Math.abs(order.get(i) - i)).as("%s", order).isLessThanOrEqualTo(3);
      }
    }
  }

  /** A window that begins grants all waiting callers one after the other: no grant nests. */
  @Test
  void manyWaitingCallersAreServedAtOnceWhenAWindowBegins() {
    try (Weir weir = Weir.inMemory()) {
      int callers = 20_000;
      RateLimiter limiter = weir.limiter("api", Limit.fixedWindow(callers, Duration.ofSeconds(2)));
      limiter.cost(callers).tryAcquire("acme");
      List<CompletableFuture<RateLimitDecision>> all = new ArrayList<>();
      for (int i = 0; i < callers; i++) {
        all.add(limiter.acquireAsync("acme", LONG));
      }
      assertThat(all).allMatch(one -> one.join().allowed());
    }
  }

  @Test
  void cancelledCallerLeavesTheQueueAndTakesNothing() {
    try (Weir weir = Weir.inMemory()) {
      RateLimiter limiter = weir.limiter("api", Limit.fixedWindow(1, Duration.ofSeconds(2)));
      limiter.tryAcquire("acme");
      CompletableFuture<RateLimitDecision> first = limiter.acquireAsync("acme", LONG);
      CompletableFuture<RateLimitDecision> second = limiter.acquireAsync("acme", LONG);
      first.cancel(false);
      assertThat(second.join().allowed()).isTrue();
      assertThat(first.isCancelled()).isTrue();
    }
  }

  @Test
  void interruptedThreadLeavesTheQueue() throws Exception {
    try (Weir weir = Weir.inMemory()) {
      RateLimiter limiter = weir.limiter("api", Limit.fixedWindow(1, Duration.ofHours(1)));
      limiter.tryAcquire("acme");
      CompletableFuture<Throwable> thrown = new CompletableFuture<>();
      Thread thread =
          new Thread(
              () -> {
                try {
                  limiter.acquire("acme", Duration.ofHours(2));
                  thrown.complete(new AssertionError("acquired"));
                } catch (InterruptedException e) {
                  thrown.complete(e);
                }
              });
      thread.start();
      thread.interrupt();
      assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
    }
  }

  @Test
  void concurrencyPermitsAreHeldUntilClosed() throws Exception {
    try (Weir weir = Weir.inMemory()) {
      ConcurrencyLimiter exports = weir.concurrency("exports", 2, Duration.ofMinutes(1));
      Permit one = exports.tryEnter("acme").orElseThrow();
      try (Permit two = exports.enter("acme", Duration.ofSeconds(1))) {
        assertThat(exports.tryEnter("acme")).isEmpty();
        assertThat(exports.tryEnter("other")).isPresent();
        assertThat(two.renew()).isTrue();
        assertThatThrownBy(() -> exports.enter("acme", Duration.ZERO))
            .isInstanceOf(LimitExceededException.class);
      }
      assertThat(exports.tryEnter("acme")).isPresent();
      one.close();
      one.close();
      assertThat(one.renew()).as("closed").isFalse();
    }
  }

  @Test
  void releasedPermitWakesTheNextCaller() {
    try (Weir weir = Weir.inMemory()) {
      ConcurrencyLimiter exports = weir.concurrency("exports", 1, Duration.ofHours(1));
      Permit held = exports.tryEnter("acme").orElseThrow();
      CompletableFuture<Permit> waiting = exports.enterAsync("acme", Duration.ofHours(2));
      assertThat(waiting).isNotDone();
      held.close();
      waiting.join().close();
      assertThat(exports.tryEnter("acme")).isPresent();
    }
  }

  /** The permit that is released has expired, and another caller has it: each wake is in vain. */
  @Test
  void wakingAWaitingCallerInVainSetsNoFurtherTimer() {
    ManualTicker ticker = ManualTicker.at(Duration.ofDays(20_000));
    AtomicInteger timers = new AtomicInteger();
    ManualScheduler manual = new ManualScheduler(ticker);
    Scheduler counting =
        new Scheduler() {
          @Override
          public long nanos() {
            return manual.nanos();
          }

          @Override
          public void schedule(long nanos, Runnable task) {
            timers.incrementAndGet();
            manual.schedule(
                nanos,
                () -> {
                  timers.decrementAndGet();
                  task.run();
                });
          }
        };
    try (Weir weir =
        Weir.builder().ticker(ticker).scheduler(counting).executor(Runnable::run).build()) {
      Duration expiry = Duration.ofSeconds(10);
      ConcurrencyLimiter eight = weir.concurrency("eight", 8, expiry);
      List<Permit> expired =
          Stream.generate(() -> eight.tryEnter("acme").orElseThrow()).limit(8).toList();
      manual.advance(expiry.plusSeconds(1));
      List<Permit> held =
          Stream.generate(() -> eight.tryEnter("acme").orElseThrow()).limit(8).toList();
      CompletableFuture<Permit> waiting = eight.enterAsync("acme", Duration.ofHours(1));
      int before = timers.get();
      expired.forEach(Permit::close);
      assertThat(timers).hasValue(before);
      assertThat(waiting).isNotDone();
      held.get(0).close();
      assertThat(waiting).isCompleted();
    }
  }

  @Test
  void cancelledEntryHoldsNoPermit() {
    try (Weir weir = Weir.inMemory()) {
      ConcurrencyLimiter exports = weir.concurrency("exports", 1, Duration.ofHours(1));
      Permit held = exports.tryEnter("acme").orElseThrow();
      CompletableFuture<Permit> waiting = exports.enterAsync("acme", Duration.ofHours(2));
      waiting.cancel(false);
      held.close();
      Optional<Permit> next = exports.tryEnterAsync("acme").join();
      assertThat(next).isPresent();
    }
  }
}
