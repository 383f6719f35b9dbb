package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.async.Continuations;
import dev.weir.key.KeySpace;
import dev.weir.redis.RedisStore;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.server.settings.ServerSettings;
import dev.weir.testkit.redis.Await;
import dev.weir.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two servers on one Redis count a candidate together, on counters of its own. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class CandidateFleetTest {
  private static final String RULES =
      """
      identity: {key: header X-Key}
      rules:
        - {name: each, per: key, limit: 2000/month, algorithm: fixed-window, candidate: 30/month}
      lint-ignore: forgeable-key
      """;
  private static final String IN_FORCE =
      RULES.replace("30/month", "{limit: 30/month, rollout: 100%}");
  private static final Duration LONG = Duration.ofSeconds(60);

  private static int passed(List<TestServer> fleet, int requests) {
    int passed = 0;
    for (int i = 0; i < requests; i++) {
      TestServer served = fleet.get(i % fleet.size());
      passed += served.get("/v1/check/", "X-Key", "acme").statusCode() == 200 ? 1 : 0;
    }
    return passed;
  }

  private static double judged(List<TestServer> fleet, String agreement) {
    double sum = 0;
    for (TestServer served : fleet) {
      sum +=
          new PrometheusText(served.admin("GET", "/metrics", "").body())
              .value("weir_candidate_decisions_total", "rule", "each", "agreement", agreement);
    }
    return sum;
  }

  @Test
  void fleetJudgesByOneCandidateAndDeniesNobodyUntilItIsInForce() {
    KeySpace keys = KeySpace.random();
    try (RedisServer redis = RedisServer.start();
        RedisStore one = connect(redis);
        RedisStore two = connect(redis)) {
      try (TestServer first = serve(RULES, one, redis, keys);
          TestServer second = serve(RULES, two, redis, keys)) {
        List<TestServer> fleet = List.of(first, second);
        assertThat(passed(fleet, 50)).isEqualTo(50);
        Await.until("all judged", LONG, () -> judged(fleet, "candidate-denies") == 20);
        assertThat(judged(fleet, "both-allow")).isEqualTo(30);
      }
      try (TestServer first = serve(IN_FORCE, one, redis, keys);
          TestServer second = serve(IN_FORCE, two, redis, keys)) {
        List<TestServer> fleet = List.of(first, second);
        assertThat(passed(fleet, 6)).as("what was judged is spent").isZero();
        Await.until("all judged", LONG, () -> judged(fleet, "candidate-denies") == 6);
      }
    }
  }

  private static TestServer serve(
      String rules, RedisStore store, RedisServer redis, KeySpace keys) {
    return TestServer.on(rules, ServerSettings.DEFAULT, store, redis.url(), keys);
  }

  private static RedisStore connect(RedisServer redis) {
    return RedisStore.connect(RedisSettings.parse(redis.url()), Continuations.DIRECT);
  }
}
