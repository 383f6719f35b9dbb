package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.library.RulesLimiter;
import dev.weir.library.Weir;
import dev.weir.spring.Apps.Running;
import dev.weir.testkit.redis.Await;
import dev.weir.testkit.redis.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;

/** Rules in files, and counters in Redis. */
class RulesFileTest {
  private final Http http = new Http();

  @ParameterizedTest
  @EnumSource(names = {"REACTIVE", "SERVLET"})
  void reloadsAFileBesideRulesInProperties(WebApplicationType type, @TempDir Path folder)
      throws Exception {
    Path file = folder.resolve("rules.yaml");
    Files.writeString(file, "rules:\n  - {name: one, match: {path: /hello}, limit: 1/hour}\n");
    Map<String, String> properties =
        Map.of("weir.rules", file.toString(), "weir.limits.all.limit", "100/hour");
    try (Running app = Apps.start(type, properties)) {
      assertThat(http.get(app, "/hello").statusCode()).isEqualTo(200);
      assertThat(http.get(app, "/hello").statusCode()).isEqualTo(429);
      RulesLimiter rules = app.context().getBean(RulesLimiter.class);
      String before = rules.version();
      Files.writeString(file, "rules:\n  - {name: two, match: {path: /hello}, limit: 3/hour}\n");
      Await.until(
          "the rules are reloaded", Duration.ofSeconds(20), () -> !rules.version().equals(before));
      for (int i = 0; i < 3; i++) {
        assertThat(http.get(app, "/hello").statusCode()).isEqualTo(200);
      }
      assertThat(http.get(app, "/hello").statusCode()).isEqualTo(429);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"REACTIVE", "SERVLET"})
  void readsAResource(WebApplicationType type) throws Exception {
    Map<String, String> properties = Map.of("weir.rules", "classpath:test-rules.yaml");
    try (Running app = Apps.start(type, properties)) {
      assertThat(http.get(app, "/hello").statusCode()).isEqualTo(200);
      assertThat(http.get(app, "/hello").statusCode()).isEqualTo(429);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"REACTIVE", "SERVLET"})
  void countsInTheRedisOfSpringData(WebApplicationType type) throws Exception {
    try (RedisServer redis = RedisServer.start("requirepass p@ss:w/rd%41")) {
      Map<String, String> properties = new HashMap<>();
      properties.put("weir.limits.all.limit", "2/hour");
      properties.put("weir.store.use-spring-redis", "true");
      properties.put("weir.store.deadline", "5s");
      properties.put("spring.data.redis.port", Integer.toString(redis.port()));
      properties.put("spring.data.redis.password", "p@ss:w/rd%41");
      try (Running one = Apps.start(type, properties);
          Running two = Apps.start(type, properties)) {
        assertThat(http.get(one, "/hello").statusCode()).isEqualTo(200);
        assertThat(http.get(two, "/hello").statusCode()).isEqualTo(200);
        assertThat(http.get(one, "/hello").statusCode()).isEqualTo(429);
        assertThat(http.get(two, "/hello").statusCode()).isEqualTo(429);
      }
    }
  }

  @Test
  void doesNotStartWithoutARedisThatIsRequired() {
    int port;
    try (RedisServer gone = RedisServer.start()) {
      port = gone.port();
    }
    Map<String, String> properties = new HashMap<>();
    properties.put("weir.limits.all.limit", "2/hour");
    properties.put("weir.store.url", "redis://127.0.0.1:" + port);
    try (Running app = Apps.start(WebApplicationType.SERVLET, properties)) {
      assertThat(app.context().getBean(Weir.class).store().answering()).isFalse();
    }
    properties.put("weir.store.required", "true");
    assertThatThrownBy(() -> Apps.start(WebApplicationType.SERVLET, properties).close())
        .hasStackTraceContaining("weir.store.url: ");
  }
}
