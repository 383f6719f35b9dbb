package dev.weir.operations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.operations.Board.Query;
import dev.weir.testkit.Programs;
import dev.weir.testkit.redis.Await;
import dev.weir.testkit.redis.RedisServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every query of the board has a result in a real Prometheus that scrapes real servers: over HTTP
 * and for Envoy, on Redis and in process, with a change of the rules, and with an outage at the
 * end.
 *
 * <p>The queries are run as Grafana would send them, with the same API and with values for the
 * variables. What they look like there, this test cannot say: no Grafana is at hand for tests.
 */
@Timeout(value = 400, threadMode = ThreadMode.SEPARATE_THREAD)
class BoardQueriesTest {
  private static final TimeScale SCALE = new TimeScale(20);
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final String JOB = "weir";
  private static final Pattern LABEL_VALUES = Pattern.compile("label_values\\((.*), (\\w+)\\)");

  private static final String RULES =
      """
      identity: {user: header X-User}
      lint-ignore: [forgeable-key]
      rules:
        - {name: many, per: user, limit: 1000000/hour}
        - {name: few, per: user, match: {path: /few}, limit: 3/hour}
        - {name: dark, per: user, match: {path: /dark}, limit: 3/hour, shadow: true}
      """;

  private static final String DOMAIN =
      """
      domain: shop
      descriptors:
        - {key: user, rate_limit: {unit: hour, requests_per_unit: 3}}
        - {key: dark, shadow_mode: true, rate_limit: {unit: hour, requests_per_unit: 3}}
      """;

  private static final String DESCRIPTORS =
      """
      {"domain": "shop", "descriptors": [{"entries": [{"key": "%s", "value": "%s"}]}]}
      """;

  @TempDir private Path folder = Path.of("");

  private final Board board;
  private final Instant start = Instant.now();

  BoardQueriesTest() throws Exception {
    board = Board.read();
  }

  /** As Grafana substitutes variables: four scrapes for a rate, and all servers. */
  private static String substituted(String expression) {
    return expression
        .replace("$__rate_interval", TimeScale.text(SCALE.interval().multipliedBy(4)))
        .replace("$job", JOB)
        .replace("$instance", ".*");
  }

  private List<JsonObject> run(PrometheusServer prometheus, Query query) {
    String expression = substituted(query.expression());
    assertThat(expression).doesNotContain("$");
    if (query.instant()) {
      return prometheus.query(expression);
    }
    // What was an hour ago is asked an hour from now.
    Duration shift = expression.contains("offset 1h") ? HOUR : Duration.ZERO;
    return prometheus.query(
        expression, start.plus(shift), Instant.now().plus(shift), SCALE.interval());
  }

  /** Fails if Prometheus reports an error; returns the queries without a result. */
  private Set<String> empty(PrometheusServer prometheus) {
    Set<String> empty = new TreeSet<>();
    for (Query query : board.queries()) {
      if (run(prometheus, query).isEmpty()) {
        empty.add(query.where() + ": " + query.expression());
      }
    }
    return empty;
  }

  @Test
  void everyQueryOfTheBoardHasAResult() throws Exception {
    Programs.require("prometheus");
    Path rules = Files.createDirectory(folder.resolve("rules"));
    Files.writeString(rules.resolve("rules.yaml"), RULES);
    Files.writeString(rules.resolve("shop.yaml"), DOMAIN);
    try (RedisServer redis = RedisServer.start("maxmemory 64mb");
        WeirProcess shared =
            WeirProcess.start(
                folder.resolve("shared.log"),
                "--rules",
                rules.toString(),
                "--store",
                redis.url(),
                "--expected-servers",
                "1");
        WeirProcess alone =
            WeirProcess.start(folder.resolve("alone.log"), "--rules", rules.toString());
        Traffic traffic = new Traffic()) {
      shared.awaitReady();
      alone.awaitReady();
      AtomicInteger user = new AtomicInteger();
      for (WeirProcess server : List.of(shared, alone)) {
        traffic.add(() -> drive(traffic, server.traffic(), "user-" + user.incrementAndGet() % 5));
      }
      try (PrometheusServer prometheus =
          PrometheusServer.start(
              folder, SCALE, Map.of(JOB, List.of(shared.admin(), alone.admin())))) {
        Await.until(
            "the memory of Redis",
            LIMIT,
            () -> !prometheus.query("weir_store_memory_used_bytes").isEmpty());
        Files.writeString(rules.resolve("rules.yaml"), RULES + "# changed\n");
        Await.until(
            "a change of the rules",
            LIMIT,
            () ->
                !prometheus
                    .query("changes(weir_rules_loaded_timestamp_seconds[1m]) > 0")
                    .isEmpty());
        redis.kill();
        Await.until(
            "an alert", LIMIT, () -> !prometheus.query("ALERTS{alertstate='firing'}").isEmpty());
        try {
          Await.until("results", LIMIT, () -> empty(prometheus).isEmpty());
        } catch (IllegalStateException e) {
          assertThat(empty(prometheus)).isEmpty();
        }
        assertVariablesHaveValues(prometheus);
      }
    }
  }

  private static void drive(Traffic traffic, String address, String user) {
    for (String path : List.of("/", "/few", "/dark")) {
      traffic.check(address, path, user);
    }
    for (String key : List.of("user", "dark")) {
      traffic.post(address, "/json", DESCRIPTORS.formatted(key, user));
    }
  }

  private void assertVariablesHaveValues(PrometheusServer prometheus) {
    int queries = 0;
    for (JsonObject variable : board.variables()) {
      if (variable.getString("type").equals("query")) {
        queries++;
        Matcher asked = LABEL_VALUES.matcher(substituted(variable.getString("definition")));
        assertThat(asked.matches()).as(variable.getString("name")).isTrue();
        JsonArray values = prometheus.labelValues(asked.group(2), asked.group(1));
        assertThat(values).as(variable.getString("name")).isNotEmpty();
      }
    }
    assertThat(queries).isEqualTo(2);
  }
}
