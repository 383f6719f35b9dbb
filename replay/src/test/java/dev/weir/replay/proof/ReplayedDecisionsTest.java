package dev.weir.replay.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Store;
import dev.weir.memory.MemoryStore;
import dev.weir.redis.RedisStore;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.replay.NamedRules;
import dev.weir.replay.Replay;
import dev.weir.replay.ReplayListener;
import dev.weir.replay.ReplaySettings;
import dev.weir.replay.TestEntry;
import dev.weir.replay.TestLog;
import dev.weir.replay.log.LogEntry;
import dev.weir.replay.log.LogSource;
import dev.weir.replay.log.read.AccessLogs;
import dev.weir.replay.log.read.ReadOptions;
import dev.weir.replay.result.Spread;
import dev.weir.testkit.Effort;
import dev.weir.testkit.Seeds;
import dev.weir.testkit.redis.RedisServer;
import dev.weir.testkit.time.ManualTicker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log of Weir's own decisions replays to exactly those decisions, each one. */
class ReplayedDecisionsTest {
  private static final int REQUESTS = Effort.of("weir.replayed", 100_000, 1_000_000);

  /** Every algorithm denies some; permits are held; several rules apply to most requests. */
  private static final String RULES =
      """
      tiers:
        free: 40/minute
        known: [{limit: 5/second, burst: 20}, 400/hour]
      rules:
        - {name: site, limit: 150/second, burst: 60}
        - {name: bucket, per: ip, match: {path: [/, "/users/{id}"]}, limit: 4/second, burst: 12}
        - {name: leaky, per: ip, match: {path: /search}, limit: 2/second, algorithm: leaky-bucket, queue: 3}
        - {name: grid, per: ip, match: {path: /export}, limit: 30/minute, algorithm: fixed-window}
        - {name: day, per: ip, match: {path: /export}, limit: 100/day in Europe/Berlin}
        - {name: log, per: ip, match: {method: POST, path: /login}, limit: 5/10s, algorithm: sliding-log}
        - {name: about, per: [ip, path], limit: 30/10s, algorithm: sliding-counter}
        - {name: held, match: {path: "/users/{id}"}, per: ip, concurrent: 4, expires: 3s}
        - {name: several, per: ip, match: {path: /}, limit: [7/second, 1000/minute], cost: 2}
        - name: plan
          per: ip
          tier: {10.0.0.1: known, 10.0.0.2: known}
          default-tier: free
          match: {path: /plan}
        - {name: barred, per: ip, match: {path: /plan}, limit: 10/second, block: 10.0.0.9}
        - {name: trial, per: ip, limit: 1/second, shadow: true}
      lint-ignore: [needs-release, counted-twice]
      """;

  @TempDir private Path folder = Path.of("");

  @Test
  void decisionsOfTheEmbeddedStoreAreRepeated() throws Exception {
    Seeds.run(
        random -> {
          ManualTicker ticker = new ManualTicker(TestLog.START);
          assertRepeated(new MemoryStore(1_000_000, ticker), ticker, random);
        });
  }

  @Test
  void decisionsOfRedisAreRepeated() throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      Seeds.run(
          random -> {
            ManualTicker ticker = new ManualTicker(TestLog.START);
            RedisSettings settings = RedisSettings.parse(redis.url() + "?deadline=5s");
            try (RedisStore store = RedisStore.connect(settings, ticker)) {
              assertRepeated(store, ticker, random);
            }
          });
    }
  }

  private void assertRepeated(Store store, ManualTicker ticker, SplittableRandom random)
      throws IOException {
    NamedRules rules = TestLog.rules(RULES);
    Path file = folder.resolve("weir.json");
    String[] decisions = new String[REQUESTS];
    Map<String, Integer> denials = record(file, store, ticker, random, decisions);
    Comparison replayed = new Comparison(decisions);
    try (LogSource log = AccessLogs.open(List.of(file), ReadOptions.defaults())) {
      ReplaySettings settings = ReplaySettings.of(List.of("weir.json"));
      new Replay(rules, Optional.empty(), settings, replayed).run(log);
      assertThat(log.badLines().examples()).isEmpty();
    }
    assertThat(replayed.count).isEqualTo(REQUESTS);
    assertThat(replayed.different).isNull();
    assertThat(denials.keySet())
        .as("rules that deny")
        .contains("site", "bucket", "leaky", "grid", "day", "log", "about", "held", "several")
        .contains("plan", "barred");
  }

  /** Decides about random requests, and writes the log; returns how many each rule denied. */
  private static Map<String, Integer> record(
      Path file, Store store, ManualTicker ticker, SplittableRandom random, String[] decisions)
      throws IOException {
    RecordedServer server = new RecordedServer(TestLog.rules(RULES).rules(), store, ticker);
    Map<String, Integer> denials = new HashMap<>();
    long micros = TestLog.START;
    try (JsonLog log = new JsonLog(file)) {
      for (int i = 0; i < decisions.length; i++) {
        micros += pause(random);
        TestEntry request = request(random, micros);
        String deniedBy = server.decide(request, micros, request.durationMicros().getAsLong());
        decisions[i] = deniedBy == null ? "" : deniedBy;
        if (deniedBy != null) {
          denials.merge(deniedBy, 1, Integer::sum);
        }
        log.write(request, deniedBy);
      }
    }
    return denials;
  }

  /** Bursts in the same microsecond, a lively flow, and a lull now and then. */
  private static long pause(SplittableRandom random) {
    int kind = random.nextInt(100);
    if (kind < 60) {
      return random.nextInt(20);
    }
    return kind < 99 ? random.nextInt(12_000) : random.nextInt(400_000);
  }

  private static TestEntry request(SplittableRandom random, long micros) {
    double skewed = random.nextDouble();
    String peer = "10.0.0." + (int) (250 * skewed * skewed * skewed);
    String target =
        switch (random.nextInt(8)) {
          case 0 -> "/search?q=" + random.nextInt(10);
          case 1 -> "/export";
          case 2 -> "/login";
          case 3 -> "/plan";
          case 4, 5 -> "/users/" + random.nextInt(3);
          default -> "/";
        };
    String method = target.equals("/login") && random.nextInt(3) > 0 ? "POST" : "GET";
    return TestEntry.at(micros, method, target, peer).lasting(1 + random.nextInt(4_000_000));
  }

  /** Compares the decisions of a replay with those that were recorded, in order. */
  private static final class Comparison implements ReplayListener {
    private final String[] expected;
    private int count;
    private @Nullable String different;

    Comparison(String[] expected) {
      this.expected = expected;
    }

    @Override
    public void onDecision(LogEntry entry, Spread spread, @Nullable String deniedBy) {
      String actual = deniedBy == null ? "" : deniedBy;
      if (different == null && !actual.equals(expected[count])) {
        different = entry.line() + ": " + expected[count] + " was replayed as " + actual;
      }
      count++;
    }
  }
}
