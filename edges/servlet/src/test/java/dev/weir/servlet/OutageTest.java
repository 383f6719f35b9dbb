package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.library.Weir;
import dev.weir.rules.yaml.RulesText;
import dev.weir.testkit.redis.Await;
import dev.weir.testkit.redis.RedisServer;
import jakarta.servlet.ServletContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Applications that count in a real Redis, with it and without it. */
@Timeout(180)
class OutageTest {
  private static final Duration SOON = Duration.ofSeconds(60);

  private static final RulesText RULES =
      RulesText.of(
          "rules.yaml",
          """
          rules:
            - {name: open, match: {path: /open}, limit: 2/hour, when-store-fails: allow}
            - {name: shut, match: {path: /shut}, limit: 2/hour, when-store-fails: deny}
            - {name: local, match: {path: /local}, limit: 2/hour, when-store-fails: local}
          """);

  @TempDir private Path folder = Path.of("");

  private static Consumer<ServletContext> limitedBy(Weir weir) {
    WeirFilter filter = WeirFilter.of(weir.rules(RULES));
    return context -> {
      Applications.filter(context, "weir", filter);
      Applications.serveOk(context);
    };
  }

  private static Weir on(RedisServer redis) {
    return Weir.redis(redis.url()).deadline(Duration.ofMillis(500)).build();
  }

  private static String degraded(HttpResponse<?> response) {
    return response.headers().firstValue("Weir-Degraded").orElse("no");
  }

  private static boolean isDegraded(RunningServer server, String path) {
    try {
      return !degraded(server.get(path)).equals("no");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @EnumSource
  void applicationsOnOneRedisCountTogether(Container container) throws Exception {
    try (RedisServer redis = RedisServer.start();
        Weir one = Weir.redis(redis.url()).deadline(Duration.ofSeconds(30)).build();
        Weir other = Weir.redis(redis.url()).deadline(Duration.ofSeconds(30)).build();
        RunningServer here = container.start(folder, limitedBy(one));
        RunningServer there = container.start(folder, limitedBy(other))) {
      assertThat(here.status("/shut")).isEqualTo(200);
      assertThat(there.status("/shut")).isEqualTo(200);
      assertThat(here.status("/shut")).isEqualTo(429);
      assertThat(there.status("/shut")).isEqualTo(429);
    }
  }

  @ParameterizedTest
  @EnumSource
  void failureModesDecideWhileRedisIsGone(Container container) throws Exception {
    try (RedisServer redis = RedisServer.start();
        Weir weir = on(redis);
        RunningServer server = container.start(folder, limitedBy(weir))) {
      redis.kill();
      assertModesDecide(server);
    }
  }

  /** Connections stay open and nobody answers: only the deadline ends the wait. */
  @ParameterizedTest
  @EnumSource
  void failureModesDecideWhileRedisHangs(Container container) throws Exception {
    try (RedisServer redis = RedisServer.start();
        Weir weir = on(redis);
        RunningServer server = container.start(folder, limitedBy(weir))) {
      redis.pause();
      assertModesDecide(server);
      redis.resume();
      Await.until("Redis is back", SOON, () -> !isDegraded(server, "/open"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void applicationStartsWhileRedisIsDownAndJoinsItLater(Container container) throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      redis.kill();
      try (Weir weir = on(redis);
          RunningServer server = container.start(folder, limitedBy(weir))) {
        assertModesDecide(server);
        redis.restart();
        Await.until("joined", SOON, () -> !isDegraded(server, "/open"));
      }
    }
  }

  private static void assertModesDecide(RunningServer server) throws Exception {
    for (int i = 0; i < 5; i++) {
      HttpResponse<String> open = server.get("/open");
      assertThat(open.statusCode()).isEqualTo(200);
      assertThat(degraded(open)).isEqualTo("allow");
    }
    HttpResponse<String> shut = server.get("/shut");
    assertThat(shut.statusCode()).isEqualTo(503);
    assertThat(degraded(shut)).isEqualTo("deny");
    assertThat(shut.headers().firstValue("Retry-After")).contains("1");
    assertThat(shut.body()).contains("urn:weir:problem:store-unavailable");
    assertThat(server.get("/local").statusCode()).isEqualTo(200);
    assertThat(server.get("/local").statusCode()).isEqualTo(200);
    HttpResponse<String> denied = server.get("/local");
    assertThat(denied.statusCode()).isEqualTo(429);
    assertThat(degraded(denied)).isEqualTo("local");
  }
}
