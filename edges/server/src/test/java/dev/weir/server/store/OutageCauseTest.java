package dev.weir.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.redis.RedisStore;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.server.LogLines;
import dev.weir.server.TestServer;
import dev.weir.testkit.redis.Await;
import dev.weir.testkit.redis.FaultProxy;
import dev.weir.testkit.redis.RedisServer;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The log lines of an outage: where, since when, why, and the decisions meanwhile. */
@Timeout(240)
class OutageCauseTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final String RULES =
      """
      rules:
        - {name: open, match: {path: /open}, limit: 900/day, when-store-fails: allow}
        - {name: shut, match: {path: /shut}, limit: 900/day, when-store-fails: deny}
        - {name: here, match: {path: /here}, limit: 900/day, when-store-fails: local}
        - {name: mine, match: {path: /mine}, limit: 900/day, mode: local}
      """;

  private final LogLines log = new LogLines(StoreLog.class);
  private final List<String> lines = log.lines;
  private final RedisServer redis = RedisServer.start();
  private final FaultProxy proxy = FaultProxy.before(redis.port());
  private final String address = "127.0.0.1:" + proxy.port();
  private final Instant start = Instant.now().minusSeconds(1);

  @AfterEach
  void close() {
    log.close();
    proxy.close();
    redis.close();
  }

  private RedisStore connect(String login) {
    String url = "redis://" + login + address + "?deadline=1s";
    return RedisStore.connect(RedisSettings.parse(url));
  }

  private static JsonObject store(TestServer served) {
    JsonObject ready = new JsonObject(served.admin("GET", "/readyz", "").body());
    assertThat(ready.getBoolean("ready")).isTrue();
    return ready.getJsonObject("store");
  }

  /** Sends requests until the circuit breaker opens. */
  private static void awaitOutage(TestServer served) {
    Await.until(
        "an outage",
        LONG,
        () -> {
          served.check("/open");
          return store(served).containsKey("outages");
        });
  }

  private static void awaitEnd(TestServer served) {
    Await.until("the end of the outage", LONG, () -> !store(served).containsKey("outages"));
  }

  /** Checks the cause of the outage, in the log and in readiness. */
  private void assertCause(TestServer served, String cause) {
    Await.until(
        cause,
        LONG,
        () ->
            store(served)
                .getJsonArray("outages")
                .getJsonObject(0)
                .getString("cause")
                .contains(cause));
    JsonObject outage = store(served).getJsonArray("outages").getJsonObject(0);
    assertThat(outage.getString("address")).isEqualTo(address);
    assertThat(Instant.parse(outage.getString("since"))).isBetween(start, Instant.now());
    awaitLine(cause);
    assertThat(last())
        .startsWith("WARNING The store at " + address + " has not answered since ")
        .contains(outage.getString("since"), cause)
        .endsWith("(rules that allow: 1, deny: 1, count locally: 2)");
    JsonObject ready = new JsonObject(served.admin("GET", "/readyz", "").body());
    assertThat(ready.getJsonArray("problems"))
        .singleElement()
        .asString()
        .startsWith("The store at " + address + " has not answered since ")
        .contains(cause);
    assertThat(store(served).getJsonObject("whenStoreFails").getMap())
        .isEqualTo(new JsonObject("{\"allow\": 1, \"deny\": 1, \"local\": 2}").getMap());
  }

  private void awaitLine(String text) {
    Await.until(text, LONG, () -> !lines.isEmpty() && last().contains(text));
  }

  private String last() {
    return lines.get(lines.size() - 1);
  }

  @Test
  void changedPasswordIsReportedInTheWordsOfRedis() {
    redis.command("ACL", "SETUSER", "weir", "on", ">old", "~*", "+@all");
    try (RedisStore store = connect("weir:old@");
        TestServer served = TestServer.on(RULES, store, address)) {
      assertThat(served.check("/open").statusCode()).isEqualTo(200);
      assertThat(store(served).getString("address")).isEqualTo(address);
      redis.command("ACL", "SETUSER", "weir", "resetpass", ">new");
      proxy.reset();
      awaitOutage(served);
      assertCause(served, "WRONGPASS invalid username-password pair");
      redis.command("ACL", "SETUSER", "weir", ">old");
      awaitEnd(served);
      awaitLine(" answers again ");
      assertThat(last())
          .startsWith("INFO The store at " + address + " answers again after ")
          .endsWith("; it kept its counters");
    }
  }

  @Test
  void newlyRequiredPasswordIsReported() {
    try (RedisStore store = connect("");
        TestServer served = TestServer.on(RULES, store, address)) {
      redis.command("CONFIG", "SET", "requirepass", "new");
      proxy.reset();
      awaitOutage(served);
      assertCause(served, "NOAUTH");
    }
  }

  @Test
  void endReportsDecisionsChargesAndLostData() {
    try (RedisStore store = connect("");
        TestServer served = TestServer.on(RULES, store, address)) {
      redis.kill();
      awaitOutage(served);
      for (int i = 0; i < 5; i++) {
        assertThat(served.check("/here").statusCode()).isEqualTo(200);
        assertThat(served.check("/mine").statusCode()).isEqualTo(200);
      }
      for (int i = 0; i < 3; i++) {
        assertThat(served.check("/shut").statusCode()).isEqualTo(503);
      }
      assertThat(store(served).getInteger("pendingKeys")).isEqualTo(1);
      redis.restart();
      awaitEnd(served);
      awaitLine(" answers again ");
      assertThat(last())
          .matches(
              "WARNING The store at \\S+ answers again after [0-9]+\\.[0-9] s; decided without it:"
                  + " [0-9]+ requests \\(allowed: [0-9]+, denied: 3, counted locally: 5\\); charged"
                  + " back: 5 permits; it came back empty, so its counters begin anew");
    }
  }

  @Test
  void networkOutageKeepsTheCounters() {
    try (RedisStore store = connect("");
        TestServer served = TestServer.on(RULES, store, address)) {
      assertThat(served.check("/open").statusCode()).isEqualTo(200);
      proxy.refuse(true);
      proxy.reset();
      awaitOutage(served);
      assertCause(served, "not connected to Redis: ");
      proxy.refuse(false);
      awaitEnd(served);
      awaitLine(" answers again ");
      assertThat(last()).startsWith("INFO ").endsWith("; it kept its counters");
    }
  }

  @Test
  void refusalByRedisIsReportedInItsWords() {
    try (RedisStore store = connect("");
        TestServer served = TestServer.on(RULES, store, address)) {
      redis.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
      redis.command("CONFIG", "SET", "maxmemory", "1");
      awaitOutage(served);
      assertCause(served, "OOM command not allowed");
    }
  }
}
