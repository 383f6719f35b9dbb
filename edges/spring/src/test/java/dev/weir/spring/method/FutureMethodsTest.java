package dev.weir.spring.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.library.Permit;
import dev.weir.library.RulesLimiter;
import dev.weir.testkit.redis.Await;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.ConfigurableApplicationContext;

/** Methods that return futures. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FutureMethodsTest {
  /** Limited methods, each of which counts its calls. */
  static class Exports {
    private final AtomicInteger calls = new AtomicInteger();

    int calls() {
      return calls.get();
    }

    @ConcurrencyLimited(name = "export", key = "#tenant")
    CompletableFuture<String> export(String tenant, CompletableFuture<String> work) {
      calls.incrementAndGet();
      return work;
    }

    @ConcurrencyLimited(name = "export", key = "#tenant")
    CompletionStage<String> stage(String tenant, CompletionStage<String> work) {
      calls.incrementAndGet();
      return work;
    }

    @ConcurrencyLimited(name = "export", key = "#tenant", maxWait = "1h")
    CompletableFuture<String> patient(String tenant, CompletableFuture<String> work) {
      calls.incrementAndGet();
      return work;
    }

    @ConcurrencyLimited(name = "export", key = "#tenant")
    CompletableFuture<String> throwing(String tenant) {
      throw new IllegalStateException("no disk for " + tenant);
    }

    @ConcurrencyLimited(name = "export", key = "#tenant")
    @Nullable CompletableFuture<String> absent(String tenant) {
      return null;
    }

    @RateLimited(name = "hourly", key = "#tenant", fallback = "later")
    CompletableFuture<String> mail(String tenant) {
      return CompletableFuture.completedFuture("sent");
    }

    CompletableFuture<String> later(String tenant, RateLimitedException denied) {
      return CompletableFuture.completedFuture(
          "queued for " + tenant + " by " + denied.denial().name());
    }
  }

  private ConfigurableApplicationContext context;
  private Exports exports;
  private RulesLimiter rules;

  @BeforeAll
  void start() {
    context =
        Contexts.start(
            List.of("calls.export.concurrent=1", "calls.hourly.limit=1/hour"), Exports.class);
    exports = context.getBean(Exports.class);
    rules = context.getBean(RulesLimiter.class);
  }

  @AfterAll
  void stop() {
    context.close();
  }

  private boolean isFree(String key) {
    return rules
        .concurrency("export")
        .tryEnter(key)
        .map(
            permit -> {
              permit.close();
              return true;
            })
        .orElse(false);
  }

  @Test
  void permitIsHeldUntilTheFutureIsComplete() {
    CompletableFuture<String> work = new CompletableFuture<>();
    CompletableFuture<String> result = exports.export("one", work);
    assertThat(isFree("one")).isFalse();
    CompletableFuture<String> denied = exports.export("one", work);
    assertThatThrownBy(denied::join).hasCauseInstanceOf(RateLimitedException.class);
    work.complete("written");
    assertThat(result.join()).isEqualTo("written");
    assertThat(isFree("one")).isTrue();
  }

  @Test
  void failureGivesThePermitBack() {
    CompletableFuture<String> work = new CompletableFuture<>();
    CompletionStage<String> result = exports.stage("failed", work);
    work.completeExceptionally(new IllegalStateException("no disk"));
    assertThatThrownBy(() -> result.toCompletableFuture().join())
        .isInstanceOf(CompletionException.class)
        .hasRootCauseMessage("no disk");
    assertThat(isFree("failed")).isTrue();
  }

  @Test
  void methodThatThrowsOrReturnsNullGivesThePermitBack() {
    assertThatThrownBy(() -> exports.throwing("thrown").join())
        .hasRootCauseMessage("no disk for thrown");
    assertThatThrownBy(() -> Objects.requireNonNull(exports.absent("thrown")).join())
        .hasRootCauseInstanceOf(IllegalStateException.class);
    assertThat(isFree("thrown")).isTrue();
  }

  @Test
  void cancelledFutureCancelsTheWorkAndGivesThePermitBack() {
    CompletableFuture<String> work = new CompletableFuture<>();
    CompletableFuture<String> result = exports.export("cancelled", work);
    assertThat(result.cancel(true)).isTrue();
    assertThat(work).isCancelled();
    assertThat(isFree("cancelled")).isTrue();
  }

  @Test
  void callerThatLeavesTheQueueLetsTheNextOneIn() {
    Permit taken = rules.concurrency("export").enter("queue");
    int before = exports.calls();
    CompletableFuture<String> first =
        exports.patient("queue", CompletableFuture.completedFuture("first"));
    CompletableFuture<String> work = new CompletableFuture<>();
    CompletableFuture<String> second = exports.patient("queue", work);
    assertThat(first.cancel(false)).isTrue();
    assertThat(exports.calls()).isEqualTo(before);
    taken.close();
    work.complete("second");
    assertThat(second.join()).isEqualTo("second");
    assertThat(first).isCancelled();
    assertThat(exports.calls()).isEqualTo(before + 1);
    assertThat(isFree("queue")).isTrue();
  }

  @Test
  void timeoutOfTheCallerLeavesTheQueueToo() {
    try (Permit taken = rules.concurrency("export").enter("timeout")) {
      assertThat(taken.key()).isEqualTo("timeout");
      CompletableFuture<String> result =
          exports
              .patient("timeout", CompletableFuture.completedFuture("late"))
              .orTimeout(1, TimeUnit.MILLISECONDS);
      assertThatThrownBy(result::join).isInstanceOf(CompletionException.class);
    }
    assertThat(isFree("timeout")).isTrue();
  }

  /** Whoever comes first, the permit is given back once: two would make room for a third. */
  @Test
  void cancelAndGrantAtTheSameTimeGiveThePermitBackOnce() throws Exception {
    for (int i = 0; i < 100; i++) {
      Permit taken = rules.concurrency("export").enter("race");
      CompletableFuture<String> result =
          exports.patient("race", CompletableFuture.completedFuture("done"));
      Thread canceller = new Thread(() -> result.cancel(false));
      canceller.start();
      taken.close();
      canceller.join();
      try {
        assertThat(result.join()).isEqualTo("done");
      } catch (CancellationException e) {
        assertThat(result).isCancelled();
      }
      Await.until("the permit is free again", Duration.ofMinutes(1), () -> isFree("race"));
      try (Permit next = rules.concurrency("export").enter("race")) {
        assertThat(rules.concurrency("export").tryEnter(next.key())).isEmpty();
      }
    }
  }

  @Test
  void fallbackReturnsAFutureToo() {
    assertThat(exports.mail("acme").join()).isEqualTo("sent");
    assertThat(exports.mail("acme").join()).isEqualTo("queued for acme by hourly");
  }
}
