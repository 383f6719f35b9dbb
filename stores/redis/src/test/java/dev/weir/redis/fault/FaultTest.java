package dev.weir.redis.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.redis.RedisStore;
import dev.weir.redis.batch.PendingRequest;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.testkit.Effort;
import dev.weir.testkit.redis.FaultProxy;
import dev.weir.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/**
 * A single server fails under load: every request is answered, nothing is charged twice, and the
 * same store recovers with Redis. A thorough build also checks that answers come by the deadline.
 */
@Timeout(300)
class FaultTest {
  private static final long MANY = 10_000_000;

  private static RedisStore store(RedisServer redis) {
    return store(redis.url() + Load.DEADLINE);
  }

  private static RedisStore store(FaultProxy proxy) {
    return store("redis://127.0.0.1:" + proxy.port() + Load.DEADLINE);
  }

  private static RedisStore store(String url) {
    return RedisStore.connect(RedisSettings.parse(url));
  }

  private static RedisStore auditor(RedisServer redis) {
    return store(redis.url() + "?deadline=5s");
  }

  private static void print(TestInfo test, Load load, Duration recovery) {
    System.out.printf("%s: recovered after %s; %s%n", test.getDisplayName(), recovery, load);
  }

  /** The store recovers by itself, and meanwhile every request was answered in time. */
  private static void assertRecovers(TestInfo test, Load load) {
    Duration recovery = load.awaitRecovery(Load.RECOVERY);
    load.stop();
    print(test, load, recovery);
  }

  private static void assertExactCharges(RedisServer redis, Load load) {
    try (RedisStore auditor = auditor(redis)) {
      load.assertExactCharges(auditor);
    }
  }

  @Test
  void restartWithAppendOnlyFileLosesNothing(TestInfo test) {
    try (RedisServer redis = RedisServer.start("appendonly yes", "appendfsync no");
        RedisStore store = store(redis);
        Load load = Load.on(store, Load.claims(3, MANY))) {
      load.runFor(Duration.ofMillis(500));
      redis.kill();
      load.awaitFailure("not connected");
      redis.restart();
      assertRecovers(test, load);
      assertExactCharges(redis, load);
    }
  }

  @Test
  void restartWithoutPersistenceGrantsAtMostTheLimitAgain(TestInfo test) {
    long permits = 400;
    try (RedisServer redis = RedisServer.start();
        RedisStore store = store(redis);
        Load load = Load.on(store, Load.claims(2, permits))) {
      load.awaitDenials();
      Outcomes outcomes = load.outcomes();
      assertThat(outcomes.allowed()).isBetween(2 * permits - outcomes.unknown(), 2 * permits);
      redis.restart();
      Duration recovery = load.awaitRecovery(Load.RECOVERY);
      load.awaitGrants(permits + 1).stop();
      print(test, load, recovery);
      assertThat(outcomes.allowed(0)).isBetween(permits + 1, 2 * permits);
      assertThat(outcomes.allowed(1)).isBetween(permits + 1, 2 * permits);
    }
  }

  @Test
  void storeRecoversFromAServerPausedForSeconds(TestInfo test) {
    try (RedisServer redis = RedisServer.start();
        RedisStore store = store(redis);
        Load load = Load.on(store, Load.claims(3, MANY))) {
      redis.pause();
      try {
        load.runFor(Duration.ofSeconds(Effort.of(1, 3))).awaitFailure("UNKNOWN ");
      } finally {
        redis.resume();
      }
      assertRecovers(test, load);
      assertExactCharges(redis, load);
    }
  }

  @Test
  void flushedScriptsAreReloadedWithoutFailures(TestInfo test) {
    try (RedisServer redis = RedisServer.start();
        RedisStore store = store(redis);
        Load load = Load.on(store, Load.claims(3, MANY))) {
      for (int i = 0; i < 10; i++) {
        redis.command("SCRIPT", "FLUSH");
        load.runFor(Duration.ofMillis(50));
      }
      assertRecovers(test, load);
      assertThat(redis.info("errorstats", "errorstat_NOSCRIPT")).startsWith("count=");
      assertThat(load.outcomes().failures())
          .noneSatisfy((failure, times) -> assertThat(failure).contains("NOSCRIPT"));
      assertExactCharges(redis, load);
    }
  }

  @Test
  void storeRecoversFromConnectionResets(TestInfo test) {
    try (RedisServer redis = RedisServer.start();
        FaultProxy proxy = FaultProxy.before(redis.port());
        RedisStore store = store(proxy);
        Load load = Load.on(store, Load.claims(3, MANY))) {
      for (int i = 0; i < 5; i++) {
        proxy.reset();
        load.awaitRecovery(Load.RECOVERY);
      }
      assertRecovers(test, load);
      assertThat(load.outcomes().failed()).isPositive();
      assertExactCharges(redis, load);
    }
  }

  @Test
  void slowRepliesFailRequestsButKeepTheConnection(TestInfo test) {
    try (RedisServer redis = RedisServer.start();
        FaultProxy proxy = FaultProxy.before(redis.port());
        RedisStore store = store("redis://127.0.0.1:" + proxy.port() + "?deadline=20ms");
        Load load = Load.on(store, Load.claims(3, MANY))) {
      proxy.latency(Duration.ofMillis(200)); // more than on a busy machine
      load.runFor(Duration.ofSeconds(Effort.of(1, 2))).awaitFailure("UNKNOWN ");
      assertThat(proxy.connections()).as("slow is not unresponsive").isEqualTo(1);
      proxy.latency(Duration.ZERO);
      assertRecovers(test, load);
      assertExactCharges(redis, load);
    }
  }

