package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.spring.Apps.Running;
import dev.weir.testkit.redis.Await;
import dev.weir.testkit.redis.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Applications whose Redis hangs, dies, or is not there yet: each rule says what happens. */
@Timeout(180)
class OutageTest {
  private static final Duration SOON = Duration.ofSeconds(60);

  private final Http http = new Http();

  /** Answers under the path of each rule. */
  @RestController
  static class Paths {
    @GetMapping({"/open", "/shut", "/local", "/default"})
    String ok() {
      return "ok";
    }
  }

  private static Running start(WebApplicationType type, RedisServer redis) {
    Map<String, String> all = new HashMap<>();
    all.put("weir.store.url", redis.url());
    all.put("weir.store.deadline", "500ms");
    for (String name : new String[] {"open", "shut", "local", "default"}) {
      all.put("weir.limits." + name + ".match.path", "/" + name);
      all.put("weir.limits." + name + ".limit", "2/hour");
    }
    all.put("weir.limits.open.when-store-fails", "allow");
    all.put("weir.limits.shut.when-store-fails", "deny");
    all.put("weir.limits.local.when-store-fails", "local");
    all.put("weir.when-store-fails", "allow");
    return Apps.start(type, all, Paths.class);
  }

  @ParameterizedTest
  @EnumSource(names = {"REACTIVE", "SERVLET"})
  void rulesDecideWhileRedisIsGone(WebApplicationType type) throws Exception {
    try (RedisServer redis = RedisServer.start();
        Running app = start(type, redis)) {
      assertThat(degraded(http.get(app, "/default"))).isEqualTo("no");
      redis.kill();
      assertRulesDecide(app);
    }
  }

  /** Connections stay open and nobody answers: only the deadline ends the wait. */
  @ParameterizedTest
  @EnumSource(names = {"REACTIVE", "SERVLET"})
  void rulesDecideWhileRedisHangs(WebApplicationType type) throws Exception {
    try (RedisServer redis = RedisServer.start();
        Running app = start(type, redis)) {
      assertThat(degraded(http.get(app, "/default"))).isEqualTo("no");
      redis.pause();
      assertRulesDecide(app);
      redis.resume();
      Await.until("Redis is back", SOON, () -> !isDegraded(app));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"REACTIVE", "SERVLET"})
  void startsWhileRedisIsDownAndJoinsItLater(WebApplicationType type) throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      redis.kill();
      try (Running app = start(type, redis)) {
        assertRulesDecide(app);
        redis.restart();
        Await.until("joined", SOON, () -> !isDegraded(app));
      }
    }
  }

  private void assertRulesDecide(Running app) throws Exception {
    for (String path : new String[] {"/open", "/default"}) {
      for (int i = 0; i < 4; i++) {
        HttpResponse<String> passed = http.get(app, path);
        assertThat(passed.statusCode()).isEqualTo(200);
        assertThat(degraded(passed)).isEqualTo("allow");
      }
    }
    HttpResponse<String> shut = http.get(app, "/shut");
    assertThat(shut.statusCode()).isEqualTo(503);
    assertThat(degraded(shut)).isEqualTo("deny");
    assertThat(shut.headers().firstValue("Retry-After")).contains("1");
    assertThat(shut.headers().firstValue("Cache-Control")).contains("no-store");
    assertThat(shut.headers().firstValue("Content-Type")).contains("application/problem+json");
    assertThat(shut.body()).contains("urn:weir:problem:store-unavailable", "\"status\":503");
    for (int i = 0; i < 2; i++) {
      HttpResponse<String> counted = http.get(app, "/local");
      assertThat(counted.statusCode()).isEqualTo(200);
      assertThat(degraded(counted)).isEqualTo("local");
    }
    HttpResponse<String> denied = http.get(app, "/local");
    assertThat(denied.statusCode()).isEqualTo(429);
    assertThat(degraded(denied)).isEqualTo("local");
  }

  private static String degraded(HttpResponse<?> response) {
    return response.headers().firstValue("Weir-Degraded").orElse("no");
  }

  private boolean isDegraded(Running app) {
    try {
      return !degraded(http.get(app, "/default")).equals("no");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
