package dev.weir.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.key.KeySpace;
import dev.weir.rule.FailureMode;
import dev.weir.rule.Identity;
import dev.weir.rule.Rule;
import dev.weir.rule.book.Match;
import dev.weir.rule.book.RuleBook;
import dev.weir.server.LogLines;
import dev.weir.shared.Shards;
import dev.weir.testkit.redis.Await;
import dev.weir.testkit.redis.RedisCluster;
import dev.weir.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One master of a cluster does not answer: keys on other masters are not affected. */
@Timeout(600)
class ClusterOutageTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Limit MANY = Limit.fixedWindow(1_000_000, Duration.ofDays(3_000));
  private static final int CALLERS = 100;

  private final RuleBook rules =
      RuleBook.of(
          List.of(
              Rule.named("each")
                  .per(Identity.of("caller"))
                  .limit(MANY)
                  .failureMode(FailureMode.ALLOW)
                  .build()),
          KeySpace.random());

  private Match match(int caller) {
    return rules.match(Descriptor.of(Map.of("caller", "c" + caller)));
  }

  private Claim claim(int caller) {
    return match(caller).claims().get(0);
  }

  private Basis take(OneServer server, int caller) {
    Decision decision = server.limiter.take(match(caller)).join();
    assertThat(decision.allowed()).isTrue();
    return decision.basis();
  }

  private void awaitCounted(OneServer server) {
    Await.until(
        "all are counted",
        LONG,
        () -> IntStream.range(0, CALLERS).allMatch(one -> take(server, one) == Basis.COUNTED));
  }

  /** The callers whose counters are, or are not, on a shard. */
  private List<Integer> callers(Shards shards, String shard, boolean there) {
    return IntStream.range(0, CALLERS)
        .filter(one -> shards.shardOf(claim(one).key()).equals(shard) == there)
        .boxed()
        .toList();
  }

  private static RedisServer named(RedisCluster cluster, String name) {
    return cluster.nodes().stream()
        .filter(node -> name.equals("127.0.0.1:" + node.port()))
        .findFirst()
        .orElseThrow();
  }

  private static String url(RedisCluster cluster) {
    // Long enough for a busy machine: late answers are not the subject of this test.
    return "redis-cluster://127.0.0.1:" + cluster.nodes().get(0).port() + "?deadline=1s";
  }

  @Test
  void breakerOpensOnlyForTheSilentMaster() {
    try (RedisCluster cluster = RedisCluster.start("cluster-node-timeout 60000");
        LogLines log = new LogLines(StoreLog.class);
        OneServer server = new OneServer(url(cluster))) {
      awaitCounted(server);
      Shards shards = server.redis.shards();
      String shard = shards.shardOf(claim(0).key());
      List<Integer> silent = callers(shards, shard, true);
      List<Integer> others = callers(shards, shard, false);
      assertThat(silent).isNotEmpty();
      assertThat(others).isNotEmpty();
      RedisServer master = named(cluster, shards.name(shard));
      master.pause();
      try {
        Await.until("it is noticed", LONG, () -> noticed(server, silent));
        for (int i = 0; i < 300; i++) {
          assertThat(take(server, others.get(i % others.size()))).isEqualTo(Basis.COUNTED);
          assertThat(take(server, silent.get(i % silent.size()))).isEqualTo(Basis.UNCOUNTED);
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
        log.await(1);
        assertThat(log.lines)
            .as("once, and once more when the connection is given up; not each second")
            .hasSizeBetween(1, 2)
            .allSatisfy(
                line ->
                    assertThat(line.toString())
                        .startsWith("WARNING " + shards.name(shard) + ", a part of the store, "));
        assertThat(server.shared.isAnswering()).isFalse();
        assertThat(server.shared.problems())
            .singleElement()
            .asString()
            .contains(shards.name(shard));
      } finally {
        master.resume();
      }
      awaitCounted(server);
      log.await(2);
      assertThat(log.lines)
          .last()
          .asString()
          .startsWith("INFO The store answers again after ")
          .endsWith("; whether it kept its counters is not known");
      assertThat(server.shared.isAnswering()).isTrue();
      assertThat(server.shared.problems()).isEmpty();
    }
  }

  private boolean noticed(OneServer server, List<Integer> callers) {
    CompletableFuture.allOf(
            callers.stream()
                .map(one -> server.limiter.take(match(one)).stage().toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new))
        .join();
    return server.shared.breaker().equals("open");
  }

  @Test
  void promotedReplicaIsUsedAtOnce() {
    try (RedisCluster cluster = RedisCluster.start();
        LogLines log = new LogLines(StoreLog.class);
        OneServer server = new OneServer(url(cluster))) {
      awaitCounted(server);
      Shards shards = server.redis.shards();
      String shard = shards.shardOf(claim(0).key());
      RedisServer master = named(cluster, shards.name(shard));
      List<Integer> others = callers(shards, shard, false);
      master.kill();
      Await.until("it is noticed", LONG, () -> noticed(server, callers(shards, shard, true)));
      assertThat(take(server, others.get(0))).isEqualTo(Basis.COUNTED);
      awaitCounted(server);
      assertThat(shards.shardOf(claim(0).key())).as("another one by now").isNotEqualTo(shard);
      Await.until("all shards answer", LONG, server.shared::isAnswering);
      String end = "INFO The store answers again ";
      Await.until(
          "that is logged", LONG, () -> log.lines.get(log.lines.size() - 1).startsWith(end));
    }
  }
}
