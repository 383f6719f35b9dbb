package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.guard.FallbackStore;
import dev.weir.guard.Standby;
import dev.weir.memory.MemoryStore;
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

/** Slots move and masters die under load. */
@Timeout(300)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ClusterFaultTest {
  private static final Duration LAG = Duration.ofSeconds(1);
  private static final Limit MANY = Limit.fixedWindow(10_000_000, Load.WINDOW);

  @SuppressWarnings("NullAway.Init")
  private static RedisCluster cluster;

  @BeforeAll
  static void start() {
    // As long as nobody is to fail, a machine that is busy for a second votes nobody out.
    cluster = RedisCluster.start("cluster-node-timeout 15000");
  }

  /** From now on, who is silent for a second is replaced. */
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
    return cluster.slotOf(new String(new Keys("w:").name(key), StandardCharsets.US_ASCII));
  }

  private static long count(Store auditor, Claim claim) {
    return claim.limit().permits() - auditor.look(List.of(claim)).join().remaining();
  }

  private static long errors(String word, RedisServer... nodes) {
    return Stream.of(nodes)
        .filter(node -> node.text("INFO", "errorstats").contains("errorstat_" + word + ":"))
        .mapToLong(
            node ->
                Long.parseLong(
                    node.info("errorstats", "errorstat_" + word).substring("count=".length())))
        .sum();
  }

  @Test
  @Order(1)
  void aSlotMovesAndNobodyIsToldNo() {
    List<Claim> claims = new ArrayList<>(Load.claims(3, 10_000_000));
    // Two more in the slot of the first: while one has moved and the other not, they are apart.
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
      severalAtOnce(auditor, claims);
      severalInOne(auditor, List.of(claims.get(0), claims.get(3), claims.get(4)));
      migration.finish();
      load.runFor(Duration.ofMillis(50));
      // Whoever looks at the map at the right moment never hears that the slot has moved.
      for (int i = 0; errors("MOVED", from, to) == 0; i++) {
        assertThat(i).as("moves that nobody noticed").isLessThan(10);
        cluster.migrate(slot, cluster.masterOf(slot) == to ? from : to).finish();
        load.runFor(Duration.ofMillis(50));
      }
      Duration after = load.recovered(Load.RECOVERY);
      load.stop();
      System.out.printf("slot moved: back after %s; %s%n", after, load);
      assertThat(errors("ASK", from)).isPositive();
      assertThat(errors("TRYAGAIN", from, to)).isPositive();
      assertThat(load.failures().keySet())
          .as("at most too late, on a machine that has much to do")
          .noneMatch(why -> why.contains("MOVED") || why.contains("ASK"));
      assertThat(load.failed()).isLessThan(load.allowed());
      auditor.refund(List.of(claims.get(3).costing(50))).join();
      auditor.refund(List.of(claims.get(4).costing(50))).join();
      load.assertBooks(auditor);
    }
  }

  /** Requests on keys that are apart travel in one batch, and each of them is granted. */
  private static void severalAtOnce(Store store, List<Claim> claims) {
    List<Answer> answers = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      answers.add(store.take(claims.get(3)));
      answers.add(store.take(claims.get(4)));
    }
    assertThat(answers).allMatch(answer -> answer.join().allowed());
  }

  /** One request on keys that are apart cannot be granted, and says why. */
  private static void severalInOne(Store store, List<Claim> claims) {
    assertThatThrownBy(() -> store.take(claims).join())
        .isInstanceOfSatisfying(
            StoreFailure.class, failure -> assertThat(failure.effect()).isEqualTo(Effect.NONE))
        .hasMessageContaining("TRYAGAIN");
  }

  @Test
  @Order(2)
  void aRequestInTwoSlotsOfWhichOneIsSilentCostsNothing() throws Exception {
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
  void whatManyOweIsChargedInEverySlotOnce() throws Exception {
    List<Claim> debts = new ArrayList<>();
    for (long i = 0; i < 2_000; i++) {
      debts.add(Claim.of(MANY, new LimitKey(i * 0x9e3779b97f4a7c15L, 7)));
    }
    Standby standby = Standby.alone(new MemoryStore());
    FallbackStore alone = standby.after(new StoreFailure(Effect.NONE, "gone", null));
    debts.forEach(debt -> alone.take(List.of(debt)));
    RedisServer silent = cluster.masterOf(slot(debts.get(0).key()));
    try (RedisStore store = store("?deadline=" + Effort.of(1_000, 200) + "ms");
        RedisStore auditor = store("?deadline=5s")) {
      silent.pause();
      try {
        settle(standby, store);
      } finally {
        silent.resume();
      }
      long doubted = standby.lost();
      assertThat(doubted).as("may have been charged").isBetween(1L, 200L);
      assertThat(standby.owing() + standby.settled() + doubted).isEqualTo(debts.size());
      for (int i = 0; standby.owing() > 0; i++) {
        assertThat(i).as("times to pay").isLessThan(10);
        settle(standby, store);
      }
      long counted = debts.stream().mapToLong(debt -> count(auditor, debt)).sum();
      System.out.printf("debts: %d charged, %d of them may be%n", counted, standby.lost());
      assertThat(debts).allMatch(debt -> count(auditor, debt) <= 1);
      assertThat(standby.settled() + standby.lost()).isEqualTo(debts.size());
      assertThat(counted).isBetween(standby.settled(), (long) debts.size());
    }
  }

  private static void settle(Standby standby, Store store) throws Exception {
    standby
        .settle(store, key -> true, false)
        .handle((paid, failure) -> true)
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
  void aMasterDiesAndItsReplicaTakesOver() {
    List<Claim> claims = Load.claims(6, 10_000_000);
    int slot = slot(claims.get(0).key());
    failFast();
    try (RedisStore store = store(Load.DEADLINE);
        RedisStore before = store("?deadline=5s")) {
      for (Claim claim : claims) {
        before.forget(List.of(claim)).join();
      }
      try (Load load = Load.on(store, claims)) {
        load.runFor(LAG.plusMillis(100));
        long lag = load.allowedSince(System.nanoTime() - LAG.toNanos());
        long start = System.nanoTime();
        cluster.failover(slot);
        Duration elected = Duration.ofNanos(System.nanoTime() - start);
        Duration after = load.recovered(Load.RECOVERY);
        load.stop();
        // A node is dead, and a new store starts all the same.
        try (RedisStore auditor = store("?deadline=5s")) {
          long counted = claims.stream().mapToLong(claim -> count(auditor, claim)).sum();
          System.out.printf(
              "cluster failover: elected after %s, back after %s more; counted %d of %d; %s%n",
              elected, after, counted, load.allowed(), load);
          load.assertNoDoubleCharge(auditor);
          assertThat(load.allowed() - counted).as("forgotten").isLessThanOrEqualTo(lag);
        }
      }
    }
  }

  @Test
  @Order(5)
  void aMasterFallsSilentAndItsReplicaTakesOver() {
    List<Claim> claims = Load.claims(6, 10_000_000);
    int slot = slot(claims.get(1).key());
    RedisServer master = cluster.masterOf(slot);
    failFast();
    try (RedisStore store = store(Load.DEADLINE);
        Load load = Load.on(store, claims)) {
      long before = load.allowed(1);
      master.pause();
      try {
        Duration after = load.recovered(Load.RECOVERY);
        load.stop();
        System.out.printf("cluster master silent: back after %s; %s%n", after, load);
        assertThat(load.allowed(1)).isGreaterThan(before);
        assertThat(load.unknown()).isPositive();
      } finally {
        master.resume();
      }
    }
  }
}
