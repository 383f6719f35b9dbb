package dev.weir.redis;

import static dev.weir.redis.RosterCalls.announce;
import static dev.weir.redis.RosterCalls.announceUntilFailure;
import static dev.weir.redis.RosterCalls.announceUntilSuccess;
import static dev.weir.redis.RosterCalls.leave;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.StoreFailure.Effect;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.redis.connection.RedisSettings.Kind;
import dev.weir.redis.contract.RunningRedis;
import dev.weir.shared.fleet.Roster.Roll;
import dev.weir.testkit.Effort;
import dev.weir.testkit.redis.Await;
import dev.weir.testkit.redis.Binaries;
import dev.weir.testkit.redis.FaultProxy;
import dev.weir.testkit.redis.RedisCluster;
import dev.weir.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The roster on every topology of Redis, and under faults. */
@Timeout(300)
class RosterFaultTest {
  private static final Claim CLAIM =
      Claim.of(Limit.tokenBucket(10, Duration.ofHours(1)), new LimitKey(1, 2));

  private static RedisStore store(String url) {
    return RedisStore.connect(RedisSettings.parse(url));
  }

  @ParameterizedTest
  @EnumSource
  void everyTopologyStoresARoster(Kind kind) {
    try (RunningRedis redis = RunningRedis.start(kind, Binaries.EMBEDDED.get());
        RedisStore store = RedisStore.connect(redis.settings());
        RedisStore other = RedisStore.connect(redis.settings())) {
      announce(store, "b");
      Roll roll = announce(other, "a");
      assertThat(roll.servers()).containsExactly("a", "b");
      assertThat(announce(store, "b")).isEqualTo(roll);
      leave(other, "a");
      assertThat(announce(store, "b")).isEqualTo(new Roll(List.of("b"), roll.memory()));
    }
  }

  @Test
  void rosterMigratesWithItsSlot() {
    try (RedisCluster cluster = RedisCluster.start();
        RedisStore store =
            store("redis-cluster://127.0.0.1:" + cluster.nodes().get(0).port() + "?deadline=5s")) {
      Roll roll = announce(store, "a");
      int slot = cluster.slotOf("w:{fleet}:servers");
      assertThat(cluster.slotOf("w:{fleet}:memory")).isEqualTo(slot);
      RedisServer from = cluster.masterOf(slot);
      RedisServer to =
          cluster.nodes().subList(0, 3).stream()
              .filter(node -> node != from)
              .findFirst()
              .orElseThrow();
      cluster.migrate(slot, to).finish();
      assertThat(announce(store, "a")).isEqualTo(roll);
      cluster.switchover(slot);
      assertThat(announceUntilSuccess(store, "a")).isEqualTo(roll);
    }
  }

  @Test
  void dataLossOfOneClusterNodeIsNotReportedAsLossOfAll() {
    try (RedisCluster cluster = RedisCluster.start();
        RedisStore store =
            store("redis-cluster://127.0.0.1:" + cluster.nodes().get(0).port() + "?deadline=5s")) {
      Roll roll = announce(store, "a");
      cluster.masterOf(cluster.slotOf("w:{fleet}:servers")).command("FLUSHALL");
      assertThat(announce(store, "a")).isEqualTo(roll);
    }
  }

  @Test
  void unresponsiveConnectionIsReplacedWithoutOtherRequests() {
    try (RedisServer redis = RedisServer.start();
        FaultProxy proxy = FaultProxy.before(redis.port());
        RedisStore store = store("redis://127.0.0.1:" + proxy.port())) {
      Roll roll = announceUntilSuccess(store, "a");
      proxy.blackhole(true);
      long start = System.nanoTime();
      assertThat(announceUntilFailure(store, "a", "Redis did not answer in time").effect())
          .isEqualTo(Effect.UNKNOWN);
      assertThat(Duration.ofNanos(System.nanoTime() - start))
          .isBetween(Duration.ofMillis(500), Duration.ofSeconds(Effort.of(60, 5)));
      assertThat(announceUntilFailure(store, "a", "not connected to Redis").effect())
          .isEqualTo(Effect.NONE);
      proxy.blackhole(false);
      assertThat(announceUntilSuccess(store, "a")).isEqualTo(roll);
    }
  }

  @Test
  void readOnlyReplicaCausesAReconnect() {
    try (RedisServer redis = RedisServer.start();
        RedisStore store = store(redis.url() + "?deadline=5ms")) {
      announceUntilSuccess(store, "a");
      String before = connectionId(redis);
      redis.command("REPLICAOF", "127.0.0.1", "1");
      Await.until(
          "another connection",
          Duration.ofSeconds(60),
          () -> {
            announceUntilFailure(store, "a", "READONLY");
            return !connectionId(redis).equals(before);
          });
      redis.command("REPLICAOF", "NO", "ONE");
      assertThat(announceUntilSuccess(store, "a").servers()).containsExactly("a");
    }
  }

  private static String connectionId(RedisServer redis) {
    Matcher weir =
        Pattern.compile("(?m)^id=(\\d+) .* name=weir ").matcher(redis.text("CLIENT", "LIST"));
    return weir.find() ? weir.group(1) : "none";
  }

  @Test
  void wrongTypeOrMissingServerFailsTheAnnouncement() {
    try (RedisServer redis = RedisServer.start();
        RedisStore store = store(redis.url() + "?deadline=5s")) {
      announce(store, "a");
      redis.command("SET", "w:{fleet}:servers", "foreign value");
      announceUntilFailure(store, "a", "WRONGTYPE");
      assertThat(store.take(CLAIM).join().remaining()).as("decisions still work").isEqualTo(9);
      redis.kill();
      announceUntilFailure(store, "a", "not connected to Redis");
    }
  }

  @Test
  void closedStoreFailsTheAnnouncement() {
    try (RedisServer redis = RedisServer.start()) {
      RedisStore store = store(redis.url());
      store.close();
      announceUntilFailure(store, "a", "the connection to Redis was lost");
    }
  }

  @Test
  void rosterBypassesTheLanes() {
    try (RedisServer redis = RedisServer.start();
        RedisStore store = store(redis.url() + "?deadline=5s")) {
      announce(store, "a");
      assertThat(store.laneNodes()).as("lanes").isEmpty();
      assertThat(store.calls()).as("calls of deciding scripts").isEqualTo(3); // the startup check
    }
  }
}
