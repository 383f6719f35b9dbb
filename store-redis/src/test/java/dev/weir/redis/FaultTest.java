package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
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
 * What becomes of callers when one server fails under them: everybody is answered, nothing is
 * charged twice, and the same store goes on when Redis is back. A thorough build also judges that
 * answers come by the deadline.
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

  private static void tell(TestInfo test, Load load, Object after) {
    System.out.printf("%s: back after %s; %s%n", test.getDisplayName(), after, load);
  }

  /** It goes on by itself, and meanwhile everybody was answered in time. */
  private static void endsWell(TestInfo test, Load load) {
    Duration after = load.recovered(Load.RECOVERY);
    load.stop();
    tell(test, load, after);
  }

  private static void assertBooks(RedisServer redis, Load load) {
    try (RedisStore auditor = auditor(redis)) {
      load.assertBooks(auditor);
    }
  }

  @Test
  void killedAndRestartedWithALogOnDiskItForgetsNothing(TestInfo test) {
    try (RedisServer redis = RedisServer.start("appendonly yes", "appendfsync no");
        RedisStore store = store(redis);
        Load load = Load.on(store, Load.claims(3, MANY))) {
      load.runFor(Duration.ofMillis(500));
      redis.kill();
      load.awaitFailure("not connected");
      redis.restart();
      endsWell(test, load);
      assertBooks(redis, load);
    }
  }

  @Test
  void killedAndRestartedWithoutADiskItForgetsAllAndGrantsAtMostTheLimitAgain(TestInfo test) {
    long permits = 400;
    try (RedisServer redis = RedisServer.start();
        RedisStore store = store(redis);
        Load load = Load.on(store, Load.claims(2, permits))) {
      load.awaitDenials();
      assertThat(load.allowed()).isBetween(2 * permits - load.unknown(), 2 * permits);
      redis.restart();
      Duration after = load.recovered(Load.RECOVERY);
      load.awaitGrants(permits + 1).stop();
      tell(test, load, after);
      assertThat(load.allowed(0)).isBetween(permits + 1, 2 * permits);
      assertThat(load.allowed(1)).isBetween(permits + 1, 2 * permits);
    }
  }

  @Test
  void stoppedForSeconds(TestInfo test) {
    try (RedisServer redis = RedisServer.start();
        RedisStore store = store(redis);
        Load load = Load.on(store, Load.claims(3, MANY))) {
      redis.pause();
      try {
        load.runFor(Duration.ofSeconds(Effort.of(1, 3))).awaitFailure("UNKNOWN ");
      } finally {
        redis.resume();
      }
      endsWell(test, load);
      assertBooks(redis, load);
    }
  }

  @Test
  void scriptsFlushed(TestInfo test) {
    try (RedisServer redis = RedisServer.start();
        RedisStore store = store(redis);
        Load load = Load.on(store, Load.claims(3, MANY))) {
      for (int i = 0; i < 10; i++) {
        redis.command("SCRIPT", "FLUSH");
        load.runFor(Duration.ofMillis(50));
      }
      endsWell(test, load);
      assertThat(redis.info("errorstats", "errorstat_NOSCRIPT")).startsWith("count=");
      assertThat(load.failures()).noneSatisfy((why, times) -> assertThat(why).contains("NOSCRIPT"));
      assertBooks(redis, load);
    }
  }

  @Test
  void connectionsReset(TestInfo test) {
    try (RedisServer redis = RedisServer.start();
        FaultProxy proxy = FaultProxy.before(redis.port());
        RedisStore store = store(proxy);
        Load load = Load.on(store, Load.claims(3, MANY))) {
      for (int i = 0; i < 5; i++) {
        proxy.reset();
        load.recovered(Load.RECOVERY);
      }
      endsWell(test, load);
      assertThat(load.failed()).isPositive();
      assertBooks(redis, load);
    }
  }

  @Test
  void twoHundredMillisecondsFarAway(TestInfo test) {
    try (RedisServer redis = RedisServer.start();
        FaultProxy proxy = FaultProxy.before(redis.port());
        RedisStore store = store("redis://127.0.0.1:" + proxy.port() + "?deadline=20ms");
        Load load = Load.on(store, Load.claims(3, MANY))) {
      proxy.latency(Duration.ofMillis(200)); // more than a busy machine has
      load.runFor(Duration.ofSeconds(Effort.of(1, 2))).awaitFailure("UNKNOWN ");
      assertThat(proxy.connections()).as("slow is not gone").isEqualTo(1);
      proxy.latency(Duration.ZERO);
      endsWell(test, load);
      assertBooks(redis, load);
    }
  }

  @Test
  void aSilentConnectionIsGivenUp(TestInfo test) {
    try (RedisServer redis = RedisServer.start();
        FaultProxy proxy = FaultProxy.before(redis.port());
        RedisStore store = store(proxy);
        Load load = Load.on(store, Load.claims(3, MANY))) {
      proxy.blackhole(true);
      load.awaitFailure("not connected");
      proxy.blackhole(false);
      endsWell(test, load);
      assertBooks(redis, load);
    }
  }

  @Test
  void memoryFull(TestInfo test) {
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
      endsWell(test, load);
      assertBooks(redis, load);
    }
  }

  @Test
  void aReplicaAnswers(TestInfo test) {
    try (RedisServer redis = RedisServer.start();
        RedisServer nobody = RedisServer.start();
        RedisStore store = store(redis);
        Load load = Load.on(store, Load.claims(3, MANY))) {
      nobody.kill(); // a master that is away, so that the replica keeps what it has
      redis.command("REPLICAOF", "127.0.0.1", Integer.toString(nobody.port()));
      load.awaitFailure("NONE Redis refused: READONLY");
      redis.command("REPLICAOF", "NO", "ONE");
      endsWell(test, load);
      assertBooks(redis, load);
    }
  }

  @Test
  void loadingAfterARestart(TestInfo test) throws Exception {
    try (RedisServer redis = RedisServer.start("rdbcompression no", "key-load-delay 200");
        RedisStore patient = auditor(redis);
        RedisStore store = store(redis);
        Load load = Load.on(store, Load.claims(3, MANY))) {
      redis.command(
          "EVAL", "for i = 1, 5000 do redis.call('SET', 'x' .. i, ('y'):rep(10000)) end", "0");
      redis.command("SAVE");
      Set<String> told = new TreeSet<>();
      CompletableFuture<Void> back = CompletableFuture.runAsync(redis::restart);
      while (!back.isDone()) {
        try {
          patient.look(Load.claims(1, MANY)).join();
        } catch (StoreFailure e) {
          told.add(e.effect() + " " + e.getMessage());
        }
        Thread.sleep(1);
      }
      back.join();
      endsWell(test, load);
      assertThat(told).anyMatch(why -> why.startsWith("NONE Redis refused: LOADING"));
      load.assertNoDoubleCharge(patient); // what came after the snapshot is forgotten
    }
  }

  @Test
  void noPermissionAnyMore(TestInfo test) {
    try (RedisServer redis = RedisServer.start("user ann on >secret ~* +@all");
        RedisStore store = store("redis://ann:secret@127.0.0.1:" + redis.port() + Load.DEADLINE);
        Load load = Load.on(store, Load.claims(3, MANY))) {
      redis.command("ACL", "SETUSER", "ann", "-evalsha");
      load.awaitFailure("NONE Redis refused: NOPERM");
      redis.command("ACL", "SETUSER", "ann", "+evalsha");
      endsWell(test, load);
      assertBooks(redis, load);
    }
  }

  @Test
  void theQueueIsBounded() {
    try (RedisServer redis = RedisServer.start();
        RedisStore store = store(redis.url() + "?queue=10&deadline=10s")) {
      List<Claim> claims = Load.claims(1, MANY);
      redis.pause();
      try {
        List<Pending> all =
            IntStream.range(0, 100).mapToObj(i -> (Pending) store.take(claims)).toList();
        List<Pending> told = all.stream().filter(Pending::isDone).toList();
        assertThat(told).as("one is out and ten wait").hasSize(100 - 11);
        assertThat(told)
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
  void closedUnderLoadItAnswersEverybody() {
    try (RedisServer redis = RedisServer.start();
        RedisStore auditor = auditor(redis)) {
      RedisStore store = store(redis);
      try (Load load = Load.on(store, Load.claims(3, MANY))) {
        store.close();
        load.awaitFailure("the store is closed").stop();
        load.assertBooks(auditor);
      }
    }
  }
}
