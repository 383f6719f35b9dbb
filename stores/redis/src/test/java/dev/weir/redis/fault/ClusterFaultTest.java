package dev.weir.redis.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.memory.MemoryStore;
import dev.weir.redis.RedisStore;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.redis.script.RedisKeys;
import dev.weir.shared.fallback.FallbackStore;
import dev.weir.shared.fallback.LocalFallback;
import dev.weir.testkit.Effort;
import dev.weir.testkit.redis.RedisCluster;
import dev.weir.testkit.redis.RedisServer;
import dev.weir.testkit.redis.SlotMigration;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/** Slots are migrated and masters fail under load. */
@Timeout(300)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ClusterFaultTest {
  private static final Duration LAG = Duration.ofSeconds(1);
  private static final Limit MANY = Limit.fixedWindow(10_000_000, Load.WINDOW);

  @SuppressWarnings("NullAway.Init")
  private static RedisCluster cluster;

  @BeforeAll
  static void start() {
    // While no node is to fail, a machine that is busy for a second must not cause a failover.
    cluster = RedisCluster.start("cluster-node-timeout 15000");
  }

  /** From now on a master that does not answer for a second is replaced. */
  private static void failFast() {
    cluster.nodes().stream()
        .filter(RedisServer::isRunning)
        .forEach(node -> node.command("CONFIG", "SET", "cluster-node-timeout", "1000"));
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static RedisStore store(String options) {
    int port =
        cluster.nodes().stream().filter(RedisServer::isRunning).findFirst().orElseThrow().port();
    return RedisStore.connect(RedisSettings.parse("redis-cluster://127.0.0.1:" + port + options));
  }

  private static int slot(LimitKey key) {
    return cluster.slotOf(new String(new RedisKeys("w:").name(key), StandardCharsets.US_ASCII));
  }

  private static long count(Store auditor, Claim claim) {
    return claim.limit().permits() - auditor.peek(List.of(claim)).join().remaining();
  }

  private static long errors(String code, RedisServer... nodes) {
    return Stream.of(nodes)
        .filter(node -> node.text("INFO", "errorstats").contains("errorstat_" + code + ":"))
        .mapToLong(
            node ->
                Long.parseLong(
                    node.info("errorstats", "errorstat_" + code).substring("count=".length())))
        .sum();
  }

  @Test
  @Order(1)
  void slotMigrationCausesNoRedirectFailures() {
    List<Claim> claims = new ArrayList<>(Load.claims(3, 10_000_000));
    // Two more in the slot of the first: during a migration they are on different nodes.
    LimitKey first = claims.get(0).key();
    claims.add(Claim.of(MANY, new LimitKey(first.high(), 100)));
    claims.add(Claim.of(MANY, new LimitKey(first.high(), 101)));
    int slot = slot(first);
    RedisServer from = cluster.masterOf(slot);
    RedisServer to =
        cluster.nodes().subList(0, 3).stream()
            .filter(node -> node != from)
            .findFirst()
            .orElseThrow();
    try (RedisStore store = store(Load.DEADLINE);
        RedisStore auditor = store("?deadline=5s");
        Load load = Load.on(store, claims)) {
      SlotMigration migration = cluster.migrate(slot, to);
      load.runFor(Duration.ofMillis(300));
      migration.moveKeys(1);
      load.runFor(Duration.ofMillis(300));
      assertBatchIsGranted(auditor, claims);
      assertSpanningRequestFails(auditor, List.of(claims.get(0), claims.get(3), claims.get(4)));
      migration.finish();
      load.runFor(Duration.ofMillis(50));
      // A topology refresh at the right moment hides the move from the client.
      for (int i = 0; errors("MOVED", from, to) == 0; i++) {
        assertThat(i).as("moves without a MOVED error").isLessThan(10);
        cluster.migrate(slot, cluster.masterOf(slot) == to ? from : to).finish();
        load.runFor(Duration.ofMillis(50));
      }
      Duration recovery = load.awaitRecovery(Load.RECOVERY);
      load.stop();
      System.out.printf("slot migrated: recovered after %s; %s%n", recovery, load);
      assertThat(errors("ASK", from)).isPositive();
      assertThat(errors("TRYAGAIN", from, to)).isPositive();
      assertThat(load.outcomes().failures().keySet())
          .as("at most timeouts, on a busy machine")
          .noneMatch(failure -> failure.contains("MOVED") || failure.contains("ASK"));
      assertThat(load.outcomes().failed()).isLessThan(load.outcomes().allowed());
      auditor.refund(List.of(claims.get(3).withCost(50))).join();
      auditor.refund(List.of(claims.get(4).withCost(50))).join();
      load.assertExactCharges(auditor);
    }
  }

  /** Requests of one batch are granted though their keys are on different nodes. */
  private static void assertBatchIsGranted(Store store, List<Claim> claims) {
    List<Answer> answers = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      answers.add(store.take(claims.get(3)));
      answers.add(store.take(claims.get(4)));
    }
    assertThat(answers).allMatch(answer -> answer.join().allowed());
  }

  /** One request whose keys are on different nodes fails with TRYAGAIN. */
  private static void assertSpanningRequestFails(Store store, List<Claim> claims) {
    assertThatThrownBy(() -> store.take(claims).join())
        .isInstanceOfSatisfying(
            StoreFailure.class, failure -> assertThat(failure.effect()).isEqualTo(Effect.NONE))
        .hasMessageContaining("TRYAGAIN");
  }

  @Test
  @Order(2)
  void requestInTwoSlotsOfWhichOneIsUnresponsiveCostsNothing() throws Exception {
    List<Claim> two = twoMasters();
    RedisServer second = cluster.masterOf(slot(two.get(1).key()));
    try (RedisStore store = store("?deadline=" + Effort.of(1_000, 200) + "ms");
        RedisStore auditor = store("?deadline=5s")) {
      assertThat(store.take(two).join().allowed()).isTrue();
      second.pause();
      long start = System.nanoTime();
      try {
        assertThatThrownBy(() -> store.take(two).join())
            .isInstanceOfSatisfying(
                StoreFailure.class, failure -> assertThat(failure.effect()).isEqualTo(Effect.NONE));
        if (Effort.isThorough()) {
          assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(1));
        }
        assertThat(count(auditor, two.get(0))).isEqualTo(1);
      } finally {
        second.resume();
      }
      assertThat(count(auditor, two.get(1))).isEqualTo(1);
    }
  }

  @Test
  @Order(3)
  void pendingChargesAreChargedOnceInEverySlot() throws Exception {
    List<Claim> charges = new ArrayList<>();
    for (long i = 0; i < 2_000; i++) {
      charges.add(Claim.of(MANY, new LimitKey(i * 0x9e3779b97f4a7c15L, 7)));
    }
    LocalFallback fallback = LocalFallback.alone(new MemoryStore());
    FallbackStore local = fallback.storeAfter(new StoreFailure(Effect.NONE, "gone", null));
    charges.forEach(charge -> local.take(List.of(charge)));
    RedisServer unresponsive = cluster.masterOf(slot(charges.get(0).key()));
    try (RedisStore store = store("?deadline=" + Effort.of(1_000, 200) + "ms");
        RedisStore auditor = store("?deadline=5s")) {
      unresponsive.pause();
      try {
        settle(fallback, store);
      } finally {
        unresponsive.resume();
      }
      long unknown = fallback.lost();
      assertThat(unknown).as("may have been charged").isBetween(1L, 200L);
      assertThat(fallback.pendingKeys() + fallback.settled() + unknown).isEqualTo(charges.size());
      for (int i = 0; fallback.pendingKeys() > 0; i++) {
        assertThat(i).as("attempts to charge").isLessThan(10);
        settle(fallback, store);
      }
      long counted = charges.stream().mapToLong(charge -> count(auditor, charge)).sum();
      System.out.printf("pending charges: %d charged, %d unknown%n", counted, fallback.lost());
      assertThat(charges).allMatch(charge -> count(auditor, charge) <= 1);
      assertThat(fallback.settled() + fallback.lost()).isEqualTo(charges.size());
      assertThat(counted).isBetween(fallback.settled(), (long) charges.size());
    }
  }

  private static void settle(LocalFallback fallback, Store store) throws Exception {
    fallback
        .settle(store, key -> true, false)
        .handle((charged, failure) -> true)
        .toCompletableFuture()
        .get(30, TimeUnit.SECONDS);
  }

  /** Two claims on different masters, in the order in which their slots are taken. */
  private static List<Claim> twoMasters() {
    Claim low = null;
    for (long i = 1_000; ; i++) {
      Claim claim = Claim.of(MANY, new LimitKey(i * 0x9e3779b97f4a7c15L, i));
      int slot = slot(claim.key());
      if (low == null) {
        low = slot < 3_000 ? claim : null;
      } else if (cluster.masterOf(slot) != cluster.masterOf(slot(low.key()))) {
        return List.of(low, claim);
      }
    }
  }

  @Test
  @Order(4)
  void failoverOfAKilledMasterLosesAtMostTheReplicationLag() {
    List<Claim> claims = Load.claims(6, 10_000_000);
    int slot = slot(claims.get(0).key());
    failFast();
    try (RedisStore store = store(Load.DEADLINE);
        RedisStore before = store("?deadline=5s")) {
      for (Claim claim : claims) {
        before.reset(List.of(claim)).join();
      }
      try (Load load = Load.on(store, claims)) {
        load.runFor(LAG.plusMillis(100));
        long unreplicated = load.outcomes().allowedSince(System.nanoTime() - LAG.toNanos());
        long start = System.nanoTime();
        cluster.failover(slot);
        Duration elected = Duration.ofNanos(System.nanoTime() - start);
        Duration recovery = load.awaitRecovery(Load.RECOVERY);
        load.stop();
        // A new store connects though a node is down.
        try (RedisStore auditor = store("?deadline=5s")) {
          long counted = claims.stream().mapToLong(claim -> count(auditor, claim)).sum();
          System.out.printf(
              "cluster failover: elected after %s, recovered after %s more; counted %d of %d; %s%n",
              elected, recovery, counted, load.outcomes().allowed(), load);
          load.assertNoDoubleCharge(auditor);
          assertThat(load.outcomes().allowed() - counted)
              .as("lost")
              .isLessThanOrEqualTo(unreplicated);
        }
      }
    }
  }

  @Test
  @Order(5)
  void replicaReplacesAnUnresponsiveMaster() {
    List<Claim> claims = Load.claims(6, 10_000_000);
    int slot = slot(claims.get(1).key());
    RedisServer master = cluster.masterOf(slot);
    failFast();
    try (RedisStore store = store(Load.DEADLINE);
        Load load = Load.on(store, claims)) {
      long before = load.outcomes().allowed(1);
      master.pause();
      try {
        Duration recovery = load.awaitRecovery(Load.RECOVERY);
        load.stop();
        System.out.printf("cluster master unresponsive: recovered after %s; %s%n", recovery, load);
        assertThat(load.outcomes().allowed(1)).isGreaterThan(before);
        assertThat(load.outcomes().unknown()).isPositive();
      } finally {
        master.resume();
      }
    }
  }
}
