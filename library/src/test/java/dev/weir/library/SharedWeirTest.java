package dev.weir.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Limit;
import dev.weir.redis.connection.RedisUnusable;
import dev.weir.rule.FailureMode;
import dev.weir.testkit.redis.Await;
import dev.weir.testkit.redis.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Several Weirs on one real Redis. */
@Timeout(120)
class SharedWeirTest {
  private static final Limit FIVE_AN_HOUR = Limit.fixedWindow(5, Duration.ofHours(1));

  private static Weir on(RedisServer redis) {
    return Weir.redis("redis://127.0.0.1:" + redis.port() + "?deadline=5s").build();
  }

  @Test
  void processesOnOneRedisCountTogetherWithoutASecret() {
    try (RedisServer redis = RedisServer.start();
        Weir one = on(redis);
        Weir other = on(redis)) {
      RateLimiter here = one.limiter("api", FIVE_AN_HOUR);
      RateLimiter there = other.limiter("api", FIVE_AN_HOUR);
      int allowed = 0;
      for (int i = 0; i < 10; i++) {
        allowed += (i % 2 == 0 ? here : there).tryAcquire("acme").allowed() ? 1 : 0;
      }
      assertThat(allowed).isEqualTo(5);
      assertThat(there.tryAcquireAsync("acme").join().denial().orElseThrow().name())
          .isEqualTo("api");
    }
  }

  @Test
  void continuationMayWaitForAnotherDecision() {
    try (RedisServer redis = RedisServer.start();
        Weir weir = on(redis)) {
      RateLimiter api = weir.limiter("api", FIVE_AN_HOUR);
      CompletableFuture<Boolean> both =
          api.tryAcquireAsync("a").thenApply(first -> api.tryAcquire("b").allowed());
      assertThat(both.join()).isTrue();
    }
  }

  @Test
  void callersThatGoBeforeTheAnswerHoldNothing() {
    try (RedisServer redis = RedisServer.start();
        Weir weir = Weir.redis(redis.url()).deadline(Duration.ofSeconds(60)).build()) {
      ConcurrencyLimiter exports = weir.concurrency("exports", 1, Duration.ofHours(1));
      RateLimiter api = weir.limiter("api", FIVE_AN_HOUR);
      assertThat(api.peek("acme").remaining()).isEqualTo(5);
      redis.pause();
      List<CompletableFuture<?>> gone =
          List.of(
              exports.tryEnterAsync("acme"),
              exports.enterAsync("other", Duration.ZERO),
              api.reserveAsync("acme", 2),
              api.tryAcquireAsync("acme"),
              weir.allAsync(api.request("acme")));
      assertThat(gone).allMatch(future -> future.cancel(false));
      redis.resume();
      Duration soon = Duration.ofSeconds(60);
      Await.until("a free permit", soon, () -> exports.tryEnter("acme").isPresent());
      Await.until("a free permit", soon, () -> exports.tryEnter("other").isPresent());
      Await.until("all given back", soon, () -> api.peek("acme").remaining() == 5);
      assertThat(exports.tryEnter("acme")).isEmpty();
    }
  }

  @Test
  void rulesFileAppliesToRequests(@TempDir Path folder) throws Exception {
    Path rules = folder.resolve("rules.yaml");
    Files.writeString(
        rules,
        """
        rules:
          - name: login
            match: {path: /login, method: POST}
            per: ip
            limit: 2/hour
        """);
    try (RedisServer redis = RedisServer.start();
        Weir weir = on(redis)) {
      RulesLimiter limiter = weir.rules(rules);
      WebRequest login = WebRequest.of("POST", "/login").host("example.com").from("192.0.2.1");
      assertThat(limiter.check(login).allowed()).isTrue();
      assertThat(limiter.checkAsync(WebRequest.of("POST", "/x/..//login").from("192.0.2.1")).join())
          .matches(RateLimitDecision::allowed);
      assertThat(limiter.check(login).denial().orElseThrow().name()).isEqualTo("login");
      assertThat(limiter.check(login.from("192.0.2.2")).allowed()).isTrue();
      assertThat(limiter.check(WebRequest.of("GET", "/").from("192.0.2.1")).allowed()).isTrue();
      assertThat(limiter.version()).isNotEmpty();
    }
  }

