package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.redis.Await;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Requests that give way: by priority while too many are in flight, and at a busy upstream. */
class SheddingTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final CountDownLatch release = new CountDownLatch(1);

  private ScriptedUpstream slow() {
    return ScriptedUpstream.that(
        (request, socket) -> {
          if (request.target().equals("/slow")) {
            release.await();
          }
          ScriptedUpstream.write(socket, ScriptedUpstream.ok("hello"));
        });
  }

  private List<CompletableFuture<HttpResponse<String>>> occupy(
      TestGateway gateway, ScriptedUpstream upstream, int requests) {
    List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
    for (int i = 0; i < requests; i++) {
      all.add(
          gateway.client.sendAsync(
              gateway.request("/slow").header("X-Vip", "1").build(),
              HttpResponse.BodyHandlers.ofString()));
    }
    Await.until("in flight", LIMIT, () -> upstream.received.size() == requests);
    return all;
  }

  private static int post(TestGateway gateway) {
    return gateway.send(gateway.request("/").POST(BodyPublishers.ofString("x"))).statusCode();
  }

  private static HttpResponse<String> test(TestGateway gateway) {
    return gateway.send(gateway.request("/").header("X-Test", "1"));
  }

  @Test
  void prioritiesGiveWayInOrder() throws IOException {
    String rules =
        """
        rules: [{name: all, limit: 1000000/second}]
        shedding:
          capacity: 10
          queue-delay: none
          priorities:
            - {match: {header: {X-Vip: "*"}}, priority: 0}
            - {match: {header: {X-Test: "*"}}, priority: 3}
        """;
    try (ScriptedUpstream upstream = slow();
        TestGateway gateway = TestGateway.to(rules, upstream.url())) {
      assertThat(test(gateway).statusCode()).isEqualTo(200);
      upstream.received.clear();
      List<CompletableFuture<HttpResponse<String>>> seven = occupy(gateway, upstream, 7);
      HttpResponse<String> shed = test(gateway);
      assertThat(shed.statusCode()).isEqualTo(503);
      assertThat(shed.headers().firstValueAsLong("Retry-After").orElse(0)).isPositive();
      assertThat(shed.body()).contains("#temporary-reduced-capacity");
      assertThat(gateway.get("/").statusCode()).as("GET at 70 %").isEqualTo(200);
      upstream.received.clear();
      List<CompletableFuture<HttpResponse<String>>> more = occupy(gateway, upstream, 1);
      assertThat(gateway.get("/").statusCode()).as("GET at 80 %").isEqualTo(503);
      assertThat(post(gateway)).as("POST at 80 %").isEqualTo(200);
      upstream.received.clear();
      List<CompletableFuture<HttpResponse<String>>> nine = occupy(gateway, upstream, 1);
      assertThat(post(gateway)).as("POST at 90 %").isEqualTo(503);
      upstream.received.clear();
      List<CompletableFuture<HttpResponse<String>>> beyond = occupy(gateway, upstream, 5);
      release.countDown();
      for (var all : List.of(seven, more, nine, beyond)) {
        all.forEach(one -> assertThat(one.join().statusCode()).isEqualTo(200));
      }
      Await.until("all is over", LIMIT, () -> test(gateway).statusCode() == 200);
      assertThat(gateway.metrics()).contains("weir_gateway_requests_total{outcome=\"shed\"} 3");
    }
  }

  /** A busy upstream is not a broken one: it stays in the rotation, and clients may come back. */
  @Test
  void fullQueueForConnectionsIsAnsweredAtOnce() throws IOException {
    try (ScriptedUpstream upstream = slow();
        TestGateway gateway =
            TestGateway.configured(
                TestGateway.OPEN
                    + "upstreams: {up: {servers: [\""
                    + upstream.url()
                    + "\"], connections: 1, ejection: {failures: 1, time: 1h}}}\n")) {
      List<CompletableFuture<HttpResponse<String>>> many = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        many.add(
            gateway.client.sendAsync(
                gateway.request("/slow").build(), HttpResponse.BodyHandlers.ofString()));
      }
      Await.until(
          "some are refused", LIMIT, () -> many.stream().anyMatch(CompletableFuture::isDone));
      HttpResponse<String> refused =
          many.stream().filter(CompletableFuture::isDone).findFirst().orElseThrow().join();
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(refused.headers().firstValue("Retry-After")).contains("1");
      release.countDown();
      many.forEach(one -> assertThat(one.join().statusCode()).isIn(200, 503));
      assertThat(many.stream().filter(one -> one.join().statusCode() == 200).count()).isPositive();
      assertThat(gateway.get("/").statusCode()).isEqualTo(200);
    }
  }

  /** The upstream takes two at once; the others are counted all the same. */
  @Test
  void busyUpstreamGetsNoMore() throws IOException {
    try (ScriptedUpstream upstream = slow();
        TestGateway gateway =
            TestGateway.configured(
                "upstreams: {up: {servers: [\""
                    + upstream.url()
                    + "\"], concurrency: 2}}\n"
                    + "rules: [{name: few, limit: 100/hour}]\n")) {
      List<CompletableFuture<HttpResponse<String>>> two = occupy(gateway, upstream, 2);
      for (int i = 0; i < 5; i++) {
        assertThat(gateway.get("/").statusCode()).isEqualTo(503);
      }
      release.countDown();
      two.forEach(one -> assertThat(one.join().statusCode()).isEqualTo(200));
      Await.until("the gate is open", LIMIT, () -> gateway.get("/").statusCode() == 200);
      assertThat(gateway.metrics()).contains("outcome=\"upstream-busy\"}");
    }
  }
}
