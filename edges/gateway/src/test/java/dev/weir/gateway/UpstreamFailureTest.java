package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Upstreams that fail: the right status, the permit comes back, and the next request passes. */
class UpstreamFailureTest {
  /** One request at a time: a permit that is not released denies the next request. */
  private static final String ONE = "rules: [{name: one, concurrent: 1}]\n";

  private static String upstreams(String url, String more) {
    return "upstreams: {up: {servers: [\"" + url + "\"], " + more + "}}\n" + ONE;
  }

  private static int closedPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** Fails the first time, and then answers. */
  private static ScriptedUpstream failingOnce(ScriptedUpstream.Script failure) {
    AtomicInteger requests = new AtomicInteger();
    return ScriptedUpstream.that(
        (request, socket) -> {
          if (requests.getAndIncrement() == 0) {
            failure.answer(request, socket);
          } else {
            ScriptedUpstream.write(socket, ScriptedUpstream.ok("hello"));
          }
        });
  }

  private static void assertAnswers(TestGateway gateway) {
    HttpResponse<String> response = gateway.get("/");
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).isEqualTo("hello");
  }

  private static HttpResponse<String> post(TestGateway gateway) {
    return gateway.send(gateway.request("/").POST(BodyPublishers.ofString("body")));
  }

  @Test
  void upstreamThatDoesNotListen() throws IOException {
    try (TestGateway gateway = TestGateway.to(ONE, "http://127.0.0.1:" + closedPort())) {
      for (int i = 0; i < 3; i++) {
        HttpResponse<String> response = gateway.get("/");
        assertThat(response.statusCode()).isEqualTo(502);
        assertThat(response.headers().firstValue("Content-Type"))
            .contains("application/problem+json");
        assertThat(response.body()).doesNotContain("127.0.0.1");
      }
      assertThat(gateway.metrics())
          .contains("weir_gateway_requests_total{outcome=\"unreachable\"} 3");
    }
  }

  @Test
  void upstreamThatHangs() throws IOException {
    try (ScriptedUpstream upstream =
            failingOnce((request, socket) -> socket.getInputStream().read());
        TestGateway gateway =
            TestGateway.configured(upstreams(upstream.url(), "response-timeout: 1s"))) {
      assertThat(post(gateway).statusCode()).isEqualTo(504);
      assertAnswers(gateway);
    }
  }

  @Test
  void upstreamThatResets() throws IOException {
    try (ScriptedUpstream upstream =
            failingOnce(
                (request, socket) -> {
                  socket.setSoLinger(true, 0);
                  socket.close();
                });
        TestGateway gateway = TestGateway.to(ONE, upstream.url())) {
      assertThat(post(gateway).statusCode()).isEqualTo(502);
      assertAnswers(gateway);
      assertThat(upstream.received).hasSize(2);
    }
  }

  @Test
  void requestWithoutBodyIsSentAgain() throws IOException {
    try (ScriptedUpstream upstream = failingOnce((request, socket) -> socket.close());
        TestGateway gateway = TestGateway.to(ONE, upstream.url())) {
      assertAnswers(gateway);
      assertThat(upstream.received).hasSize(2);
    }
  }

  @Test
  void upstreamThatAnswersGarbage() throws IOException {
    try (ScriptedUpstream upstream =
            failingOnce((request, socket) -> ScriptedUpstream.write(socket, "SSH-2.0-x\r\n\r\n"));
        TestGateway gateway = TestGateway.to(ONE, upstream.url())) {
      assertThat(post(gateway).statusCode()).isEqualTo(502);
      assertAnswers(gateway);
    }
  }

  @Test
  void upstreamThatDiesInMidBody() throws IOException {
    try (ScriptedUpstream upstream =
            failingOnce(
                (request, socket) -> {
                  ScriptedUpstream.write(
                      socket, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
                  socket.close();
                });
        TestGateway gateway = TestGateway.to(ONE, upstream.url())) {
      assertThatThrownBy(() -> post(gateway)).isInstanceOf(UncheckedIOException.class);
      assertAnswers(gateway);
      assertThat(gateway.metrics()).contains("weir_gateway_requests_total{outcome=\"cut-off\"} 1");
    }
  }

  @Test
  void upstreamThatSwitchesProtocolsUnasked() throws IOException {
    try (ScriptedUpstream upstream =
            failingOnce(
                (request, socket) ->
                    ScriptedUpstream.write(
                        socket, "HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n"));
        TestGateway gateway =
            TestGateway.configured(upstreams(upstream.url(), "response-timeout: 1s"))) {
      assertThat(post(gateway).statusCode()).isEqualTo(502);
      assertAnswers(gateway);
    }
  }

  @Test
  void anotherServerGetsTheRequestOfOneThatDoesNotListen() throws IOException {
    try (ScriptedUpstream upstream = ScriptedUpstream.friendly();
        TestGateway gateway =
            TestGateway.to(ONE, "http://127.0.0.1:" + closedPort(), upstream.url())) {
      for (int i = 0; i < 10; i++) {
        assertThat(post(gateway).statusCode()).isEqualTo(200);
      }
      assertThat(upstream.received).hasSize(10);
    }
  }
}