  @Test
  void unresponsiveConnectionIsReplaced(TestInfo test) {
    try (RedisServer redis = RedisServer.start();
        FaultProxy proxy = FaultProxy.before(redis.port());
        RedisStore store = store(proxy);
        Load load = Load.on(store, Load.claims(3, MANY))) {
      proxy.blackhole(true);
      load.awaitFailure("not connected");
      proxy.blackhole(false);
      assertRecovers(test, load);
      assertExactCharges(redis, load);
    }
  }

  @Test
  void fullMemoryFailsWritesButNotDenials(TestInfo test) {
    Claim spent = Claim.of(Limit.fixedWindow(1, Load.WINDOW), new LimitKey(7, 7));
    try (RedisServer redis = RedisServer.start("maxmemory-policy noeviction");
        RedisStore patient = auditor(redis);
        RedisStore store = store(redis);
        Load load = Load.on(store, Load.claims(3, MANY))) {
      assertThat(patient.take(spent).join().allowed()).isTrue();
      redis.command("CONFIG", "SET", "maxmemory", "1000");
      load.awaitFailure("NONE Redis refused: OOM");
      assertThat(patient.take(spent).join().allowed()).as("a denial writes nothing").isFalse();
      redis.command("CONFIG", "SET", "maxmemory", "0");
      assertRecovers(test, load);
      assertExactCharges(redis, load);
    }
  }

  @Test
  void replicaRejectsWritesUntilItIsPromoted(TestInfo test) {
    try (RedisServer redis = RedisServer.start();
        RedisServer master = RedisServer.start();
        RedisStore store = store(redis);
        Load load = Load.on(store, Load.claims(3, MANY))) {
      master.kill(); // so that the replica keeps its data
      redis.command("REPLICAOF", "127.0.0.1", Integer.toString(master.port()));
      load.awaitFailure("NONE Redis refused: READONLY");
      redis.command("REPLICAOF", "NO", "ONE");
      assertRecovers(test, load);
      assertExactCharges(redis, load);
    }
  }

  @Test
  void loadingAfterARestartHasNoEffect(TestInfo test) throws Exception {
    try (RedisServer redis = RedisServer.start("rdbcompression no", "key-load-delay 200");
        RedisStore patient = auditor(redis);
        RedisStore store = store(redis);
        Load load = Load.on(store, Load.claims(3, MANY))) {
      redis.command(
          "EVAL", "for i = 1, 5000 do redis.call('SET', 'x' .. i, ('y'):rep(10000)) end", "0");
      redis.command("SAVE");
      Set<String> failures = new TreeSet<>();
      CompletableFuture<Void> back = CompletableFuture.runAsync(redis::restart);
      while (!back.isDone()) {
        try {
          patient.peek(Load.claims(1, MANY)).join();
        } catch (StoreFailure e) {
          failures.add(e.effect() + " " + e.getMessage());
        }
        Thread.sleep(1);
      }
      back.join();
      assertRecovers(test, load);
      assertThat(failures).anyMatch(failure -> failure.startsWith("NONE Redis refused: LOADING"));
      load.assertNoDoubleCharge(patient); // what came after the snapshot is lost
    }
  }

  @Test
  void storeRecoversWhenPermissionsReturn(TestInfo test) {
    try (RedisServer redis = RedisServer.start("user ann on >secret ~* +@all");
        RedisStore store = store("redis://ann:secret@127.0.0.1:" + redis.port() + Load.DEADLINE);
        Load load = Load.on(store, Load.claims(3, MANY))) {
      redis.command("ACL", "SETUSER", "ann", "-evalsha");
      load.awaitFailure("NONE Redis refused: NOPERM");
      redis.command("ACL", "SETUSER", "ann", "+evalsha");
      assertRecovers(test, load);
      assertExactCharges(redis, load);
    }
  }

  @Test
  void requestsBeyondTheQueueFailAtOnce() {
    try (RedisServer redis = RedisServer.start();
        RedisStore store = store(redis.url() + "?queue=10&deadline=10s")) {
      List<Claim> claims = Load.claims(1, MANY);
      redis.pause();
      try {
        List<PendingRequest> all =
            IntStream.range(0, 100).mapToObj(i -> (PendingRequest) store.take(claims)).toList();
        List<PendingRequest> rejected = all.stream().filter(PendingRequest::isDone).toList();
        assertThat(rejected).as("one is in flight and ten wait").hasSize(100 - 11);
        assertThat(rejected)
            .allSatisfy(
                one ->
                    assertThatThrownBy(one::join)
                        .isInstanceOfSatisfying(
                            StoreFailure.class,
                            failure -> assertThat(failure.effect()).isEqualTo(Effect.NONE))
                        .hasMessage("too many requests wait for Redis: 10"));
      } finally {
        redis.resume();
      }
    }
  }

  @Test
  void closingUnderLoadAnswersEveryRequest() {
    try (RedisServer redis = RedisServer.start();
        RedisStore auditor = auditor(redis)) {
      RedisStore store = store(redis);
      try (Load load = Load.on(store, Load.claims(3, MANY))) {
        store.close();
        load.awaitFailure("the store is closed").stop();
        load.assertExactCharges(auditor);
      }
    }
  }
}
