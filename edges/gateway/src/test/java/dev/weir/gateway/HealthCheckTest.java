package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.redis.Await;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Probes find servers that fail, before requests do. */
class HealthCheckTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final Server first = new Server();
  private final Server second = new Server();

  @AfterEach
  void close() throws IOException {
    first.close();
    second.close();
  }

  /** What a server does with probes. */
  private enum Health {
    GOOD,
    FAILING,
    HANGING
  }

  /** A server whose health a test changes. */
  private static final class Server implements AutoCloseable {
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicInteger failedProbes = new AtomicInteger();
    private final AtomicInteger goodProbes = new AtomicInteger();
    private final ScriptedUpstream upstream = ScriptedUpstream.that(this::answer);
    private volatile Health health = Health.GOOD;

    private void answer(ScriptedUpstream.Received request, Socket socket)
        throws IOException, InterruptedException {
      if (!request.target().equals("/healthz?deep")) {
        requests.incrementAndGet();
        ScriptedUpstream.write(socket, ScriptedUpstream.ok("hello"));
        return;
      }
      switch (health) {
        case GOOD -> {
          goodProbes.incrementAndGet();
          ScriptedUpstream.write(socket, ScriptedUpstream.ok("ok"));
        }
        case FAILING -> {
          failedProbes.incrementAndGet();
          ScriptedUpstream.write(socket, "HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n");
        }
        case HANGING -> {
          failedProbes.incrementAndGet();
          closed.await();
        }
      }
    }

    @Override
    public void close() throws IOException {
      closed.countDown();
      upstream.close();
    }
  }

  private TestGateway gateway(String health) {
    return TestGateway.configured(
        "upstreams: {up: {servers: [\"%s\", \"%s\"], health: {path: /healthz?deep, %s}}}\n"
                .formatted(first.upstream.url(), second.upstream.url(), health)
            + TestGateway.OPEN);
  }

  private static void await(TestGateway gateway, Server server, boolean healthy) {
    String sample =
        "weir_upstream_healthy{upstream=\"up\",server=\""
            + server.upstream.url()
            + "\"} "
            + (healthy ? "1" : "0");
    Await.until(sample, LIMIT, () -> gateway.metrics().contains(sample + "\n"));
  }

  private static void sendTen(TestGateway gateway) {
    for (int i = 0; i < 10; i++) {
      assertThat(gateway.get("/").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void serverThatFailsItsProbesGetsNoRequestsUntilItPassesThemAgain() {
    try (TestGateway gateway =
        gateway("every: 500ms, timeout: 500ms, healthy-after: 2, unhealthy-after: 3")) {
      sendTen(gateway);
      assertThat(first.requests.get()).isEqualTo(5);
      first.health = Health.FAILING;
      await(gateway, first, false);
      assertThat(first.failedProbes.get()).isGreaterThanOrEqualTo(3);
      sendTen(gateway);
      assertThat(first.requests.get()).isEqualTo(5);
      assertThat(second.requests.get()).isEqualTo(15);
      int before = first.goodProbes.get();
      first.health = Health.GOOD;
      await(gateway, first, true);
      assertThat(first.goodProbes.get() - before).isGreaterThanOrEqualTo(2);
      sendTen(gateway);
      assertThat(first.requests.get()).isEqualTo(10);
    }
  }

  @Test
  void probeThatHangsHasFailedAfterItsTimeout() {
    first.health = Health.HANGING;
    try (TestGateway gateway =
        gateway("every: 500ms, timeout: 250ms, healthy-after: 1, unhealthy-after: 2")) {
      await(gateway, first, false);
      assertThat(first.failedProbes.get()).isGreaterThanOrEqualTo(2);
      sendTen(gateway);
      assertThat(first.requests.get()).isZero();
    }
  }

  @Test
  void serverThatDoesNotListenIsUnhealthy() throws IOException {
    first.close();
    try (TestGateway gateway =
        gateway("every: 500ms, timeout: 500ms, healthy-after: 1, unhealthy-after: 1")) {
      await(gateway, first, false);
      sendTen(gateway);
      assertThat(second.requests.get()).isEqualTo(10);
    }
  }

  /** The probes may be wrong, and an error would be certain. */
  @Test
  void ifNoServerIsHealthyAllGetRequests() {
    first.health = Health.FAILING;
    second.health = Health.FAILING;
    try (TestGateway gateway =
        gateway("every: 500ms, timeout: 500ms, healthy-after: 2, unhealthy-after: 1")) {
      await(gateway, first, false);
      await(gateway, second, false);
      sendTen(gateway);
      assertThat(first.requests.get()).isEqualTo(5);
      assertThat(second.requests.get()).isEqualTo(5);
    }
  }
}
