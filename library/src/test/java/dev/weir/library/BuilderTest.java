package dev.weir.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Limit;
import dev.weir.redis.connection.RedisCredentials;
import dev.weir.redis.connection.RedisDriver;
import dev.weir.redis.connection.RedisUnusable;
import dev.weir.testkit.redis.Await;
import dev.weir.testkit.redis.RedisServer;
import dev.weir.testkit.time.ManualScheduler;
import dev.weir.testkit.time.ManualTicker;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The settings of {@link WeirBuilder}. */
@Timeout(120)
class BuilderTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Limit FIVE_AN_HOUR = Limit.fixedWindow(5, Duration.ofHours(1));

  @Test
  void existingClientIsSharedAndKept() {
    try (RedisServer redis = RedisServer.start();
        RedisClient client = RedisClient.create(redis.url());
        StatefulRedisConnection<String, String> mine = client.connect()) {
      RedisDriver sharing = RedisDriver.sharing(client);
      try (Weir one = Weir.redis(redis.url()).deadline(LONG).driver(sharing).build();
          Weir other = Weir.redis(redis.url()).deadline(LONG).build()) {
        int allowed = 0;
        for (int i = 0; i < 10; i++) {
          Weir weir = i % 2 == 0 ? one : other;
          allowed += weir.limiter("api", FIVE_AN_HOUR).tryAcquire("acme").allowed() ? 1 : 0;
        }
        assertThat(allowed).isEqualTo(5);
      }
      assertThat(mine.sync().ping()).isEqualTo("PONG");
    }
  }

  @Test
  void suppliedPasswordMayBeRotated() {
    AtomicReference<RedisCredentials> current =
        new AtomicReference<>(new RedisCredentials("ann", "one"));
    try (RedisServer redis = RedisServer.start("user ann on >one ~* +@all");
        Weir weir =
            Weir.redis(redis.url())
                .deadline(Duration.ofSeconds(5))
                .credentials(() -> Objects.requireNonNull(current.get()))
                .driver(RedisDriver.own()) // in either order
                .build()) {
      RateLimiter api = weir.limiter("api", FIVE_AN_HOUR);
      assertThat(api.peek("acme").degraded()).isFalse();
      redis.command("ACL", "SETUSER", "ann", "resetpass", ">two");
      current.set(new RedisCredentials("ann", "two"));
      redis.command("CLIENT", "KILL", "USER", "ann");
      Await.until("an answer of Redis", LONG, () -> !api.peek("acme").degraded());
      assertThat(api.tryAcquire("acme").remaining()).isEqualTo(4);
    }
  }

  @Test
  void supplierThatFailsStopsTheStart() {
    try (RedisServer redis = RedisServer.start()) {
      WeirBuilder builder =
          Weir.redis(redis.url())
              .credentials(
                  () -> {
                    throw new IllegalStateException("no token");
                  });
      assertThatThrownBy(builder::build)
          .isInstanceOf(RedisUnusable.class)
          .hasMessageEndingWith(": credentials: no token");
    }
  }

  @Test
  void deadlineIsValidatedLikeThatOfTheUrl() {
    WeirBuilder builder = Weir.redis("redis://127.0.0.1");
    for (Duration wrong :
        new Duration[] {
          Duration.ZERO,
          Duration.ofMillis(-1),
          Duration.ofNanos(999_999),
          Duration.ofSeconds(61),
          Duration.ofSeconds(Long.MAX_VALUE)
        }) {
      assertThatThrownBy(() -> builder.deadline(wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("deadline: " + wrong + " (expected: between 1ms and 60000ms)");
    }
    assertThat(builder.deadline(Duration.ofMillis(1)).deadline(Duration.ofSeconds(60)))
        .isSameAs(builder);
  }

  @Test
  void settingsOfRedisAreRejectedInMemory() {
    assertThatThrownBy(() -> Weir.builder().deadline(LONG))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("deadline: set (expected: only after Weir.redis)");
    assertThatThrownBy(() -> Weir.builder().driver(RedisDriver.own()))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> Weir.builder().credentials(() -> RedisCredentials.password("a")))
        .isInstanceOf(IllegalStateException.class);
  }

  /** A test of an application moves both clocks, and needs no real time. */
  @Test
  void callersWaitOnTheSchedulerAndCountersOnTheTicker() {
    ManualTicker ticker = new ManualTicker(1_800_000_000_000_000L);
    ManualScheduler scheduler = new ManualScheduler(ticker);
    try (Weir weir =
        Weir.builder().ticker(ticker).scheduler(scheduler).executor(Runnable::run).build()) {
      RateLimiter api = weir.limiter("api", Limit.tokenBucket(1, Duration.ofMinutes(1), 1));
      assertThat(api.tryAcquire("acme").allowed()).isTrue();
      CompletableFuture<RateLimitDecision> first = api.acquireAsync("acme", Duration.ofHours(1));
      CompletableFuture<RateLimitDecision> second = api.acquireAsync("acme", Duration.ofHours(1));
      scheduler.advance(Duration.ofSeconds(59));
      assertThat(first).isNotDone();
      scheduler.advance(Duration.ofSeconds(1));
      assertThat(first.join().allowed()).isTrue();
      assertThat(second).isNotDone();
      scheduler.advance(Duration.ofMinutes(1));
      assertThat(second.join().allowed()).isTrue();
    }
  }
}
