package dev.weir.spring.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.library.Denial;
import dev.weir.library.Permit;
import dev.weir.library.RulesLimiter;
import dev.weir.testkit.redis.Await;
import dev.weir.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.ConfigurableApplicationContext;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** Limited methods of applications that count in a real Redis. */
@Timeout(180)
class SharedMethodsTest {
  private static final Duration SOON = Duration.ofSeconds(60);

  /** Limited methods. */
  static class Exports {
    @RateLimited(name = "mail", key = "#tenant")
    String mail(String tenant) {
      return tenant;
    }

    @RateLimited(name = "mail", key = "#tenant")
    Mono<String> monoMail(String tenant) {
      return Mono.just(tenant);
    }

    @ConcurrencyLimited(name = "export", key = "#tenant")
    String export(String tenant, Runnable work) {
      work.run();
      return tenant;
    }

    @ConcurrencyLimited(name = "export", key = "#tenant")
    CompletableFuture<String> exportAsync(String tenant, CompletableFuture<String> work) {
      return work;
    }

    @ConcurrencyLimited(name = "export", key = "#tenant")
    Mono<String> exportMono(String tenant, Mono<String> work) {
      return work;
    }

    @RateLimited(name = "shut", key = "#tenant", fallback = "cached")
    String shut(String tenant) {
      return "fresh";
    }

    String cached(String tenant, RateLimitedException denied) {
      return "cached, " + denied.denial().reason();
    }

    @RateLimited(name = "open", key = "#tenant")
    String open(String tenant) {
      return tenant;
    }
  }

  private static ConfigurableApplicationContext start(RedisServer redis, String... more) {
    List<String> properties =
        new ArrayList<>(
            List.of(
                "weir.store.url=" + redis.url(),
                "weir.store.deadline=20s",
                "calls.mail.limit=3/hour",
                "calls.mail.algorithm=fixed-window",
                "calls.export.concurrent=1",
                "calls.shut.limit=100/hour",
                "calls.shut.when-store-fails=deny",
                "calls.open.limit=1/hour",
                "calls.open.when-store-fails=allow"));
    properties.addAll(List.of(more));
    return Contexts.start(properties, Exports.class);
  }

  private static boolean isFree(RulesLimiter rules, String key) {
    Optional<Permit> free = rules.concurrency("export").tryEnter(key);
    free.ifPresent(Permit::close);
    return free.isPresent();
  }

  @Test
  void applicationsOnOneRedisCountTogether() {
    try (RedisServer redis = RedisServer.start();
        ConfigurableApplicationContext one = start(redis);
        ConfigurableApplicationContext other = start(redis)) {
      Exports here = one.getBean(Exports.class);
      Exports there = other.getBean(Exports.class);
      assertThat(here.mail("acme")).isEqualTo("acme");
      assertThat(there.monoMail("acme").block()).isEqualTo("acme");
      assertThat(here.monoMail("acme").block()).isEqualTo("acme");
      assertThatThrownBy(() -> there.mail("acme")).isInstanceOf(RateLimitedException.class);
      assertThatThrownBy(() -> here.monoMail("acme").block())
          .isInstanceOf(RateLimitedException.class);
      String inside =
          here.export(
              "acme",
              () ->
                  assertThatThrownBy(() -> there.export("acme", () -> {}))
                      .isInstanceOf(RateLimitedException.class));
      assertThat(inside).isEqualTo("acme");
    }
  }

  /** Redis answers only after the callers have gone. */
  @Test
  void grantAfterTheCancelGivesThePermitBack() {
    try (RedisServer redis = RedisServer.start();
        ConfigurableApplicationContext context = start(redis)) {
      Exports exports = context.getBean(Exports.class);
      RulesLimiter rules = context.getBean(RulesLimiter.class);
      assertThat(isFree(rules, "acme")).isTrue();
      redis.pause();
      CompletableFuture<String> future =
          exports.exportAsync("acme", CompletableFuture.completedFuture("never"));
      Disposable mono = exports.exportMono("globex", Mono.just("never")).subscribe();
      assertThat(future).isNotDone();
      assertThat(future.cancel(false)).isTrue();
      mono.dispose();
      redis.resume();
      Await.until("acme is free", SOON, () -> isFree(rules, "acme"));
      Await.until("globex is free", SOON, () -> isFree(rules, "globex"));
      try (Permit only = rules.concurrency("export").enter("acme")) {
        assertThat(isFree(rules, only.key())).isFalse();
      }
    }
  }

  @Test
  void failureModesDecideWhileRedisIsGone() {
    try (RedisServer redis = RedisServer.start();
        ConfigurableApplicationContext context = start(redis, "weir.store.deadline=500ms")) {
      Exports exports = context.getBean(Exports.class);
      redis.kill();
      assertThat(exports.shut("acme")).isEqualTo("cached, " + Denial.Reason.STORE_UNAVAILABLE);
      for (int i = 0; i < 3; i++) {
        assertThat(exports.open("acme")).isEqualTo("acme");
        assertThat(exports.mail("acme")).isEqualTo("acme");
      }
      assertThatThrownBy(() -> exports.mail("acme")).isInstanceOf(RateLimitedException.class);
      assertThat(exports.export("acme", () -> {})).isEqualTo("acme");
      assertThat(exports.export("acme", () -> {})).isEqualTo("acme");
      redis.restart();
      Await.until("joined", SOON, () -> exports.shut("acme").equals("fresh"));
    }
  }
}
