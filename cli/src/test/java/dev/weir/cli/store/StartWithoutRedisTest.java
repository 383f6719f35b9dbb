package dev.weir.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.ServerProcess;
import dev.weir.testkit.redis.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers that start while Redis is down, each in a separate process. */
class StartWithoutRedisTest {
  private static final int LIMIT = 20;
  private static final Duration RECOVERY = Duration.ofSeconds(60);
  private static final String RULES =
      """
      rules:
        - {name: open, match: {path: /open}, limit: 20/day, algorithm: fixed-window, when-store-fails: allow}
        - {name: shut, match: {path: /shut}, limit: 20/day, algorithm: fixed-window, when-store-fails: deny}
        - {name: back, match: {path: /back}, limit: 20/day, algorithm: fixed-window, when-store-fails: deny}
      """;

  private final RedisServer redis = RedisServer.start("requirepass s3cret");

  @TempDir private Path directory = Path.of("");

  private Path rules = Path.of("");

  @BeforeEach
  void writeRules() throws Exception {
    rules = Files.writeString(directory.resolve("rules.yaml"), RULES);
  }

  @AfterEach
  void stop() {
    redis.close();
  }

  private String url() {
    return "redis://:s3cret@127.0.0.1:" + redis.port() + "?deadline=1s";
  }

  private static void awaitReadiness(ServerProcess server, String expected) throws Exception {
    long start = System.nanoTime();
    String body = "";
    while (!body.contains(expected)) {
      assertThat(System.nanoTime() - start).as(body).isLessThan(RECOVERY.toNanos());
      Thread.sleep(50);
      body = server.admin("/readyz").body();
    }
  }

  /** Two servers start while Redis is down, count alone, and count together once it is there. */
  @Test
  void serversStartWithoutRedisAndJoinIt() throws Exception {
    redis.kill();
    try (ServerProcess first = start();
        ServerProcess second = start()) {
      for (ServerProcess server : List.of(first.awaitReady(), second.awaitReady())) {
        server.awaitOutput(": not connected to Redis: Connection refused; until it does, ");
        assertThat(server.output())
            .contains("has not answered since ")
            .contains("in Redis, standalone", "which cannot be reached yet")
            .doesNotContain("s3cret", "\tat ");
        assertThat(server.admin("/readyz").body())
            .contains("\"ready\":true", "\"answers\":false", "Connection refused");
        assertThat(server.check("/shut")).isEqualTo(503);
        assertThat(server.check("/open")).isEqualTo(200);
      }
      redis.restart();
      awaitReadiness(first, "\"servers\":2");
      awaitReadiness(second, "\"servers\":2");
      int passed = 0;
      for (int i = 0; i < LIMIT; i++) {
        passed += first.check("/back") == 200 ? 1 : 0;
        passed += second.check("/back") == 200 ? 1 : 0;
      }
      assertThat(passed).isEqualTo(LIMIT);
      assertThat(first.output()).contains(" answers again after ");
    }
  }

  private ServerProcess start() throws Exception {
    return ServerProcess.start(Map.of(), "--store", url(), "--rules", rules);
  }

  @Test
  void serverWithStoreWaitStartsWhenRedisDoes() throws Exception {
    redis.kill();
    try (ServerProcess server =
        ServerProcess.start(Map.of(), "--store", url(), "--store-wait", "300")) {
      server.awaitOutput("; trying again in 500 ms");
      assertThat(server.output()).contains("Connection refused; trying again in 250 ms\n");
      redis.restart();
      assertThat(server.awaitReady().check("/hello")).isEqualTo(200);
      assertThat(server.output()).doesNotContain("s3cret", "\tat ");
    }
  }
}
