package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.redis.connection.RedisSettings;
import dev.weir.shared.StoreMemory.Node;
import dev.weir.testkit.redis.Await;
import dev.weir.testkit.redis.Binaries;
import dev.weir.testkit.redis.RedisCluster;
import dev.weir.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What servers learn about the memory of Redis. */
@Timeout(300)
class RedisMemoryTest {
  private static final String MAX = "maxmemory " + (8 << 20);

  private static RedisStore connect(String url) {
    return RedisStore.connect(RedisSettings.parse(url + "?deadline=5s"));
  }

  private static List<Node> read(RedisStore store) throws Exception {
    return store.memory().read().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  @ParameterizedTest
  @EnumSource
  void usedMemoryMaximumAndEvictionsAreThoseOfRedis(Binaries binary) throws Exception {
    try (RedisServer redis =
            RedisServer.start(binary.get(), MAX, "maxmemory-policy allkeys-random");
        RedisStore store = connect(redis.url())) {
      Node before = read(store).get(0);
      assertThat(before.name()).isEmpty();
      assertThat(before.usedBytes()).isBetween(100_000L, 8L << 20);
      assertThat(before.maxBytes()).hasValue(8 << 20);
      assertThat(before.evictedKeys()).isZero();
      for (int i = 0; i < 20; i++) {
        redis.command("SET", "large-" + i, "x".repeat(1 << 20));
      }
      Node after = read(store).get(0);
      assertThat(after.evictedKeys())
          .isPositive()
          .isEqualTo(Long.parseLong(redis.info("stats", "evicted_keys")));
      assertThat(after.usedBytes()).isGreaterThan(before.usedBytes());
    }
  }

  @Test
  void maximumIsAbsentWhereThereIsNone() throws Exception {
    try (RedisServer redis = RedisServer.start("maxmemory 0");
        RedisStore store = connect(redis.url())) {
      assertThat(read(store)).extracting(Node::maxBytes).containsExactly(OptionalLong.empty());
    }
  }

  @Test
  void everyMasterOfAClusterIsANode() throws Exception {
    try (RedisCluster cluster = RedisCluster.start(MAX);
        RedisStore store = connect("redis-cluster://" + cluster.nodes().get(0))) {
      assertThat(read(store))
          .hasSize(3)
          .allMatch(node -> node.maxBytes().equals(OptionalLong.of(8 << 20)))
          .extracting(Node::name)
          .containsExactlyInAnyOrderElementsOf(
              cluster.nodes().subList(0, 3).stream().map(RedisServer::toString).toList());
      cluster.nodes().get(1).pause(); // answers nothing, and keeps its connections
      assertThat(read(store))
          .extracting(Node::name)
          .doesNotContain(cluster.nodes().get(1).toString())
          .contains(cluster.nodes().get(0).toString());
      cluster.nodes().get(1).resume();
    }
  }

  @Test
  void nothingIsKnownWithoutPermissionAndRedisIsSeldomAskedAgain() throws Exception {
    try (RedisServer redis = RedisServer.start("user ann on >secret ~* +@all -info");
        RedisStore store = connect(redis.url().replace("redis://", "redis://ann:secret@"))) {
      assertThat(read(store)).isEmpty();
      long refused = refusals(redis);
      assertThat(refused).isPositive();
      for (int i = 0; i < RedisMemory.SKIPPED_READS; i++) {
        assertThat(read(store)).isEmpty();
      }
      assertThat(refusals(redis)).isEqualTo(refused);
      assertThat(read(store)).isEmpty();
      assertThat(refusals(redis)).isGreaterThan(refused);
    }
  }

  /** How many calls of INFO the log of Redis has. */
  private static long refusals(RedisServer redis) {
    long refusals = 0;
    for (Object entry : redis.list("ACL", "LOG")) {
      List<?> fields = (List<?>) entry;
      String object = String.valueOf(fields.get(fields.indexOf("object") + 1));
      if (object.startsWith("info")) {
        refusals += (Long) fields.get(fields.indexOf("count") + 1);
      }
    }
    return refusals;
  }

  @Test
  void nothingIsKnownWhileRedisIsDownAndEverythingOnceItIsBack() throws Exception {
    try (RedisServer redis = RedisServer.start(MAX);
        RedisStore store = connect(redis.url())) {
      assertThat(read(store)).hasSize(1);
      redis.kill();
      assertThat(read(store)).isEmpty();
      redis.restart();
      Await.until("an answer", Duration.ofSeconds(60), () -> !isEmpty(store));
      redis.pause(); // keeps its connections, and answers nothing
      assertThat(read(store)).isEmpty();
      redis.resume();
    }
  }

  private static boolean isEmpty(RedisStore store) {
    return store.memory().read().toCompletableFuture().join().isEmpty();
  }
}
