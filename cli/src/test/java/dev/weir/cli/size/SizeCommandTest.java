package dev.weir.cli.size;

import static dev.weir.cli.CommandRun.valueAt;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.CommandRun;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SizeCommandTest {
  @TempDir private Path directory = Path.of("");

  private static CommandRun size(String... args) {
    List<Object> line = new ArrayList<>(List.of("size"));
    line.addAll(List.of(args));
    return CommandRun.weir(line.toArray()).assertHarmless();
  }

  private static Object json(String... args) {
    List<String> line = new ArrayList<>(List.of(args));
    line.add("--json");
    CommandRun run = size(line.toArray(String[]::new));
    assertThat(run.err()).isEmpty();
    assertThat(run.exit()).isZero();
    return new JsonObject(run.out()).getMap();
  }

  @Test
  void allUsersAreLiveWithoutARateOfRequests() {
    Object plan = json("--users", "1000000", "--limit", "100/minute");
    assertThat(valueAt(plan, "limits", 0, "liveKeys")).isEqualTo("1000000");
    assertThat(valueAt(plan, "redis", "keys")).isEqualTo("1000000");
    // 32 of name, 48 of value, 2 entries of 32, and 16 bytes for each of 2^20 slots.
    assertThat(valueAt(plan, "limits", 0, "redisBytesPerKey", "all")).isEqualTo("160.8");
    assertThat(valueAt(plan, "redis", "bytes")).isEqualTo("160777216");
    assertThat(valueAt(plan, "leasesOff")).isEqualTo("null");
  }

  @Test
  void algorithmBelongsToTheLimitBesideIt() {
    Object plan =
        json(
            "--users",
            "5000",
            "--limit",
            "10/second",
            "--algorithm",
            "fixed-window",
            "--limit",
            "5/minute",
            "--algorithm",
            "sliding-log",
            "--limit",
            "100/hour",
            "--concurrent",
            "7");
    assertThat(valueAt(plan, "limits", 0, "algorithm")).isEqualTo("fixed-window");
    assertThat(valueAt(plan, "limits", 1, "algorithm")).isEqualTo("sliding-log");
    assertThat(valueAt(plan, "limits", 1, "entries")).isEqualTo("5");
    assertThat(valueAt(plan, "limits", 2, "algorithm")).isEqualTo("token-bucket");
    assertThat(valueAt(plan, "limits", 3, "algorithm")).isEqualTo("concurrency");
    assertThat(valueAt(plan, "redis", "keys")).isEqualTo("20000");
  }

  @Test
  void onlyCallersWithinTheTimeToLiveHaveKeys() {
    Object plan =
        json(
            "--users",
            "1000000",
            "--limit",
            "10/second",
            "--algorithm",
            "fixed-window",
            "--requests-per-second",
            "50000");
    // 150,000 requests in three seconds, some of which are of the same callers.
    assertThat(valueAt(plan, "limits", 0, "ttlSeconds")).isEqualTo("3.0");
    assertThat(Long.parseLong(valueAt(plan, "limits", 0, "liveKeys"))).isEqualTo(139_292);
  }

  @Test
  void smallerNodesAreMoreAndFormACluster() {
    String[] common = {"--users", "1000000", "--limit", "100/minute", "--redis-memory"};
    Object one = json(append(common, "1GiB"));
    Object more = json(append(common, "64MiB"));
    assertThat(valueAt(one, "redis", "nodes")).isEqualTo("1");
    assertThat(valueAt(one, "limits", 0, "redisBytesPerKey", "cluster")).isEqualTo("0");
    assertThat(valueAt(more, "limits", 0, "redisBytesPerKey", "cluster")).isEqualTo("16");
    long nodes = Long.parseLong(valueAt(more, "redis", "nodes"));
    double bytes = Double.parseDouble(valueAt(more, "redis", "bytes"));
    assertThat(bytes / nodes).isLessThan(0.75 * (64 << 20));
    assertThat(nodes).isBetween(4L, 6L);
  }

  private static String[] append(String[] words, String last) {
    List<String> all = new ArrayList<>(List.of(words));
    all.add(last);
    return all.toArray(String[]::new);
  }

  @Test
  void leasesSpareCallsOfBusyCallersOnly() {
    Object busy =
        json("--users", "1", "--limit", "100000/second", "--requests-per-second", "80000");
    assertThat(Double.parseDouble(valueAt(busy, "leasesOn", "calls")))
        .isLessThan(Double.parseDouble(valueAt(busy, "leasesOff", "calls")) / 100);
    assertThat(valueAt(busy, "leasesOn", "permitsAboveLimit")).isEqualTo("5000");
    assertThat(valueAt(busy, "leasesOff", "permitsAboveLimit")).isEqualTo("0");
    CommandRun idle =
        size("--users", "1000000", "--limit", "100/minute", "--requests-per-second", "50000");
    assertThat(idle.out()).contains("leases save no calls here");
  }

  @Test
  void rulesTellAlgorithmsAndWhoIsCounted() throws Exception {
    Path rules = directory.resolve("rules.yaml");
    Files.writeString(
        rules,
        """
        rules:
          - name: site
            limit: 12000/second
            mode: leased
          - name: caller
            per: ip
            limit: [100/minute, 1000/hour]
          - name: login
            per: ip
            limit: 5/minute
            algorithm: sliding-log
          - name: roughly
            per: ip
            limit: 50/second
            mode: local
        """);
    Object plan = json(rules.toString(), "--users", "20000", "--callers", "login=500");
    assertThat(valueAt(plan, "limits", 0, "callers")).isEqualTo("1");
    assertThat(valueAt(plan, "limits", 0, "mode")).isEqualTo("leased");
    assertThat(valueAt(plan, "limits", 2, "callers")).isEqualTo("20000");
    assertThat(valueAt(plan, "limits", 3, "callers")).isEqualTo("500");
    assertThat(valueAt(plan, "limits", 4, "redisBytes")).isEqualTo("0");
    assertThat(valueAt(plan, "redis", "keys")).isEqualTo("40501");
    assertThat(size(rules.toString(), "--users", "5", "--callers", "logn=5").err())
        .contains("--callers: logn (expected: a rule: login; did you mean that?)\n");
  }

  @Test
  void refusedRulesAreReportedWithTheirPlace() throws Exception {
    Path rules = Files.writeString(directory.resolve("rules.yaml"), "rules: [{name: a}]\n");
    CommandRun run = size(rules.toString(), "--users", "5");
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.err()).contains("rules.yaml:1:9: ").hasLineCount(1);
  }

  @Test
  void exampleShowsThePublishedFiguresBesideOurs() {
    CommandRun run = size("--example");
    assertThat(run.exit()).isZero();
    assertThat(run.out()).contains("174 MB", "20.0 GB", "Capacity Planning for Redis");
    Object json = json("--example", "--redis", "6.2");
    assertThat(valueAt(json, "windows", "publishedBytes")).isEqualTo("174000000");
    assertThat(valueAt(json, "slidingLog", "publishedBytes")).isEqualTo("20000000000");
    // 3,000,000 keys in tables of 2^22 slots.
    long tables = 16L << 22;
    assertThat(Long.parseLong(valueAt(json, "windows", "redisBytes")))
        .isBetween(3_000_000L * 128 + tables, 3_000_000L * 136 + tables);
  }

  @Test
  void largestNumbersAreCountedWithoutOverflow() {
    Object plan =
        json(
            "--users",
            "10000000000",
            "--limit",
            "1000/day",
            "--algorithm",
            "sliding-log",
            "--concurrent",
            "10000",
            "--requests-per-second",
            "1000000000",
            "--redis-memory",
            "64MiB");
    assertThat(Double.parseDouble(valueAt(plan, "redis", "bytes"))).isBetween(1e14, 1e17);
    assertThat(Long.parseLong(valueAt(plan, "redis", "nodes"))).isPositive();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      textBlock =
          """
          --users 0 --limit 5/s                        ~ --users: 0 (expected: a whole number between 1 and 10000000000)
          --users=-3 --limit 5/s                       ~ --users: -3 (expected: a whole number
          --users NaN --limit 5/s                      ~ --users: NaN (expected: a whole number
          --users 1e6 --limit 5/s                      ~ --users: 1e6 (expected: a whole number
          --users 1000000000000000000 --limit 5/s      ~ --users: 1000000000000000000 (expected: a whole number
          --users 99999999999999999999 --limit 5/s     ~ --users: 99999999999999999999 (expected: a whole number
          --limit 5/s                                  ~ --users: nothing (expected: how many callers
          --users 5                                    ~ --limit: nothing (expected: a limit, such as 100/minute, or a rules file)
          --users 5 --limit 5/minuet                   ~ --limit: 5/minuet: unit: minuet (expected: minute; did you mean that?)
          --users 5 --limit 5                          ~ --limit: 5 (expected: also a window, such as 5/second or 5/minute)
          --users 5 --limit NaN/s                      ~ --limit: NaN/s (expected: permits per window
          --users 5 --limit 0/s                        ~ --limit: 0/s: permits: 0 (expected:
          --users 5 --limit 2000/s --algorithm sliding-log ~ --limit: 2000/s: permits: 2000 (expected: at most 1000 for a sliding log
          --users 5 --limit 5/s --algorithm fixed-windw ~ --algorithm: fixed-windw (expected: fixed-window; did you mean that?)
          --users 5 --concurrent 0                     ~ --concurrent: 0 (expected: a whole number between 1 and 10000)
          --users 5 --limit 5/s --requests-per-second 0 ~ --requests-per-second: 0 (expected: a whole number between 1 and 1000000000)
          --users 5 --limit 5/s --requests-per-second=-1 ~ --requests-per-second: -1 (expected: a whole number
          --users 5 --limit 5/s --servers 0            ~ --servers: 0 (expected: a whole number between 1 and 10000)
          --users 5 --limit 5/s --fill 0               ~ --fill: 0 (expected: a whole number between 1 and 100)
          --users 5 --limit 5/s --fill 101%            ~ --fill: 101 (expected: a whole number between 1 and 100)
          --users 5 --limit 5/s --redis 5.0            ~ --redis: 5.0 (expected: 6.2 or 7.0)
          --users 5 --limit 5/s --redis-memory 8       ~ --redis-memory: 8 (expected: a size between 64MiB and 64TiB, such as 8GiB)
          --users 5 --limit 5/s --redis-memory 0GiB    ~ --redis-memory: 0GiB (expected: a size
          --users 5 --limit 5/s --redis-memory 999999999TiB ~ --redis-memory: 999999999TiB (expected: a size
          --users 5 --limit 5/s --callers a=5          ~ --callers: a=5 (expected: a rules file, whose rule it names)
          --users 5 --example                          ~ --example: beside users and limits (expected: by itself, or with --redis)
          nowhere.yaml --users 5 --limit 5/s           ~ FILE|DIR: nowhere.yaml (expected: limits by flags or by rules, not both)
          """)
  void valuesThatMakeNoSenseAreRefused(String line, String message) {
    CommandRun run = size(line.strip().split(" +"));
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith("weir size: " + message.strip());
  }

  @ParameterizedTest
  @CsvSource({
    "login, login (expected: RULE=N",
    "login=0, login: 0 (expected:",
    "login=x, login: x ("
  })
  void callersOfRulesAreNumbers(String value, String message) {
    CommandRun run = size(CommandRun.SAMPLE.toString(), "--users", "5", "--callers", value);
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("--callers: " + message);
  }

  @Test
  void everyLineOfTextFitsATerminalOfHundredAndTwenty() {
    CommandRun run =
        size(
            CommandRun.SAMPLE.toString(),
            "--users",
            "1000000",
            "--requests-per-second",
            "20000",
            "--leases");
    assertThat(run.exit()).isZero();
    assertThat(run.out()).contains("Counters at peak", "leases on", "note: plan: every caller has");
    assertThat(run.out().lines()).allMatch(line -> line.length() <= 120);
  }
}
