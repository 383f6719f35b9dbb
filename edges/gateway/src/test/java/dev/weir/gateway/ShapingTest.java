package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A leaky bucket holds requests back, in order, and lets them go at its rate. */
class ShapingTest {
  private static final int REQUESTS = 8;

  @Test
  void requestsWaitInOrderAndSeeHowLong() throws Exception {
    String rules =
        "rules: [{name: even, limit: 20/second, algorithm: leaky-bucket, queue: "
            + REQUESTS
            + "}]\n";
    try (ScriptedUpstream upstream = ScriptedUpstream.friendly();
        TestGateway gateway = TestGateway.to(rules, upstream.url())) {
      List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
      for (int i = 0; i < REQUESTS; i++) {
        all.add(
            gateway.client.sendAsync(
                gateway.request("/" + i).build(), HttpResponse.BodyHandlers.ofString()));
      }
      long longest = 0;
      for (CompletableFuture<HttpResponse<String>> one : all) {
        HttpResponse<String> response = one.join();
        assertThat(response.statusCode()).isEqualTo(200);
        longest = Math.max(longest, response.headers().firstValueAsLong("Weir-Delay-Ms").orElse(0));
      }
      assertThat(longest).isBetween(1L, REQUESTS * 50L);
      assertThat(upstream.received).hasSize(REQUESTS);
    }
  }

  /** The whole body arrives while the request waits. */
  @Test
  void bodyOfAWaitingRequestIsNotLost() throws Exception {
    String rules = "rules: [{name: even, limit: 10/second, algorithm: leaky-bucket, queue: 10}]\n";
    HttpClient http2 = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
    try (ScriptedUpstream upstream = ScriptedUpstream.friendly();
        TestGateway gateway = TestGateway.to(rules, upstream.url())) {
      for (int i = 0; i < 5; i++) {
        HttpResponse<String> response =
            http2.send(
                gateway.request("/").POST(BodyPublishers.ofString("body " + i)).build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(upstream.received.get(i).body()).isEqualTo("body " + i);
      }
    }
  }

  @Test
  void fullQueueDenies() throws Exception {
    String rules = "rules: [{name: even, limit: 1/hour, algorithm: leaky-bucket, queue: 1}]\n";
    try (ScriptedUpstream upstream = ScriptedUpstream.friendly();
        TestGateway gateway = TestGateway.to(rules, upstream.url());
        RawHttp waiting = new RawHttp(gateway.port())) {
      assertThat(gateway.get("/").statusCode()).isEqualTo(200);
      waiting.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
      gateway.awaitInFlight(1);
      HttpResponse<String> denied = gateway.get("/");
      assertThat(denied.statusCode()).isEqualTo(429);
      assertThat(denied.headers().firstValueAsLong("Retry-After").orElse(0)).isPositive();
    }
  }
}
