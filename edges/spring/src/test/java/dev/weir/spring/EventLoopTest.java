package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.spring.Apps.Running;
import dev.weir.testkit.redis.RedisServer;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Limits block no event loop, and a handler that blocks its own delays no other decision. */
@Timeout(180)
class EventLoopTest {
  private static final int REQUESTS = 60;

  private final Http http = new Http();

  /** Handlers, one of which blocks. */
  @RestController
  static class Handlers {
    @GetMapping({"/fast", "/shaped", "/user", "/busy"})
    Mono<String> fast() {
      return Mono.fromSupplier(() -> Thread.currentThread().getName());
    }

    @GetMapping("/slow")
    Mono<String> slow() throws InterruptedException {
      Thread.sleep(100);
      return Mono.just("slow");
    }
  }

  private static Map<String, String> rules() {
    Map<String, String> all = new HashMap<>();
    all.put("weir.identity.user", "header X-User");
    all.put("weir.limits.all.limit", "100000/hour");
    all.put("weir.limits.all.when-store-fails", "deny");
    all.put("weir.limits.user.match.path", "/user");
    all.put("weir.limits.user.per", "principal");
    all.put("weir.limits.user.limit", "2/hour");
    all.put("weir.limits.shaped.match.path", "/shaped");
    all.put("weir.limits.shaped.limit", "50/second");
    all.put("weir.limits.shaped.algorithm", "leaky-bucket");
    all.put("weir.limits.busy.match.path", "/busy");
    all.put("weir.limits.busy.concurrent", "1");
    all.put("weir.lint-ignore", "needs-release");
    return all;
  }

  private void assertNothingBlocks(Map<String, String> properties) throws Exception {
    try (Running app = Apps.start(WebApplicationType.REACTIVE, properties, Handlers.class)) {
      http.get(app, "/fast"); // loads classes
      BlockingCalls.forget();
      List<CompletableFuture<HttpResponse<String>>> responses = new ArrayList<>();
      for (int i = 0; i < REQUESTS; i++) {
        String path = List.of("/fast", "/shaped", "/user", "/busy").get(i % 4);
        responses.add(http.getAsync(app, path));
      }
      for (CompletableFuture<HttpResponse<String>> response : responses) {
        assertThat(response.get().statusCode()).isIn(200, 429);
      }
      assertThat(BlockingCalls.found()).isEmpty();
      assertThat(http.get(app, "/fast").body()).as("its thread").startsWith("reactor-http");
      http.get(app, "/slow");
      assertThat(BlockingCalls.found()).as("what it would look like").isNotEmpty();
    }
  }

  @Test
  void embeddedCountersBlockNoEventLoop() throws Exception {
    assertNothingBlocks(rules());
  }

  @Test
  void countersInRedisBlockNoEventLoop() throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      Map<String, String> properties = rules();
      properties.put("weir.store.url", redis.url());
      properties.put("weir.store.deadline", "30s");
      assertNothingBlocks(properties);
      properties.remove("weir.store.url");
      properties.put("weir.store.use-spring-redis", "true");
      properties.put("spring.data.redis.port", "" + redis.port());
      assertNothingBlocks(properties);
    }
  }

  /** Handlers would block for three seconds in all if they ran on one thread of the store. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void handlerThatBlocksMakesNoDecisionLate(boolean springRedis) throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      Map<String, String> properties = new HashMap<>();
      properties.put("weir.limits.all.limit", "100000/hour");
      properties.put("weir.limits.all.when-store-fails", "deny");
      properties.put("weir.store.deadline", "1s");
      properties.put(
          springRedis ? "weir.store.use-spring-redis" : "weir.store.url",
          springRedis ? "true" : redis.url());
      properties.put("spring.data.redis.port", "" + redis.port());
      try (Running app = Apps.start(WebApplicationType.REACTIVE, properties, Handlers.class)) {
        assertThat(http.get(app, "/fast").statusCode()).isEqualTo(200);
        List<CompletableFuture<HttpResponse<String>>> responses = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
          String path = i % 2 == 0 ? "/slow" : "/fast";
          responses.add(http.getAsync(app, path));
        }
        for (CompletableFuture<HttpResponse<String>> response : responses) {
          assertThat(response.get().statusCode()).isEqualTo(200);
          assertThat(response.get().headers().firstValue("Weir-Degraded")).isEmpty();
        }
      }
    }
  }
}
