package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.async.Continuations;
import dev.weir.redis.connection.RedisDriver;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.shared.fleet.FleetTable;
import dev.weir.shared.fleet.FleetTable.Entry;
import dev.weir.shared.fleet.FleetTable.Page;
import dev.weir.testkit.redis.Await;
import dev.weir.testkit.redis.Binaries;
import dev.weir.testkit.redis.FaultProxy;
import dev.weir.testkit.redis.RedisCluster;
import dev.weir.testkit.redis.RedisServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A table in Redis when Redis loses data, is full, or does not answer. */
@ParameterizedClass
@EnumSource(Binaries.class)
@Timeout(300)
class FleetTableTest {
  private static final String VALUES = "w:{fleet}:table:actions";
  private static final String EXPIRIES = "w:{fleet}:table:actions:expiries";
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final RedisServer redis;
  private final RedisStore store;
  private final FleetTable table;

  FleetTableTest(Binaries binary) {
    redis = RedisServer.start(binary.get());
    store = RedisStore.connect(RedisSettings.parse(redis.url() + "?deadline=5s"));
    table = store.tables().table("actions");
  }

  @AfterEach
  void stop() {
    store.close();
    redis.close();
  }

  private static Page join(CompletionStage<Page> page) {
    return page.toCompletableFuture().join();
  }

  private Page put(String name) {
    return join(table.put(name, name.getBytes(StandardCharsets.UTF_8), HOUR));
  }

  private static List<String> names(Page page) {
    return page.entries().orElseThrow().stream().map(Entry::name).toList();
  }

  private static Optional<Page> attempt(CompletionStage<Page> page, Set<String> failures) {
    try {
      return Optional.of(join(page));
    } catch (CompletionException e) {
      assertThat(e).hasCauseInstanceOf(StoreFailure.class);
      failures.add(String.valueOf(StoreFailure.cause(e).getMessage()));
      return Optional.empty();
    }
  }

  private Page readAfterRestart() {
    Page[] read = new Page[1];
    Await.until(
        "an answer",
        PATIENCE,
        () -> {
          Optional<Page> page = attempt(table.read("none"), new HashSet<>());
          page.ifPresent(one -> read[0] = one);
          return page.isPresent();
        });
    return read[0];
  }

  @Test
  void dataLossIsAnotherVersionAndTheTableBeginsAnew() {
    String version = put("a").version();
    redis.command("FLUSHALL");
    Page lost = join(table.read(version));
    assertThat(lost).isEqualTo(new Page(FleetTable.NO_VERSION, Optional.of(List.of())));
    Page begun = put("b");
    assertThat(begun.version()).isNotIn(version, FleetTable.NO_VERSION);
    assertThat(names(begun)).containsExactly("b");
    redis.restart();
    assertThat(readAfterRestart()).isEqualTo(lost);
  }

  /** Redis may evict either key. */
  @Test
  void lossOfOneKeyIsLossOfTheTable() {
    for (String key : List.of(VALUES, EXPIRIES)) {
      String version = put("a").version();
      redis.command("DEL", key);
      assertThat(join(table.read(version)).version()).as(key).isEqualTo(FleetTable.NO_VERSION);
      assertThat(names(put("b"))).as(key).containsExactly("b");
      assertThat(names(join(table.read("")))).as(key).containsExactly("b");
    }
    put("c");
    redis.command("HDEL", VALUES, "b");
    assertThat(names(join(table.read("none")))).isEmpty();
    redis.command("ZREM", EXPIRIES, "c");
    assertThat(names(join(table.remove(List.of("b"))))).isEmpty();
    assertThat(names(put("d"))).containsExactly("d");
  }

  @Test
  void bothKeysExpireAfterEveryEntry() {
    put("a");
    for (String key : List.of(VALUES, EXPIRIES)) {
      assertThat(redis.number("PTTL", key))
          .as(key)
          .isBetween(Duration.ofDays(29).toMillis(), Duration.ofDays(30).toMillis());
    }
    assertThat(redis.list("KEYS", "*")).hasSize(2);
    join(table.read(""));
    join(table.remove(List.of("a")));
    assertThat(redis.list("KEYS", "*")).hasSize(1);
    assertThat(redis.number("EXISTS", VALUES)).isEqualTo(1);
  }

  @Test
  void expiredEntriesAreDeletedByTheNextChange() {
    join(table.put("brief", new byte[9], Duration.ofMillis(1)));
    Await.until("expiry", PATIENCE, () -> names(join(table.read("none"))).isEmpty());
    put("a");
    assertThat(redis.number("HLEN", VALUES)).isEqualTo(3);
    assertThat(redis.number("ZCARD", EXPIRIES)).isEqualTo(1);
    assertThat(redis.text("HGET", VALUES, "\u0001bytes")).isEqualTo("1");
  }

  @Test
  void entryAddedBeforeTheClockWasSetBackLastsNoLongerThanTheMaximum() {
    put("a");
    long inAYear = System.currentTimeMillis() + Duration.ofDays(365).toMillis();
    redis.command("ZADD", EXPIRIES, "" + inAYear, "a");
    assertThat(join(table.read("none")).entries().orElseThrow().get(0).lasting())
        .isEqualTo(FleetTable.MAX_LASTING);
  }

