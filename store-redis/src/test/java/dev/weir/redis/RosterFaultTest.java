package dev.weir.redis;

import static dev.weir.redis.Announced.announce;
import static dev.weir.redis.Announced.atLast;
import static dev.weir.redis.Announced.failsAtLast;
import static dev.weir.redis.Announced.leave;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.StoreFailure.Effect;
import dev.weir.guard.Roster.Roll;
import dev.weir.redis.RedisSettings.Kind;
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

/** The roster on every kind of Redis, and when it fails. */
@Timeout(300)
class RosterFaultTest {
  private static final Claim CLAIM =
      Claim.of(Limit.tokenBucket(10, Duration.ofHours(1)), new LimitKey(1, 2));

  private static RedisStore store(String url) {
    return RedisStore.connect(RedisSettings.parse(url));
  }

  @ParameterizedTest
  @EnumSource
  void everyKindKeepsOne(Kind kind) {
    try (RunningRedis redis = RunningRedis.start(kind, Binaries.EMBEDDED.get());
        RedisStore store = RedisStore.connect(redis.settings());
        RedisStore other = RedisStore.connect(redis.settings())) {
      announce(store, "b");
      Roll told = announce(other, "a");
      assertThat(told.servers()).containsExactly("a", "b");
      assertThat(announce(store, "b")).isEqualTo(told);
      leave(other, "a");
      assertThat(announce(store, "b")).isEqualTo(new Roll(List.of("b"), told.memory()));
    }
  }

  @Test
  void inAClusterItMovesWithItsSlot() {
    try (RedisCluster cluster = RedisCluster.start();
        RedisStore store =
            store("redis-cluster://127.0.0.1:" + cluster.nodes().get(0).port() + "?deadline=5s")) {
      Roll told = announce(store, "a");
      int slot = cluster.slotOf("w:{fleet}:servers");
      assertThat(cluster.slotOf("w:{fleet}:memory")).isEqualTo(slot);
      RedisServer from = cluster.masterOf(slot);
      RedisServer to =
          cluster.nodes().subList(0, 3).stream()
              .filter(node -> node != from)
              .findFirst()
              .orElseThrow();
      cluster.migrate(slot, to).finish();
      assertThat(announce(store, "a")).isEqualTo(told);
      cluster.switchover(slot);
      assertThat(atLast(store, "a")).isEqualTo(told);
    }
  }

  @Test
  void aServerOfAClusterThatForgetsSaysNothingAboutTheOthers() {
    try (RedisCluster cluster = RedisCluster.start();
        RedisStore store =
            store("redis-cluster://127.0.0.1:" + cluster.nodes().get(0).port() + "?deadline=5s")) {
      Roll told = announce(store, "a");
      cluster.masterOf(cluster.slotOf("w:{fleet}:servers")).command("FLUSHALL");
      assertThat(announce(store, "a")).isEqualTo(told);
    }
  }

  @Test
  void aConnectionThatIsSilentIsGivenUpEvenIfNobodyElseAsks() {
    try (RedisServer redis = RedisServer.start();
        FaultProxy proxy = FaultProxy.before(redis.port());
        RedisStore store = store("redis://127.0.0.1:" + proxy.port())) {
      Roll told = atLast(store, "a");
      proxy.blackhole(true);
      long start = System.nanoTime();
      assertThat(failsAtLast(store, "a", "Redis did not answer in time").effect())
          .isEqualTo(Effect.UNKNOWN);
      assertThat(Duration.ofNanos(System.nanoTime() - start))
          .isBetween(Duration.ofMillis(500), Duration.ofSeconds(Effort.of(60, 5)));
      assertThat(failsAtLast(store, "a", "not connected to Redis").effect()).isEqualTo(Effect.NONE);
      proxy.blackhole(false);
      assertThat(atLast(store, "a")).isEqualTo(told);
    }
  }

  @Test
  void whoMeetsAReplicaLooksForTheMaster() {
    try (RedisServer redis = RedisServer.start();
        RedisStore store = store(redis.url() + "?deadline=5ms")) {
      atLast(store, "a");
      String before = connection(redis);
      redis.command("REPLICAOF", "127.0.0.1", "1");
      Await.until(
          "another connection",
          Duration.ofSeconds(60),
          () -> {
            failsAtLast(store, "a", "READONLY");
            return !connection(redis).equals(before);
          });
      redis.command("REPLICAOF", "NO", "ONE");
      assertThat(atLast(store, "a").servers()).containsExactly("a");
    }
  }

  private static String connection(RedisServer redis) {
    Matcher weir =
        Pattern.compile("(?m)^id=(\\d+) .* name=weir ").matcher(redis.text("CLIENT", "LIST"));
    return weir.find() ? weir.group(1) : "none";
  }

  @Test
  void aRedisThatIsSpoiltOrGoneFails() {
    try (RedisServer redis = RedisServer.start();
        RedisStore store = store(redis.url() + "?deadline=5s")) {
      announce(store, "a");
      redis.command("SET", "w:{fleet}:servers", "somebody else's");
      failsAtLast(store, "a", "WRONGTYPE");
      assertThat(store.take(CLAIM).join().remaining()).as("decides").isEqualTo(9);
      redis.kill();
      failsAtLast(store, "a", "not connected to Redis");
    }
  }

  @Test
  void aStoreThatIsClosedFails() {
    try (RedisServer redis = RedisServer.start()) {
      RedisStore store = store(redis.url());
      store.close();
      failsAtLast(store, "a", "the connection to Redis was lost");
    }
  }

  @Test
  void itDoesNotGoByTheLanes() {
    try (RedisServer redis = RedisServer.start();
        RedisStore store = store(redis.url() + "?deadline=5s")) {
      announce(store, "a");
      assertThat(store.servers()).as("lanes").isEmpty();
      assertThat(store.calls()).as("of scripts that decide").isEqualTo(3); // the trial
    }
  }
}