  @Test
  void wrongRulesAreRejectedWithEverythingThatIsWrong(@TempDir Path folder) throws Exception {
    Path rules = folder.resolve("rules.yaml");
    Files.writeString(rules, "rules:\n  - name: a\n    limit: 0/hour\n");
    try (Weir weir = Weir.inMemory()) {
      assertThatThrownBy(() -> weir.rules(rules))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("rules.yaml:3");
      assertThatThrownBy(() -> weir.rules(folder.resolve("absent.yaml")))
          .hasMessageContaining("absent.yaml");
    }
  }

  @Test
  void failureModeDecidesWhileRedisIsGone() {
    RedisServer redis = RedisServer.start();
    String url = "redis://127.0.0.1:" + redis.port() + "?deadline=100ms";
    try (Weir local = Weir.redis(url).build();
        Weir deny = Weir.redis(url).onStoreFailure(FailureMode.DENY).build();
        Weir allow = Weir.redis(url).onStoreFailure(FailureMode.ALLOW).build()) {
      RateLimiter locally = local.limiter("local", FIVE_AN_HOUR);
      assertThat(locally.tryAcquire("acme").degraded()).isFalse();
      redis.close();
      int allowed = 0;
      for (int i = 0; i < 10; i++) {
        allowed += locally.tryAcquire("acme").allowed() ? 1 : 0;
      }
      assertThat(allowed).as("bounded by the limit").isBetween(1, 5);
      assertThat(locally.tryAcquire("acme").degraded()).isTrue();
      RateLimitDecision denied = deny.limiter("deny", FIVE_AN_HOUR).tryAcquire("acme");
      assertThat(denied.denial().orElseThrow().reason()).isEqualTo(Denial.Reason.STORE_UNAVAILABLE);
      assertThat(denied.degraded()).isTrue();
      assertThat(allow.limiter("allow", FIVE_AN_HOUR).cost(5).tryAcquire("acme").allowed())
          .isTrue();
      assertThat(allow.limiter("allow", FIVE_AN_HOUR).cost(5).tryAcquire("acme").allowed())
          .isTrue();
    }
  }

  @Test
  void startsWithoutRedisAndJoinsIt() {
    try (RedisServer redis = RedisServer.start()) {
      redis.kill();
      assertThatThrownBy(() -> Weir.redis(redis.url()).storeRequired().build())
          .isInstanceOf(RedisUnusable.class)
          .hasMessageContaining("Connection refused");
      try (Weir weir = Weir.redis(redis.url() + "?deadline=5s").build()) {
        RateLimiter api = weir.limiter("api", FIVE_AN_HOUR);
        assertThat(api.cost(4).tryAcquire("acme"))
            .satisfies(locally -> assertThat(locally.allowed()).isTrue())
            .satisfies(locally -> assertThat(locally.degraded()).isTrue());
        redis.restart();
        Await.until(
            "joined",
            Duration.ofSeconds(60),
            () -> !weir.limiter("probe", FIVE_AN_HOUR).peek("acme").degraded());
        try (Weir other = Weir.redis(redis.url() + "?deadline=5s").build()) {
          RateLimiter shared = other.limiter("api", FIVE_AN_HOUR);
          Await.until(
              "what was granted locally is charged",
              Duration.ofSeconds(60),
              () -> shared.peek("acme").remaining() == 1);
          assertThat(shared.tryAcquire("acme").allowed()).isTrue();
          assertThat(api.tryAcquire("acme").allowed()).isFalse();
        }
      }
    }
  }

  @Test
  void wrongUrlsAndPasswordsStopTheStart() {
    assertThatThrownBy(() -> Weir.redis("http://127.0.0.1"))
        .isInstanceOf(IllegalArgumentException.class);
    try (RedisServer redis = RedisServer.start("requirepass right")) {
      assertThatThrownBy(() -> Weir.redis("redis://:wrong@127.0.0.1:" + redis.port()).build())
          .isInstanceOf(RedisUnusable.class)
          .hasMessageContaining("WRONGPASS");
    }
  }
}
