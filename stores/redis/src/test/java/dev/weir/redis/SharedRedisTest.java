package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.async.Continuations;
import dev.weir.key.KeySecret;
import dev.weir.redis.connection.RedisDriver;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.testkit.redis.Await;
import dev.weir.testkit.redis.RedisCluster;
import dev.weir.testkit.redis.RedisServer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server starts while Redis cannot be reached, and joins the others once it answers. */
@Timeout(180)
class SharedRedisTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration LASTING = Duration.ofSeconds(10);
  private static final Limit TEN_AN_HOUR = Limit.fixedWindow(10, Duration.ofHours(1));
  private static final KeySecret SECRET =
      KeySecret.parse("00112233445566778899aabbccddeeff").orElseThrow();

  private static SharedRedis open(String url, @Nullable KeySecret secret) throws Exception {
    return SharedRedis.open(
        RedisSettings.parse(url), RedisDriver.own(), secret, Continuations.shared());
  }

  private static SharedRedis connect(String url, @Nullable KeySecret secret) throws Exception {
    return SharedRedis.connect(
        RedisSettings.parse(url), RedisDriver.own(), secret, Continuations.shared());
  }

  private static String patient(RedisServer redis) {
    return redis.url() + "?deadline=10s";
  }

  private static Claim claim(SharedRedis redis, String owner) {
    return Claim.of(TEN_AN_HOUR, redis.keys().key(owner));
  }

  private static void awaitJoined(SharedRedis redis) {
    Await.until("joined", LIMIT, () -> redis.unreachable().isEmpty());
  }

  @Test
  void requestsFailWithTheReasonUntilRedisIsThere() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      server.kill();
      try (SharedRedis redis = open(patient(server), null)) {
        assertThat(redis.unreachable()).contains("Connection refused");
        assertThatThrownBy(() -> redis.take(claim(redis, "ann")).join())
            .isInstanceOfSatisfying(
                StoreFailure.class, failure -> assertThat(failure.effect()).isEqualTo(Effect.NONE))
            .hasMessage("not connected to Redis: Connection refused");
        assertThat(redis.roster().announce("a", LASTING).toCompletableFuture())
            .isCompletedExceptionally();
        assertThat(redis.roster().leave("a").toCompletableFuture()).isCompletedExceptionally();
        assertThat(redis.calls()).isZero();
        server.restart();
        awaitJoined(redis);
        assertThat(redis.take(claim(redis, "ann")).join().remaining()).isEqualTo(9);
        assertThat(redis.roster().announce("a", LASTING).toCompletableFuture().join().servers())
            .containsExactly("a");
        assertThat(redis.calls()).isPositive();
        assertThat(redis.problems()).isEmpty();
      }
    }
  }

  @Test
  void serverThatJoinsLaterAdoptsTheSecretOfTheOthers() throws Exception {
    try (RedisServer server = RedisServer.start("appendonly yes", "appendfsync no")) {
      SharedRedis first = connect(patient(server), null);
      server.kill();
      try (first;
          SharedRedis later = open(patient(server), null)) {
        LimitKey shared = first.keys().key("ann");
        LimitKey before = later.keys().key("ann");
        assertThat(before).as("a random secret").isNotEqualTo(shared);
        server.restart();
        awaitJoined(later);
        assertThat(later.keys().key("ann")).isEqualTo(shared);
      }
    }
  }

  /** Redis loses its data, and a server that starts stores its secret before the others can. */
  @Test
  void runningServerAdoptsTheSecretThatAnotherStoredAfterALoss() throws Exception {
    try (RedisServer server = RedisServer.start();
        SharedRedis running = connect(patient(server), null)) {
      LimitKey before = running.keys().key("ann");
      server.command("FLUSHALL");
      try (SharedRedis quicker = connect(patient(server), null)) {
        assertThat(quicker.keys().key("ann")).isNotEqualTo(before);
        var unused = running.roster().announce("a", LASTING).toCompletableFuture().join();
        assertThat(running.keys().key("ann")).isEqualTo(quicker.keys().key("ann"));
        assertThat(running.problems()).isEmpty();
      }
    }
  }

  @Test
  void runningServerPutsItsSecretBackAfterALoss() throws Exception {
    try (RedisServer server = RedisServer.start();
        SharedRedis running = connect(patient(server), SECRET)) {
      server.command("FLUSHALL");
      var unused = running.roster().announce("a", LASTING).toCompletableFuture().join();
      assertThat(server.text("GET", "w:key-secret")).isEqualTo(SECRET.fingerprint());
      server.command("SET", "w:key-secret", KeySecret.random().hex());
      var again = running.roster().announce("a", LASTING).toCompletableFuture().join();
      assertThat(again.servers()).containsExactly("a");
      assertThat(running.problems())
          .singleElement(STRING)
          .contains("holds a different secret than this server uses");
    }
  }

  /** The executor of callers may be the very thread that builds. */
  @Test
  void agreementNeedsNoThreadOfTheCallersExecutor() throws Exception {
    try (RedisServer server = RedisServer.start();
        SharedRedis redis =
            SharedRedis.connect(
                RedisSettings.parse(patient(server)), RedisDriver.own(), null, task -> {})) {
      assertThat(redis.unreachable()).isEmpty();
    }
  }

  @Test
  void firstServerOnAnEmptyRedisKeepsItsKeys() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      server.kill();
      try (SharedRedis first = open(patient(server), null)) {
        LimitKey before = first.keys().key("ann");
        server.restart();
        awaitJoined(first);
        assertThat(first.keys().key("ann")).isEqualTo(before);
        try (SharedRedis second = connect(patient(server), null)) {
          assertThat(second.keys().key("ann")).isEqualTo(before);
        }
      }
    }
  }

  @Test
  void givenSecretIsKeptAndConflictsAreReportedUntilTheyAreSolved() throws Exception {
    try (RedisServer server = RedisServer.start("appendonly yes", "appendfsync no")) {
      connect(patient(server), KeySecret.random()).close();
      assertThatThrownBy(() -> open(patient(server), SECRET))
          .isInstanceOf(KeySecretConflict.class)
          .hasMessageContaining("its servers use a different key secret");
      server.kill();
      try (SharedRedis redis = open(patient(server), SECRET)) {
        server.restart();
        Await.until(
            "conflict",
            LIMIT,
            () -> redis.unreachable().orElse("").contains("a different key secret"));
        assertThatThrownBy(() -> redis.take(claim(redis, "ann")).join())
            .isInstanceOf(StoreFailure.class)
            .hasMessageContaining("a different key secret");
        server.command("DEL", "w:key-secret");
        awaitJoined(redis);
        assertThat(redis.keys().key("ann")).isEqualTo(SECRET.keys().key("ann"));
      }
    }
  }

  @Test
  void serverOfAClusterJoinsItsShards() throws Exception {
    try (RedisCluster cluster = RedisCluster.start()) {
      String url = "redis-cluster://127.0.0.1:" + cluster.nodes().get(0).port() + "?deadline=10s";
      cluster.nodes().forEach(RedisServer::kill);
      try (SharedRedis redis = open(url, null)) {
        assertThat(redis.shards().all()).containsOnlyKeys("");
        cluster.nodes().forEach(RedisServer::restart);
        cluster.awaitOk();
        awaitJoined(redis);
        assertThat(redis.shards().all()).hasSize(3).doesNotContainKey("");
        Claim claim = claim(redis, "ann");
        Await.until("answers", LIMIT, () -> answers(redis, claim));
        assertThat(redis.shards().shardOf(claim.key())).isNotEmpty();
      }
    }
  }

  private static boolean answers(SharedRedis redis, Claim claim) {
    try {
      return redis.take(claim).join().allowed();
    } catch (StoreFailure e) {
      return false; // the cluster still elects
    }
  }
}
