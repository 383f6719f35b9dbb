package dev.weir.redis.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.Operation;
import dev.weir.key.KeySpace;
import dev.weir.redis.RedisStore;
import dev.weir.redis.batch.PendingRequest;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.testkit.Seeds;
import dev.weir.testkit.model.RandomLimits;
import dev.weir.testkit.redis.Binaries;
import dev.weir.testkit.redis.RedisServer;
import dev.weir.testkit.redis.RespConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The keys that the scripts leave in Redis, and their handling of foreign values. */
@ParameterizedClass
@EnumSource(Binaries.class)
@Timeout(300)
class ScriptHygieneTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final HexFormat HEX = HexFormat.ofDelimiter(" ");

  private final KeySpace keys = KeySpace.random();
  private final RedisServer redis;
  private final RedisStore store;

  ScriptHygieneTest(Binaries binary) {
    redis = RedisServer.start(binary.get());
    store = RedisStore.connect(RedisSettings.parse(redis.url() + "?deadline=5s"));
  }

  @AfterEach
  void stop() {
    store.close();
    redis.close();
  }

  private static Limit limit(Algorithm algorithm) {
    return switch (algorithm) {
      case TOKEN_BUCKET -> Limit.tokenBucket(5, HOUR);
      case LEAKY_BUCKET -> Limit.leakyBucket(5, HOUR, 4);
      case FIXED_WINDOW -> Limit.fixedWindow(5, Duration.ofDays(1_000));
      case SLIDING_LOG -> Limit.slidingLog(5, HOUR);
      case SLIDING_COUNTER -> Limit.slidingCounter(5, Duration.ofDays(1_000));
      case CONCURRENCY -> Limit.concurrent(5, HOUR);
    };
  }

  private Claim claim(Algorithm algorithm, String name, long cost) {
    long holder = algorithm == Algorithm.CONCURRENCY ? cost + 1 : 0;
    return new Claim(limit(algorithm), keys.key(name), cost, holder);
  }

  private List<String> names() {
    return redis.list("KEYS", "*").stream().map(String::valueOf).toList();
  }

  @Test
  void everyKeyHasATimeToLive() {
    Seeds.run(
        random -> {
          RandomLimits limits = new RandomLimits(random);
          List<PendingRequest> pending = new ArrayList<>();
          for (int i = 0; i < 5_000; i++) {
            Algorithm[] algorithms = Algorithm.values();
            Limit limit = limits.next(algorithms[random.nextInt(algorithms.length)]);
            long holder = limit.algorithm() == Algorithm.CONCURRENCY ? 1 + i : 0;
            LimitKey key = keys.key("k" + random.nextInt(500));
            long cost = 1 + random.nextLong(limit.capacity());
            Claim claim = new Claim(limit, key, cost, holder);
            Operation[] operations = Operation.values();
            Operation operation = operations[random.nextInt(operations.length)];
            pending.add((PendingRequest) store.apply(operation, List.of(claim)));
          }
          pending.forEach(PendingRequest::join);
          List<String> names = names();
          assertThat(names).hasSizeGreaterThan(100).allMatch(name -> name.startsWith("w:{"));
          try (RespConnection connection = redis.connect()) {
            assertThat(names)
                .allSatisfy(name -> assertThat(connection.command("PTTL", name)).isNotEqualTo(-1L));
          }
        });
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void keyExpiresASecondOrTwoAfterItsCounterIsAsIfNeverUsed(Algorithm algorithm) {
    for (int i = 0; i < 5; i++) { // more than one within a second
      Decision taken = store.take(claim(algorithm, "caller", 1)).join();
      long left = redis.number("PTTL", names().get(0));
      long due = taken.resetAfter().toMillis() + 1_000;
      assertThat(left).isBetween(due - 1_000, due + 1_001);
    }
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void denialsAndPeeksDoNotWrite(Algorithm algorithm) {
    redis.command("CONFIG", "RESETSTAT"); // the startup check writes a counter
    store.take(claim(algorithm, "caller", 5)).join();
    store.take(claim(algorithm, "roomy", 1)).join();
    assertThat(calls("psetex")).isEqualTo(2);
    redis.command("CONFIG", "RESETSTAT");
    List<Claim> denied =
        List.of(claim(algorithm, "roomy", 1), claim(algorithm, "new", 1), exhausted(algorithm));
    assertThat(store.take(denied).join().allowed()).isFalse();
    assertThat(store.peek(denied).join().allowed()).isFalse();
    assertThat(store.peek(List.of(claim(algorithm, "roomy", 1))).join().allowed()).isTrue();
    assertThat(store.peek(List.of(claim(algorithm, "new", 1))).join().allowed()).isTrue();
    assertThat(store.take(claim(algorithm, "roomy", 6)).join().allowed()).isFalse();
    assertThat(calls("mget")).isEqualTo(5);
    for (String write : List.of("psetex", "set", "del", "pexpire", "expire", "unlink")) {
      assertThat(calls(write)).as(write).isZero();
    }
    assertThat(names()).hasSize(2);
  }

  /** A claim of another holder on the exhausted counter. */
  private Claim exhausted(Algorithm algorithm) {
    long holder = algorithm == Algorithm.CONCURRENCY ? 77 : 0;
    return new Claim(limit(algorithm), keys.key("caller"), 1, holder);
  }

  private long calls(String command) {
    String prefix = "cmdstat_" + command + ":calls=";
    return redis
        .text("INFO", "commandstats")
        .lines()
        .filter(line -> line.startsWith(prefix))
        .mapToLong(line -> Long.parseLong(line.substring(prefix.length(), line.indexOf(','))))
        .sum();
  }

  @ParameterizedTest
  @EnumSource(names = {"FIXED_WINDOW", "TOKEN_BUCKET"}) // one for each script
  void flushedScriptIsSentAgain(Algorithm algorithm) {
    Claim claim = claim(algorithm, "caller", 1);
    store.take(claim).join();
    for (int i = 0; i < 3; i++) {
      redis.command("SCRIPT", "FLUSH");
      assertThat(store.take(claim).join().remaining()).isEqualTo(3 - i);
    }
  }

  @Test
  void largeConcurrentRequestsAreAllAnswered() {
    List<PendingRequest> pending = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      String name = "request " + i + " key ";
      List<Claim> claims =
          IntStream.range(0, Claim.MAX_CLAIMS)
              .mapToObj(each -> claim(Algorithm.TOKEN_BUCKET, name + each, 1))
              .toList();
      pending.add((PendingRequest) store.take(claims));
    }
    assertThat(pending).allMatch(request -> request.join().allowed());
  }

  @Test
  void bucketFromTheFarFutureIsAsIfNeverUsed() {
    store.take(claim(Algorithm.TOKEN_BUCKET, "caller", 1)).join();
    String name = names().get(0);
    String state = redis.text("GET", name);
    try (RespConnection connection = redis.connect()) {
      String head = state.substring(0, state.length() - 16);
      connection.command(
          "SET", name, head + ForeignValues.packed(0x1p53) + ForeignValues.packed(1));
    }
    Decision taken = store.take(claim(Algorithm.TOKEN_BUCKET, "caller", 1)).join();
    assertThat(taken.remaining()).isEqualTo(4);
    assertThat(redis.number("PTTL", name)).isBetween(1L, taken.resetAfter().toMillis() + 2_001);
  }

  @Test
  void foreignValueInAKeyDoesNotBreakOtherRequests() {
    Seeds.run(
        random -> {
          for (Algorithm algorithm : Algorithm.values()) {
            store.take(claim(algorithm, "victim " + algorithm, 1)).join();
            store.take(claim(algorithm, "victim " + algorithm, 2)).join();
          }
          List<String> states = names().stream().map(name -> redis.text("GET", name)).toList();
          redis.command("FLUSHALL");
          try (RespConnection connection = redis.connect()) {
            ForeignValues.of(random, states).forEach(state -> assertHarmless(connection, state));
          }
        });
  }

  private void assertHarmless(RespConnection connection, String state) {
    List<String> names = new ArrayList<>();
    for (Algorithm algorithm : Algorithm.values()) {
      LimitKey key = keys.key("victim " + algorithm);
      String name = new String(new RedisKeys("w:").name(key), StandardCharsets.ISO_8859_1);
      connection.command("SET", name, state);
      names.add(name);
    }
    List<PendingRequest> victims = new ArrayList<>();
    List<PendingRequest> others = new ArrayList<>();
    for (Algorithm algorithm : Algorithm.values()) {
      victims.add((PendingRequest) store.take(claim(algorithm, "victim " + algorithm, 4)));
      others.add((PendingRequest) store.take(claim(algorithm, "other", 0)));
      victims.add(
          (PendingRequest) store.refund(List.of(claim(algorithm, "victim " + algorithm, 4))));
    }
    String shown = "state " + HEX.formatHex(state.getBytes(StandardCharsets.ISO_8859_1));
    assertThat(others).as(shown).allMatch(request -> request.join().allowed());
    assertThat(victims).as(shown).allMatch(request -> request.join() != null);
    connection.command(Stream.concat(Stream.of("DEL"), names.stream()).toArray(String[]::new));
  }

  @Test
  void keyOfAnotherTypeIsAsIfNeverUsed() {
    for (Algorithm algorithm : Algorithm.values()) {
      LimitKey key = keys.key("caller " + algorithm);
      String name = new String(new RedisKeys("w:").name(key), StandardCharsets.ISO_8859_1);
      redis.command("HSET", name, "field", "value");
      assertThat(store.peek(List.of(claim(algorithm, "caller " + algorithm, 1))).join().remaining())
          .isEqualTo(5);
      assertThat(store.take(claim(algorithm, "caller " + algorithm, 2)).join().remaining())
          .isEqualTo(3);
      assertThat(redis.text("TYPE", name)).isEqualTo("string");
    }
  }
}
