package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.redis.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Clients that vanish: permits and places in the queue come back, and the upstream is left. */
class ClientGoneTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String REQUEST = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx";

  @Test
  void permitComesBackWhileTheUpstreamStillWorks() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    try (ScriptedUpstream upstream =
            ScriptedUpstream.that(
                (request, socket) -> {
                  if (request.method().equals("POST")) {
                    never.await();
                  }
                  ScriptedUpstream.write(socket, ScriptedUpstream.ok("hello"));
                });
        TestGateway gateway =
            TestGateway.to("rules: [{name: one, concurrent: 1}]\n", upstream.url())) {
      try (RawHttp client = new RawHttp(gateway.port())) {
        client.send(REQUEST);
        Await.until("the upstream has it", LIMIT, () -> upstream.received.size() == 1);
        assertThat(gateway.get("/").statusCode()).isEqualTo(429);
      }
      Await.until("the permit is free", LIMIT, () -> gateway.get("/").statusCode() == 200);
      assertThat(gateway.metrics())
          .contains("weir_gateway_requests_total{outcome=\"client-gone\"} 1");
      never.countDown();
    }
  }

  /**
   * The first request passes at once, the second waits for an hour, and the queue has one place.
   */
  @Test
  void placeInTheQueueComesBack() throws IOException {
    String rules = "rules: [{name: slow, limit: 1/hour, algorithm: leaky-bucket, queue: 1}]\n";
    try (ScriptedUpstream upstream = ScriptedUpstream.friendly();
        TestGateway gateway = TestGateway.to(rules, upstream.url())) {
      assertThat(gateway.get("/").statusCode()).isEqualTo(200);
      try (RawHttp waiting = new RawHttp(gateway.port())) {
        waiting.send(REQUEST);
        gateway.awaitInFlight(1);
        assertThat(gateway.get("/").statusCode()).as("the queue is full").isEqualTo(429);
      }
      gateway.awaitInFlight(0);
      try (RawHttp next = new RawHttp(gateway.port())) {
        next.send(REQUEST);
        gateway.awaitInFlight(1);
      }
      assertThat(upstream.received).hasSize(1);
    }
  }
}
