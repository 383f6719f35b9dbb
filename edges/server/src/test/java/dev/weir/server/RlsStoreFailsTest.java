package dev.weir.server;

import static dev.weir.rules.domain.TestDomains.at;
import static dev.weir.server.RlsClient.about;
import static dev.weir.server.RlsClient.codes;
import static dev.weir.server.RlsClient.costing;
import static dev.weir.server.RlsClient.refunding;
import static dev.weir.server.RlsClient.remaining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.redis.RedisStore;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.rule.FailureMode;
import dev.weir.rules.domain.DomainBook;
import dev.weir.rules.domain.TestDomains;
import dev.weir.rules.domain.Unit;
import dev.weir.server.settings.ServerSettings;
import dev.weir.testkit.Effort;
import dev.weir.testkit.redis.RedisServer;
import io.envoyproxy.envoy.config.core.v3.HeaderValue;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each rule decides by its failure mode while the store does not answer. */
class RlsStoreFailsTest {
  private static final Code OK = Code.OK;
  private static final Code OVER = Code.OVER_LIMIT;
  private static final Limit TWO = Limit.fixedWindow(2, Duration.ofDays(1));

  private static final DomainBook DOMAINS =
      TestDomains.book(
          "shop",
          at("allow").per(2, Unit.DAY),
          at("deny").per(2, Unit.DAY).whenStoreFails(FailureMode.DENY),
          at("local").per(2, Unit.DAY).whenStoreFails(FailureMode.LOCAL),
          at("dark").per(2, Unit.DAY).whenStoreFails(FailureMode.DENY).shadow(),
          at("strict-allow").strict(TWO),
          at("strict-deny").strict(TWO).whenStoreFails(FailureMode.DENY),
          at("strict-local").strict(TWO).whenStoreFails(FailureMode.LOCAL));

  private interface Case {
    void run(RlsClient client);
  }

  private static void withoutStore(Case test) {
    FaultyStore store = new FaultyStore();
    store.gone = true;
    try (TestServer served =
            TestServer.with(RlsContract.NO_RULES, ServerSettings.DEFAULT, store, DOMAINS);
        RlsClient client = new RlsClient(served.server.grpcPort())) {
      test.run(client);
    }
  }

  @Test
  void eachRuleAppliesItsFailureMode() {
    withoutStore(
        client -> {
          assertThat(codes(client.ask(costing(9, "allow", "a"), costing(9, "strict-allow", "a"))))
              .containsExactly(OK, OK, OK);
          assertThat(codes(client.ask(about("allow", "a"), about("deny", "a"))))
              .containsExactly(OVER, OK, OVER);
          assertThat(codes(client.ask(about("strict-allow", "a"), about("strict-deny", "a"))))
              .containsExactly(OVER, OK, OVER);
          assertThat(codes(client.ask(about("dark", "a")))).containsExactly(OK, OK);
        });
  }

  @Test
  void degradedAnswersAreMarked() {
    withoutStore(
        client -> {
          assertThat(degraded(client.ask(about("allow", "m")))).containsExactly("allow");
          assertThat(degraded(client.ask(about("local", "m")))).containsExactly("local");
          assertThat(degraded(client.ask(about("strict-local", "m"), about("allow", "m"))))
              .containsExactly("local");
          assertThat(degraded(client.ask(about("local", "m"), about("deny", "m"))))
              .containsExactly("deny");
          assertThat(degraded(client.ask(about("dark", "m")))).containsExactly("allow");
          assertThat(degraded(client.ask(about("unknown", "m")))).isEmpty();
        });
  }

  private static List<String> degraded(RateLimitResponse answer) {
    return answer.getResponseHeadersToAddList().stream()
        .filter(header -> header.getKey().equals("weir-degraded"))
        .map(HeaderValue::getValue)
        .toList();
  }

  @Test
  void localCountingEnforcesTheSameLimits() {
    withoutStore(
        client -> {
          for (String key : new String[] {"local", "strict-local"}) {
            assertThat(remaining(client.ask(about(key, "a")))).containsExactly(1);
            assertThat(codes(client.ask(about(key, "a")))).containsExactly(OK, OK);
            assertThat(codes(client.ask(about(key, "a")))).containsExactly(OVER, OVER);
          }
          assertThat(remaining(client.ask(refunding(2, "local", "a")))).containsExactly(1);
        });
  }

  @Test
  void deniedRequestChargesNothingLocally() {
    withoutStore(
        client -> {
          client.ask(about("strict-deny", "a"), about("strict-local", "a"));
          assertThat(remaining(client.ask(about("strict-local", "a")))).containsExactly(1);
        });
  }

  @Test
  void refundsAreMirroredToTheFallback() {
    FaultyStore store = new FaultyStore();
    try (TestServer served =
            TestServer.with(RlsContract.NO_RULES, ServerSettings.DEFAULT, store, DOMAINS);
        RlsClient client = new RlsClient(served.server.grpcPort())) {
      for (String limit : List.of("local", "strict-local")) {
        store.gone = false;
        client.ask(costing(2, limit, "r"));
        client.ask(refunding(1, limit, "r"));
        store.gone = true;
        assertThat(codes(client.ask(about(limit, "r")))).as(limit).containsExactly(OK, OK);
        assertThat(codes(client.ask(about(limit, "r")))).as(limit).containsExactly(OVER, OVER);
      }
    }
  }

  @Test
  void peeksAndRefundsPass() {
    withoutStore(
        client ->
            assertThat(
                    codes(
                        client.ask(
                            costing(0, "deny", "a"),
                            refunding(1, "deny", "a"),
                            about("allow", "a"))))
                .containsExactly(OK, OK, OK, OK));
  }

  @Test
  void answersArriveInTimeWhileRedisHangsAndAfterwards() {
    try (RedisServer redis = RedisServer.start();
        RedisStore store =
            RedisStore.connect(
                RedisSettings.parse(redis.url() + "?deadline=" + Effort.of(500, 50) + "ms"));
        TestServer served =
            TestServer.with(RlsContract.NO_RULES, ServerSettings.DEFAULT, store, DOMAINS);
        RlsClient client = new RlsClient(served.server.grpcPort())) {
      client.ask(about("allow", "a"), about("strict-deny", "a"), costing(0, "allow", "a"));
      redis.pause();
      try {
        long start = System.nanoTime();
        assertThat(
                codes(
                    client.ask(
                        about("allow", "a"), about("strict-deny", "a"), costing(0, "local", "a"))))
            .containsExactly(OVER, OK, OVER, OK);
        // One deadline for all calls, not one after the other; the rest is for a busy machine.
        if (Effort.isThorough()) {
          assertThat(System.nanoTime() - start).isLessThan(Duration.ofSeconds(1).toNanos());
        }
      } finally {
        redis.resume();
      }
      for (int i = 0; i < 100 && remaining(client.ask(costing(0, "deny", "z"))).get(0) != 2; i++) {
        Thread.onSpinWait();
      }
      assertThat(codes(client.ask(about("strict-deny", "z")))).containsExactly(OK, OK);
    }
  }
}