  @Test
  void flushedScriptIsSentAgain() {
    for (int i = 0; i < 3; i++) {
      redis.command("SCRIPT", "FLUSH");
      assertThat(names(put("a"))).containsExactly("a");
    }
    assertThat(redis.info("errorstats", "errorstat_NOSCRIPT")).isEqualTo("count=3");
  }

  /** Operators act most when something is wrong. */
  @Test
  void fullRedisStillTakesEntries() {
    redis.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
    redis.command("CONFIG", "SET", "maxmemory", "1000");
    assertThatThrownBy(() -> redis.command("SET", "key", "value")).hasMessageContaining("OOM");
    assertThat(names(put("a"))).containsExactly("a");
    assertThat(names(put("b"))).containsExactly("a", "b");
    assertThat(names(join(table.remove(List.of("a"))))).containsExactly("b");
    redis.command("DEL", VALUES);
    assertThat(names(put("c"))).containsExactly("c");
  }

  @Test
  void foreignValueFailsTheCallAndNothingElse() {
    redis.command("SET", VALUES, "foreign value");
    Set<String> failures = new HashSet<>();
    assertThat(attempt(table.read(""), failures)).isEmpty();
    assertThat(failures).hasSize(1);
    assertThat(failures.iterator().next()).contains("WRONGTYPE");
  }

  @Test
  void silenceAndDeathFailTheCallInTime() {
    try (FaultProxy proxy = FaultProxy.before(redis.port());
        RedisStore behind =
            RedisStore.connect(RedisSettings.parse("redis://127.0.0.1:" + proxy.port()))) {
      FleetTable slow = behind.tables().table("actions");
      Await.until("an answer", PATIENCE, () -> attempt(slow.read(""), new HashSet<>()).isPresent());
      proxy.blackhole(true);
      assertThatThrownBy(() -> join(slow.put("a", new byte[1], HOUR)))
          .cause()
          .isInstanceOfSatisfying(
              StoreFailure.class, failure -> assertThat(failure.effect()).isEqualTo(Effect.UNKNOWN))
          .hasMessageContaining("did not answer in time");
    }
    redis.kill();
    Set<String> failures = new HashSet<>();
    Await.until(
        "no connection",
        PATIENCE,
        () ->
            attempt(table.read(""), failures).isEmpty()
                && failures.stream().anyMatch(one -> one.contains("not connected to Redis")));
  }

  @Test
  void tableOfAServerThatHasNotJoinedFailsAtOnceAndThenWorks() throws Exception {
    redis.kill();
    try (SharedRedis shared =
        SharedRedis.open(
            RedisSettings.parse(redis.url() + "?deadline=5s"),
            RedisDriver.own(),
            null,
            Continuations.shared())) {
      FleetTable late = shared.tables().table("actions");
      Set<String> failures = new HashSet<>();
      assertThat(attempt(late.put("a", new byte[1], HOUR), failures)).isEmpty();
      assertThat(attempt(late.remove(List.of("a")), failures)).isEmpty();
      assertThat(failures).allMatch(one -> one.startsWith("not connected to Redis"));
      redis.restart();
      Await.until("joined", PATIENCE, () -> attempt(late.read(""), failures).isPresent());
      assertThat(names(join(late.put("a", new byte[1], HOUR)))).containsExactly("a");
    }
  }

  @Test
  void prefixesSeparateFleets() {
    String url = redis.url() + "?deadline=5s&prefix=test:";
    try (RedisStore separate = RedisStore.connect(RedisSettings.parse(url))) {
      put("a");
      assertThat(names(join(separate.tables().table("actions").read("none")))).isEmpty();
    }
  }

  @Test
  void tableMigratesWithItsSlotAndSurvivesAFailover() {
    try (RedisCluster cluster = RedisCluster.start();
        RedisStore clustered =
            RedisStore.connect(
                RedisSettings.parse(
                    "redis-cluster://127.0.0.1:"
                        + cluster.nodes().get(0).port()
                        + "?deadline=5s"))) {
      FleetTable shared = clustered.tables().table("actions");
      String version = join(shared.put("a", new byte[1], HOUR)).version();
      int slot = cluster.slotOf(VALUES);
      assertThat(cluster.slotOf(EXPIRIES)).isEqualTo(slot);
      RedisServer from = cluster.masterOf(slot);
      RedisServer to =
          cluster.nodes().subList(0, 3).stream()
              .filter(node -> node != from)
              .findFirst()
              .orElseThrow();
      cluster.migrate(slot, to).finish();
      assertThat(join(shared.read(version)).entries()).as("unchanged").isEmpty();
      cluster.switchover(slot);
      Await.until(
          "the new master",
          PATIENCE,
          () ->
              attempt(shared.read("none"), new HashSet<>())
                  .filter(
                      page -> page.version().equals(version) && names(page).equals(List.of("a")))
                  .isPresent());
    }
  }
}
