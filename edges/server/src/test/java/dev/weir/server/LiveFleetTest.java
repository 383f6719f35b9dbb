package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.async.Continuations;
import dev.weir.key.KeySpace;
import dev.weir.redis.RedisStore;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.server.settings.ServerSettings;
import dev.weir.testkit.redis.Await;
import dev.weir.testkit.redis.RedisServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One page shows the callers of all servers on one Redis. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class LiveFleetTest {
  private static final String RULES =
      """
      identity: {key: header X-Key}
      rules:
        - {name: per-key, per: key, limit: 10/hour}
      """;
  private static final Duration LONG = Duration.ofSeconds(60);

  private static int denied(TestServer served, String scope) {
    String body = served.admin("GET", "/callers?scope=" + scope, "").body();
    JsonArray callers = new JsonObject(body).getJsonArray("callers");
    return callers.isEmpty() ? 0 : callers.getJsonObject(0).getInteger("count");
  }

  private static void check(TestServer served, int times) {
    for (int i = 0; i < times; i++) {
      served.get("/v1/check/", "X-Key", "acme");
    }
  }

  @Test
  void deniedCallersOfAllServersAreAddedUp() {
    KeySpace keys = KeySpace.random();
    try (RedisServer redis = RedisServer.start();
        RedisStore one = connect(redis);
        RedisStore two = connect(redis);
        TestServer first = TestServer.on(RULES, ServerSettings.DEFAULT, one, redis.url(), keys)) {
      TestServer second = TestServer.on(RULES, ServerSettings.DEFAULT, two, redis.url(), keys);
      check(first, 15);
      check(second, 7);
      Await.until("fleet on the first", LONG, () -> denied(first, "fleet") == 12);
      Await.until("fleet on the second", LONG, () -> denied(second, "fleet") == 12);
      assertThat(denied(first, "server")).isEqualTo(5);
      assertThat(denied(second, "server")).isEqualTo(7);
      second.close();
      Await.until("the second is gone", LONG, () -> denied(first, "fleet") == 5);
    }
  }

  private static RedisStore connect(RedisServer redis) {
    return RedisStore.connect(RedisSettings.parse(redis.url()), Continuations.DIRECT);
  }
}
