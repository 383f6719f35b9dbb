package dev.weir.redis;

import static dev.weir.redis.RosterCalls.LONG;
import static dev.weir.redis.RosterCalls.announce;
import static dev.weir.redis.RosterCalls.announceUntilSuccess;
import static dev.weir.redis.RosterCalls.leave;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.redis.connection.RedisSettings;
import dev.weir.shared.fleet.Roster.Roll;
import dev.weir.testkit.Seeds;
import dev.weir.testkit.redis.Await;
import dev.weir.testkit.redis.Binaries;
import dev.weir.testkit.redis.RedisServer;
import dev.weir.testkit.redis.RespConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that share a Redis learn of each other, and of a loss of its data. */
@ParameterizedClass
@EnumSource(Binaries.class)
@Timeout(300)
class RosterTest {
  private static final String SERVERS = "w:{fleet}:servers";
  private static final String MEMORY = "w:{fleet}:memory";

  private final RedisServer redis;
  private final RedisStore store;
  private final RedisStore other;

  RosterTest(Binaries binary) {
    redis = RedisServer.start(binary.get());
    store = connect();
    other = connect();
  }

  private RedisStore connect() {
    return RedisStore.connect(RedisSettings.parse(redis.url() + "?deadline=5s"));
  }

  @AfterEach
  void stop() {
    store.close();
    other.close();
    redis.close();
  }

  @Test
  void serversSeeEachOtherInTheSameOrder() {
    assertThat(announce(store, "b", Duration.ofMinutes(1)).servers()).containsExactly("b");
    Roll roll = announce(other, "a", LONG);
    assertThat(roll.servers()).containsExactly("a", "b");
    assertThat(announce(store, "b", Duration.ofMinutes(2))).isEqualTo(roll);
    assertThat(roll.memory()).hasSize(36);
  }

  @Test
  void namesAreInByteOrderWhateverTheLocale() {
    for (String server : List.of("b", "a", "B", "~", " ", "a 1", "_", "10", "9")) {
      announce(store, server);
    }
    assertThat(announce(other, "A").servers())
        .containsExactly(" ", "10", "9", "A", "B", "_", "a", "a 1", "b", "~");
  }

  @Test
  void leavingServerIsRemoved() {
    announce(store, "a");
    announce(other, "b");
    leave(store, "a");
    leave(store, "unknown");
    assertThat(announce(other, "b").servers()).containsExactly("b");
    leave(other, "b");
    assertThat(redis.number("EXISTS", SERVERS)).isZero();
    assertThat(announce(store, "a").servers()).containsExactly("a");
  }

  @Test
  void serverExpiresWithoutRenewal() {
    Duration brief = Duration.ofMillis(300);
    long start = System.nanoTime();
    announce(store, "expiring", brief);
    announce(store, "lasting", LONG);
    Await.until(
        "only servers that are renewed",
        Duration.ofSeconds(60),
        () -> announce(other, "busy", brief).servers().equals(List.of("busy", "lasting")));
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .as("not before its time")
        .isGreaterThanOrEqualTo(brief.minusMillis(5)); // clocks tick differently
  }

  @Test
  void renewedServerStays() {
    announce(store, "a", Duration.ofMillis(1));
    announce(store, "a", LONG);
    announce(other, "b", Duration.ofMillis(1));
    Await.until(
        "b has expired and a has not",
        Duration.ofSeconds(60),
        () -> announce(other, "c").servers().equals(List.of("a", "c")));
  }

  @Test
  void serverAddedBeforeTheClockWasSetBackIsRemoved() {
    long inADay = System.currentTimeMillis() + Duration.ofDays(1).toMillis();
    redis.command("ZADD", SERVERS, "" + inADay, "dead", "" + inADay, "alive");
    assertThat(announce(store, "alive").servers()).containsExactly("alive");
    assertThat(announce(other, "b").servers()).containsExactly("alive", "b");
  }

  @Test
  void memoryIsSharedAndSurvivesReconnects() {
    String memory = announce(store, "a").memory();
    assertThat(announce(other, "b").memory()).isEqualTo(memory);
    redis.command("CLIENT", "KILL", "TYPE", "normal");
    assertThat(announceUntilSuccess(store, "a").memory()).isEqualTo(memory);
    assertThat(announceUntilSuccess(other, "b").memory()).isEqualTo(memory);
    leave(store, "a");
    leave(other, "b");
    try (RedisStore third = connect()) {
      assertThat(announce(third, "c").memory()).isEqualTo(memory);
    }
  }

  @Test
  void dataLossChangesTheMemory() {
    List<String> memories = new ArrayList<>();
    memories.add(announce(store, "a").memory());
    for (int i = 0; i < 3; i++) {
      redis.command("FLUSHALL");
      memories.add(announce(store, "a").memory());
      assertThat(announce(other, "b").memory()).isEqualTo(memories.get(memories.size() - 1));
    }
    redis.restart();
    Roll after = announceUntilSuccess(store, "a");
    memories.add(after.memory());
    assertThat(after.servers()).containsExactly("a");
    assertThat(announceUntilSuccess(other, "b"))
        .isEqualTo(new Roll(List.of("a", "b"), after.memory()));
    assertThat(memories).doesNotHaveDuplicates();
  }

