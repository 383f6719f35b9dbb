package dev.weir.testkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A real cluster, formed, failed over and rearranged. */
class RedisClusterTest {
  @ParameterizedTest
  @EnumSource
  void survivesFailoverSwitchoverAndMigration(Binaries binary) {
    try (RedisCluster cluster = RedisCluster.start(binary.get())) {
      everySlotHasAMasterAndAReplica(cluster);
      keysMoveStepByStep(cluster);
      switchoverSwapsMasterAndReplica(cluster);
      failoverPromotesTheReplica(cluster);
    }
  }

  private static void everySlotHasAMasterAndAReplica(RedisCluster cluster) {
    assertThat(cluster.nodes()).hasSize(6).allMatch(RedisServer::isRunning);
    for (int slot : new int[] {0, 5_460, 5_461, 10_921, 10_922, 10_923, 16_383}) {
      assertThat(cluster.masterOf(slot).info("replication", "role")).isEqualTo("master");
      assertThat(cluster.replicaOf(slot).info("replication", "master_port"))
          .isEqualTo(Integer.toString(cluster.masterOf(slot).port()));
    }
    assertThat(List.of(cluster.masterOf(0), cluster.masterOf(8_192), cluster.masterOf(16_383)))
        .isEqualTo(cluster.nodes().subList(0, 3));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> cluster.masterOf(16_384))
        .withMessage("slot: 16384 (expected: 0 to 16383)");
  }

  private static void keysMoveStepByStep(RedisCluster cluster) {
    int slot = cluster.slotOf("{moved}");
    RedisServer from = cluster.masterOf(slot);
    RedisServer to = cluster.masterOf((slot + RedisCluster.SLOTS / 2) % RedisCluster.SLOTS);
    for (int i = 0; i < 250; i++) {
      from.command("SET", "{moved}\u00ff" + i, "v" + i);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> cluster.migrate(slot, from))
        .withMessageContaining("(expected: a master other than " + from + ")");
    SlotMigration migration = cluster.migrate(slot, to);
    assertThat(migration.moveKeys(50)).isEqualTo(50);
    assertThat(from.number("DBSIZE")).isEqualTo(200);
    assertError(from, "ASK " + slot + " " + to, "GET", "{moved}none");
    assertError(to, "MOVED " + slot + " " + from, "GET", "{moved}none");
    assertThat(cluster.masterOf(slot)).isSameAs(from);
    migration.finish();
    assertThat(from.number("DBSIZE")).isZero();
    assertThat(to.text("GET", "{moved}\u00ff249")).isEqualTo("v249");
    assertError(from, "MOVED " + slot + " " + to, "GET", "{moved}none");
    cluster.awaitOk();
    assertThat(cluster.masterOf(slot)).isSameAs(to);
  }

  private static void switchoverSwapsMasterAndReplica(RedisCluster cluster) {
    int slot = cluster.slotOf("switched");
    RedisServer old = cluster.masterOf(slot);
    RedisServer newMaster = cluster.replicaOf(slot);
    old.command("SET", "switched", "v");
    assertThat(cluster.switchover(slot)).isSameAs(newMaster).isSameAs(cluster.masterOf(slot));
    assertThat(cluster.replicaOf(slot)).isSameAs(old);
    assertThat(newMaster.text("GET", "switched")).isEqualTo("v");
    assertError(old, "MOVED " + slot + " " + newMaster, "SET", "switched", "w");
  }

  private static void failoverPromotesTheReplica(RedisCluster cluster) {
    int slot = cluster.slotOf("failed");
    RedisServer old = cluster.masterOf(slot);
    RedisServer newMaster = cluster.replicaOf(slot);
    assertThat(cluster.failover(slot)).isSameAs(newMaster).isSameAs(cluster.masterOf(slot));
    assertThat(old.isRunning()).isFalse();
    assertThat(newMaster.text("SET", "failed", "v")).isEqualTo("OK");
    old.restart();
    cluster.awaitOk();
    assertThat(cluster.replicaOf(slot)).isSameAs(old);
    assertThat(cluster.failover(slot)).isSameAs(old);
    assertThat(old.text("GET", "failed")).isEqualTo("v");
  }

  private static void assertError(RedisServer node, String error, String... command) {
    assertThatExceptionOfType(RedisErrorException.class)
        .isThrownBy(() -> node.command(command))
        .withMessage(error);
  }
}
