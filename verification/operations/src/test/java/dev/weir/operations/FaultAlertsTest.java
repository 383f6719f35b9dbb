package dev.weir.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.testkit.Effort;
import dev.weir.testkit.Programs;
import dev.weir.testkit.redis.Await;
import dev.weir.testkit.redis.FaultProxy;
import dev.weir.testkit.redis.RedisErrorException;
import dev.weir.testkit.redis.RedisServer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each fault fires the alerts meant for it and no others, in a real Prometheus that scrapes real
 * servers under traffic. Each fault has a fleet of its own, which is a job, so that all happen at
 * once; one fleet has none.
 */
@Timeout(value = 400, threadMode = ThreadMode.SEPARATE_THREAD)
class FaultAlertsTest {
  private static final TimeScale SCALE = new TimeScale(20);

  /** A busy machine may take long to start processes, and then to notice. */
  private static final Duration LIMIT = Duration.ofMinutes(2);

  /** The longest time of an alert and the longest window of one that has such a time. */
  private static final Duration SETTLED =
      SCALE.scaled(Duration.ofMinutes(10).plus(Duration.ofMinutes(5)));

  /** These judge how fast the machine is, so only a thorough build may see them. */
  private static final Set<String> OF_SPEED = Set.of("WeirLatencyHigh", "WeirRlsLatencyHigh");

  private static final String RULES =
      """
      identity: {user: header X-User}
      lint-ignore: [forgeable-key]
      rules:
        - {name: per-user, per: user, limit: 1000000/hour, algorithm: fixed-window}
      """;

  private static final Map<String, Set<String>> EXPECTED =
      Map.of(
          "healthy", Set.of(),
          "store-killed", Set.of("WeirStoreDown"),
          "one-server-cut-off", Set.of("WeirBreakerOpen"),
          "redis-full", Set.of("WeirRedisMemoryHigh", "WeirStoreDown"),
          "reload-refused", Set.of("WeirRulesRefused"),
          "key-flood", Set.of("WeirKeysNearlyFull", "WeirKeysOverflow"));

  @TempDir private Path folder = Path.of("");

  private final List<AutoCloseable> started = new ArrayList<>();
  private final Map<String, List<WeirProcess>> fleets = new LinkedHashMap<>();

  @AfterEach
  void stop() throws Exception {
    for (int i = started.size() - 1; i >= 0; i--) {
      started.get(i).close();
    }
  }

  private <T extends AutoCloseable> T closing(T one) {
    started.add(one);
    return one;
  }

  /** Starts a server of a fleet. */
  private void start(String job, String... flags) throws IOException {
    List<WeirProcess> fleet = fleets.computeIfAbsent(job, name -> new ArrayList<>());
    String name = job + "-" + fleet.size();
    Path rules = Files.writeString(folder.resolve(job + ".yaml"), RULES);
    List<String> all = new ArrayList<>(List.of("--rules", rules.toString()));
    all.addAll(List.of(flags));
    fleet.add(
        closing(WeirProcess.start(folder.resolve(name + ".log"), all.toArray(String[]::new))));
  }

  /** Starts a server of a fleet that shares a Redis. */
  private void start(String job, int expectedServers, int redisPort) throws IOException {
    String url = "redis://127.0.0.1:" + redisPort;
    start(job, "--store", url, "--expected-servers", String.valueOf(expectedServers));
  }

  private String traffic(String job) {
    return Objects.requireNonNull(fleets.get(job)).get(0).traffic();
  }

