package dev.weir.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Limit;
import dev.weir.testkit.redis.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a closed {@link Weir} does, and what becomes of those who wait for it. */
@Timeout(120)
class CloseTest {
  private static final String CLOSED = "weir: closed (expected: open)";
  private static final Limit ONE_AN_HOUR = Limit.fixedWindow(1, Duration.ofHours(1));

  private static void assertClosed(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(IllegalStateException.class).hasMessage(CLOSED);
  }

  @Test
  void requestsAreRejectedAfterTheEnd() {
    Weir weir = Weir.inMemory();
    RateLimiter api = weir.limiter("api", ONE_AN_HOUR);
    ConcurrencyLimiter exports = weir.concurrency("exports", 1, Duration.ofHours(1));
    Permit permit = exports.tryEnter("acme").orElseThrow();
    Reservation reservation = api.reserve("acme", 1);
    weir.close();
    weir.close();
    assertClosed(() -> api.tryAcquire("acme"));
    assertClosed(() -> api.tryAcquireAsync("acme"));
    assertClosed(() -> api.acquire("acme", Duration.ZERO));
    assertClosed(() -> api.peek("acme"));
    assertClosed(() -> api.refund("acme"));
    assertClosed(() -> exports.tryEnter("acme"));
    assertClosed(() -> exports.enterAsync("acme", Duration.ZERO));
    assertClosed(() -> weir.limiter("other", ONE_AN_HOUR));
    assertClosed(() -> weir.concurrency("other", 1, Duration.ofHours(1)));
    assertClosed(() -> weir.rules(Path.of("rules.yaml")));
    assertClosed(() -> weir.all(api.request("acme")));
    assertClosed(permit::renew);
    assertClosed(() -> reservation.settle(2));
    permit.close();
    reservation.close();
  }

  @Test
  void whatIsHeldOfRedisMayBeClosedAfterTheEnd() {
    try (RedisServer redis = RedisServer.start()) {
      Weir weir = Weir.redis(redis.url()).deadline(Duration.ofSeconds(5)).build();
      Permit permit =
          weir.concurrency("exports", 1, Duration.ofHours(1)).tryEnter("acme").orElseThrow();
      RateLimiter api = weir.limiter("api", ONE_AN_HOUR);
      Reservation reservation = api.reserve("acme", 1);
      assertThat(reservation.decision().allowed()).isTrue();
      weir.close();
      permit.close();
      reservation.close();
      assertClosed(() -> api.tryAcquire("acme"));
    }
  }

  @Test
  void waitingCallersFailAtTheEnd() {
    Weir weir = Weir.inMemory();
    RateLimiter api = weir.limiter("api", ONE_AN_HOUR);
    ConcurrencyLimiter exports = weir.concurrency("exports", 1, Duration.ofDays(1));
    api.tryAcquire("acme");
    Permit held = exports.tryEnter("acme").orElseThrow();
    List<CompletableFuture<?>> waiting = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      waiting.add(api.acquireAsync("acme", Duration.ofDays(1)));
      waiting.add(exports.enterAsync("acme", Duration.ofDays(2)));
    }
    assertThat(waiting).noneMatch(CompletableFuture::isDone);
    weir.close();
    for (CompletableFuture<?> one : waiting) {
      assertThatThrownBy(one::join)
          .isInstanceOf(CompletionException.class)
          .cause()
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(CLOSED);
    }
    held.close();
  }

  @Test
  void callersAndClosersInManyThreadsAllEnd() throws Exception {
    for (int round = 0; round < 20; round++) {
      Weir weir = Weir.inMemory();
      RateLimiter api = weir.limiter("api", ONE_AN_HOUR);
      api.tryAcquire("acme");
      List<CompletableFuture<String>> ends = new ArrayList<>();
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        boolean closes = i >= 6;
        CompletableFuture<String> end = new CompletableFuture<>();
        ends.add(end);
        threads.add(
            new Thread(
                () -> {
                  try {
                    if (closes) {
                      weir.close();
                      end.complete(CLOSED);
                    } else {
                      end.complete(String.valueOf(api.acquire("acme", Duration.ofDays(1))));
                    }
                  } catch (InterruptedException | RuntimeException e) {
                    end.complete(e.getMessage());
                  }
                }));
      }
      threads.forEach(Thread::start);
      for (CompletableFuture<String> end : ends) {
        assertThat(end.get()).isEqualTo(CLOSED);
      }
    }
  }
}
