package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.redis.Await;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A server that fails requests gets none for a while. */
class EjectionTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final AtomicBoolean bothFail = new AtomicBoolean();
  private final AtomicBoolean firstFails = new AtomicBoolean(true);
  private final ScriptedUpstream first = failing(firstFails);
  private final ScriptedUpstream second = failing(bothFail);

  /** Closes the connection instead of an answer. */
  private static ScriptedUpstream failing(AtomicBoolean fails) {
    return ScriptedUpstream.that(
        (request, socket) -> {
          if (fails.get()) {
            socket.close();
          } else {
            ScriptedUpstream.write(socket, ScriptedUpstream.ok("hello"));
          }
        });
  }

  @AfterEach
  void close() throws IOException {
    first.close();
    second.close();
  }

  private TestGateway gateway(String ejection) {
    return TestGateway.configured(
        "upstreams: {up: {servers: [\"%s\", \"%s\"], ejection: {%s}}}\n"
                .formatted(first.url(), second.url(), ejection)
            + TestGateway.OPEN);
  }

  /** A request that is not sent to another server if one has failed. */
  private static int post(TestGateway gateway) {
    return gateway.send(gateway.request("/").POST(BodyPublishers.ofString("x"))).statusCode();
  }

  private static void post(TestGateway gateway, int times) {
    for (int i = 0; i < times; i++) {
      post(gateway);
    }
  }

  @Test
  void serverIsEjectedAfterItsFailuresAndComesBackAfterItsTime() {
    try (TestGateway gateway = gateway("failures: 3, time: 1s, at-most: 50")) {
      post(gateway, 6);
      assertThat(first.received).hasSize(3);
      assertThat(second.received).hasSize(3);
      firstFails.set(false);
      Await.until(
          "the server is back",
          LIMIT,
          () -> {
            assertThat(post(gateway)).isEqualTo(200);
            return first.received.size() > 3;
          });
      assertThat(second.received.size()).as("requests in its absence").isGreaterThan(4);
      int before = first.received.size();
      post(gateway, 10);
      assertThat(first.received.size() - before).isEqualTo(5);
    }
  }

  @Test
  void successEndsARowOfFailures() {
    try (TestGateway gateway = gateway("failures: 3, time: 60s, at-most: 50")) {
      for (int i = 0; i < 3; i++) {
        firstFails.set(true);
        post(gateway, 4);
        firstFails.set(false);
        post(gateway, 2);
      }
      assertThat(first.received).hasSize(9);
    }
  }

  @Test
  void atMostTheGivenPercentAreEjected() {
    bothFail.set(true);
    try (TestGateway gateway = gateway("failures: 3, time: 60s, at-most: 50")) {
      post(gateway, 6);
      assertThat(first.received).hasSize(3);
      assertThat(second.received).hasSize(3);
      post(gateway, 4);
      assertThat(first.received).as("ejected").hasSize(3);
      assertThat(second.received).as("not ejected, though it fails").hasSize(7);
    }
  }

  @Test
  void ifAllAreEjectedAllGetRequests() {
    bothFail.set(true);
    try (TestGateway gateway = gateway("failures: 3, time: 60s, at-most: 100")) {
      post(gateway, 10);
      assertThat(first.received).hasSize(5);
      assertThat(second.received).hasSize(5);
    }
  }
}