  @Test
  void flushedScriptIsSentAgain() {
    for (int i = 0; i < 3; i++) {
      redis.command("SCRIPT", "FLUSH");
      assertThat(announce(store, "a").servers()).containsExactly("a");
    }
    assertThat(redis.info("errorstats", "errorstat_NOSCRIPT")).isEqualTo("count=3");
  }

  /** Decisions fail then, and the local fallback needs the roster. */
  @Test
  void fullRedisStillUpdatesTheRoster() {
    Roll roll = announce(store, "a");
    redis.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
    redis.command("CONFIG", "SET", "maxmemory", "1000");
    assertThatThrownBy(() -> redis.command("SET", "key", "value")).hasMessageContaining("OOM");
    assertThat(announce(other, "b")).isEqualTo(new Roll(List.of("a", "b"), roll.memory()));
    assertThat(announce(store, "a").servers()).containsExactly("a", "b");
  }

  @Test
  void bothKeysOutliveAnyServerAndExpire() {
    long min = Duration.ofDays(29).toMillis();
    long max = Duration.ofDays(30).toMillis();
    for (int i = 0; i < 2; i++) {
      announce(store, "a", Duration.ofMillis(1));
      for (String key : List.of(SERVERS, MEMORY)) {
        assertThat(redis.number("PTTL", key)).as(key).isBetween(min, max);
        redis.command("PEXPIRE", key, "100000"); // the next announcement extends it
      }
    }
    assertThat(redis.list("KEYS", "*")).hasSize(2);
  }

  @Test
  void prefixesSeparateFleets() {
    String url = redis.url() + "?deadline=5s&prefix=test:";
    try (RedisStore separate = RedisStore.connect(RedisSettings.parse(url))) {
      announce(store, "a");
      assertThat(announce(separate, "b").servers()).containsExactly("b");
      assertThat(redis.number("EXISTS", "test:{fleet}:servers", "test:{fleet}:memory"))
          .isEqualTo(2);
    }
  }

  @Test
  void thousandServersAreListed() {
    Seeds.run(
        random -> {
          List<String> names =
              IntStream.range(0, 1_000).mapToObj(i -> "server-%04d".formatted(i)).toList();
          List<String> shuffled = new ArrayList<>(names);
          Collections.shuffle(shuffled, new Random(random.nextLong()));
          String last = shuffled.get(999);
          shuffled.forEach(name -> announce(store, name));
          assertThat(announce(other, last).servers()).isEqualTo(names);
        });
  }

  @Test
  void rosterKeepsTenThousandServersIncludingTheNewest() {
    long later = System.currentTimeMillis() + LONG.toMillis() / 2;
    List<String> command = new ArrayList<>(List.of("ZADD", SERVERS));
    for (int i = 0; i < RedisRoster.MAX_SERVERS + 5; i++) {
      command.addAll(List.of("" + (later + i), "server-" + i));
    }
    try (RespConnection connection = redis.connect()) {
      connection.command(command.toArray(String[]::new));
    }
    List<String> servers = announce(store, "x").servers();
    assertThat(servers).hasSize(RedisRoster.MAX_SERVERS).contains("x", "server-6", "server-10004");
    assertThat(servers).doesNotContain("server-0", "server-5");
    assertThat(redis.number("ZCARD", SERVERS)).isEqualTo(RedisRoster.MAX_SERVERS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a\n", "ä", "\u0000", "\u007f", "a\tb", "\ud83d\ude00"})
  void invalidNameIsRejected(String name) {
    for (Runnable call : List.<Runnable>of(() -> announce(store, name), () -> leave(store, name))) {
      assertThatThrownBy(call::run)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageMatching(
              "server: \"[ -~]*\" \\(expected: 1 to 200 printable ASCII characters\\)");
    }
    assertThat(redis.number("DBSIZE")).isZero();
  }

  @Test
  void nameHasAtMostTwoHundredCharacters() {
    assertThat(announce(store, "~".repeat(200)).servers()).containsExactly("~".repeat(200));
    assertThatThrownBy(() -> announce(store, "~".repeat(201)))
        .hasMessage("server: 201 characters (expected: 1 to 200 printable ASCII characters)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT0S", "PT-1S", "PT0.0009S", "PT1H0.001S", "PT2562047788015215H"})
  void durationOutsideAMillisecondToAnHourIsRejected(Duration lasting) {
    assertThatThrownBy(() -> announce(store, "a", lasting))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("lasting: " + lasting + " (expected: 1 ms to 1 hour)");
  }
}