  @Test
  void everyFaultFiresTheAlertsMeantForItAndNoOthers() throws Exception {
    Programs.require("prometheus");
    RedisServer sound = closing(RedisServer.start());
    RedisServer killed = closing(RedisServer.start());
    RedisServer full = closing(RedisServer.start("maxmemory 32mb", "maxmemory-policy noeviction"));
    FaultProxy proxy = closing(FaultProxy.before(sound.port()));
    start("healthy", 1, closing(RedisServer.start()).port());
    start("store-killed", 1, killed.port());
    start("one-server-cut-off", 2, proxy.port());
    start("one-server-cut-off", 2, sound.port());
    start("redis-full", 1, full.port());
    start("reload-refused");
    start("key-flood", "--max-keys", "1000");
    fleets.values().forEach(fleet -> fleet.forEach(WeirProcess::awaitReady));

    Traffic traffic = closing(new Traffic());
    AtomicInteger user = new AtomicInteger();
    traffic.add(
        () ->
            fleets.values().stream()
                .flatMap(List::stream)
                .forEach(
                    one ->
                        traffic.check(one.traffic(), "/", "user-" + user.incrementAndGet() % 20)));
    Map<String, List<String>> targets = new TreeMap<>();
    fleets.forEach(
        (job, fleet) -> targets.put(job, fleet.stream().map(WeirProcess::admin).toList()));
    PrometheusServer prometheus = closing(PrometheusServer.start(folder, SCALE, targets));
    Await.until(
        "several scrapes of every server",
        LIMIT,
        () -> prometheus.query("count_over_time(weir_rules[1m]) > 8").size() == 7);
    assertThat(fired(prometheus)).as("before the faults").isEmpty();

    killed.kill();
    proxy.refuse(true);
    proxy.reset();
    Files.writeString(folder.resolve("reload-refused.yaml"), "rules: [{name: broken, limit: 5}]");
    fill(full);
    AtomicLong unique = new AtomicLong();
    String flooded = traffic("key-flood");
    traffic.add(
        () -> {
          for (int i = 0; i < 20; i++) {
            traffic.check(flooded, "/", "unique-" + unique.incrementAndGet());
          }
        });
    Instant faults = Instant.now();
    awaitFiring(prometheus);
    Await.until(
        "time for others to fire", LIMIT, () -> prometheus.hasEvaluatedAfter(faults.plus(SETTLED)));
    assertThat(fired(prometheus)).isEqualTo(expected());
    assertThat(firing(prometheus)).as("still").isEqualTo(expected());
    for (JsonObject alert : prometheus.alerts()) {
      assertThat(alert.getJsonObject("annotations").encode())
          .doesNotContain("{{", "<no value>", "error expanding")
          .contains("docs/runbook.md#");
    }
    fleets.values().stream()
        .flatMap(List::stream)
        .forEach(one -> assertThat(traffic.answers(one.traffic())).isGreaterThan(100));
  }

  private static void awaitFiring(PrometheusServer prometheus) {
    try {
      Await.until("all alerts", LIMIT, () -> firing(prometheus).equals(expected()));
    } catch (IllegalStateException e) {
      assertThat(firing(prometheus)).isEqualTo(expected());
    }
  }

  /**
   * Writes values of 3 MB, by small commands, until Redis refuses. It accepts each as long as it is
   * not full, so the last one exceeds the maximum, and no counter finds room behind it.
   */
  private static void fill(RedisServer redis) {
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 100; i++) {
                redis.command("SETRANGE", "filler-" + i, "3000000", "x");
              }
            })
        .isInstanceOf(RedisErrorException.class)
        .hasMessageContaining("OOM");
    assertThat(Long.parseLong(redis.info("memory", "used_memory")))
        .isGreaterThan(Long.parseLong(redis.info("memory", "maxmemory")) + (100 << 10));
  }

  private static Map<String, Set<String>> expected() {
    Map<String, Set<String>> expected = new TreeMap<>();
    EXPECTED.forEach(
        (job, alerts) -> {
          if (!alerts.isEmpty()) {
            expected.put(job, new TreeSet<>(alerts));
          }
        });
    return expected;
  }

  /** The alerts that fire now, by job. */
  private static Map<String, Set<String>> firing(PrometheusServer prometheus) {
    return byJob(prometheus, "ALERTS{alertstate=\"firing\"}");
  }

  /** The alerts that have fired at any time, by job. */
  private static Map<String, Set<String>> fired(PrometheusServer prometheus) {
    return byJob(prometheus, "last_over_time(ALERTS{alertstate=\"firing\"}[1h])");
  }

  private static Map<String, Set<String>> byJob(PrometheusServer prometheus, String expression) {
    Map<String, Set<String>> alerts = new TreeMap<>();
    for (JsonObject series : prometheus.query(expression)) {
      JsonObject labels = series.getJsonObject("metric");
      String name = labels.getString("alertname");
      if (Effort.isThorough() || !OF_SPEED.contains(name)) {
        alerts.computeIfAbsent(labels.getString("job"), job -> new TreeSet<>()).add(name);
      }
    }
    return alerts;
  }
}
