package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.gateway.HoldingUpstream.Held;
import dev.weir.gateway.HoldingUpstream.Offered;
import dev.weir.testkit.redis.Await;
import dev.weir.testkit.redis.RedisServer;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two gateways that share a Redis. */
@Timeout(300)
class SharedLimitTest {
  private static final int LIMIT = 20;
  private static final int CONCURRENT = 4;
  private static final String RULES =
      """
      rules:
        - {name: turns, match: {path: /turns}, limit: 20/day, algorithm: fixed-window}
        - {name: crowd, match: {path: /crowd}, limit: 20/day, algorithm: token-bucket}
        - {name: flight, match: {path: /flight}, concurrent: 4, expires: 1 hour}
        - {name: open, match: {path: /open}, limit: 20/day, algorithm: fixed-window, when-store-fails: allow}
        - {name: shut, match: {path: /shut}, limit: 20/day, algorithm: fixed-window, when-store-fails: deny}
        - {name: here, match: {path: /here}, limit: 20/day, algorithm: fixed-window, when-store-fails: local}
      """;

  private final RedisServer redis = RedisServer.start();
  private final RedisCounters firstCounters = RedisCounters.at(redis.port());
  private final RedisCounters secondCounters = RedisCounters.at(redis.port());
  private final ScriptedUpstream upstream = ScriptedUpstream.friendly();
  private List<TestGateway> both = List.of();

  @BeforeEach
  void start() {
    both =
        List.of(
            TestGateway.on(firstCounters, RULES, upstream.url()),
            TestGateway.on(secondCounters, RULES, upstream.url()));
  }

  @AfterEach
  void stop() throws Exception {
    both.forEach(TestGateway::close);
    firstCounters.close();
    secondCounters.close();
    upstream.close();
    redis.close();
  }

  private TestGateway gateway(int turn) {
    return both.get(turn % both.size());
  }

  private int passed(String path, int requests, int otherwise) {
    int passed = 0;
    for (int i = 0; i < requests; i++) {
      int status = gateway(i).get(path).statusCode();
      assertThat(status).isIn(200, otherwise);
      passed += status == 200 ? 1 : 0;
    }
    return passed;
  }

  @Test
  void requestsInTurnPassUpToTheLimitAndNoFurther() {
    for (int i = 0; i < 2 * LIMIT; i++) {
      assertThat(gateway(i).get("/turns").statusCode()).isEqualTo(i < LIMIT ? 200 : 429);
    }
    assertThat(upstream.received).as("what reached the upstream").hasSize(LIMIT);
  }

  @Test
  void requestsAtOncePassUpToTheLimitAndNoFurther() {
    List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
    for (int i = 0; i < 5 * LIMIT; i++) {
      TestGateway gateway = gateway(i);
      all.add(gateway.client.sendAsync(gateway.request("/crowd").build(), BodyHandlers.ofString()));
    }
    assertThat(all.stream().filter(one -> one.join().statusCode() == 200)).hasSize(LIMIT);
    assertThat(upstream.received).as("what reached the upstream").hasSize(LIMIT);
  }

  @Test
  void permitsInFlightAreOneNumber() throws Exception {
    try (HoldingUpstream holding = new HoldingUpstream();
        TestGateway one = TestGateway.on(firstCounters, RULES, holding.url());
        TestGateway two = TestGateway.on(secondCounters, RULES, holding.url())) {
      Deque<Held> held = new ArrayDeque<>();
      for (int i = 0; i < CONCURRENT; i++) {
        TestGateway gateway = i % 2 == 0 ? one : two;
        held.add(holding.offer(gateway, gateway.request("/flight")).held().orElseThrow());
      }
      assertThat(holding.offer(one, one.request("/flight")).status()).isEqualTo(429);
      assertThat(holding.offer(two, two.request("/flight")).status()).isEqualTo(429);
      assertThat(held.remove().finish().statusCode()).isEqualTo(200); // it was with the first
      Await.until(
          "the second gets the permit of the first",
          Duration.ofSeconds(60),
          () -> {
            Offered offered = offer(holding, two);
            offered.held().ifPresent(held::add);
            return offered.isHeld();
          });
      assertThat(holding.offer(one, one.request("/flight")).status()).isEqualTo(429);
      for (Held last : held) {
        assertThat(last.finish().statusCode()).isEqualTo(200);
      }
    }
  }

  private static Offered offer(HoldingUpstream holding, TestGateway gateway) {
    try {
      return holding.offer(gateway, gateway.request("/flight"));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void rulesGoOnByTheirModesWithoutRedis() {
    Await.until("both know of each other", Duration.ofSeconds(60), () -> servers(2));
    assertThat(passed("/open", 2, 429)).isEqualTo(2);
    redis.kill();
    assertThat(passed("/open", 3 * LIMIT, 429)).as("allow").isEqualTo(3 * LIMIT);
    assertThat(passed("/shut", LIMIT, 503)).as("deny").isZero();
    assertThat(passed("/here", 3 * LIMIT, 429)).as("local, half of it each").isEqualTo(LIMIT);
    redis.restart();
    Await.until("Redis is used again", Duration.ofMinutes(2), () -> passed("/shut", 2, 503) == 2);
    assertThat(passed("/turns", 2 * LIMIT, 429)).isEqualTo(LIMIT);
  }

  private boolean servers(int number) {
    return both.stream().allMatch(one -> one.metrics().contains("\nweir_servers " + number));
  }
}
