package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.redis.Await;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests that have begun when a reload replaces their upstream. */
class ReloadInFlightTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String BODY = "{\"model\":\"m\",\"max_tokens\":5}";

  private static final String CLOSING = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

  private final CountDownLatch release = new CountDownLatch(1);
  private final ScriptedUpstream before =
      ScriptedUpstream.that(
          (request, socket) -> {
            if (request.target().equals("/held")) {
              release.await();
            }
            ScriptedUpstream.write(socket, ScriptedUpstream.ok("before"));
          });
  private final ScriptedUpstream after =
      ScriptedUpstream.that(
          (request, socket) -> ScriptedUpstream.write(socket, ScriptedUpstream.ok("after")));

  @AfterEach
  void close() throws Exception {
    release.countDown();
    before.close();
    after.close();
  }

  private static String rules(ScriptedUpstream upstream) {
    return "upstreams: {up: {servers: [\""
        + upstream.url()
        + "\"]}}\n"
        + "rules: [{name: tokens, match: {path: /v1/**}, limit: 1000000/hour,"
        + " algorithm: fixed-window, cost: {llm: tokens}}]\n";
  }

  @Test
  void requestThatWasSentGetsItsResponse() throws Exception {
    try (TestGateway gateway = TestGateway.configured(rules(before));
        RawHttp client = new RawHttp(gateway.port())) {
      client.send("GET /held HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
      Await.until("the upstream has it", LIMIT, () -> before.received.size() == 1);
      gateway.reload(rules(after));
      assertThat(gateway.get("/").body()).isEqualTo("after");
      release.countDown();
      assertThat(client.readAll()).startsWith("HTTP/1.1 200").endsWith("before");
      Await.until("the connection is closed", LIMIT, () -> before.open() == 0);
    }
  }

  /** Its route is chosen, but it is sent only when its body is there. */
  @Test
  void requestThatWaitsForItsBodyIsSent() throws Exception {
    try (TestGateway gateway = TestGateway.configured(rules(before));
        RawHttp client = new RawHttp(gateway.port())) {
      // On every event loop there is a connection to the upstream then.
      for (int i = 0; i < 4 * Runtime.getRuntime().availableProcessors(); i++) {
        assertThat(RawHttp.exchange(gateway.port(), CLOSING)).endsWith("before");
      }
      client.send(
          "POST /v1/chat/completions HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: "
              + BODY.length()
              + "\r\n\r\n"
              + BODY.substring(0, 5));
      gateway.awaitInFlight(1);
      gateway.reload(rules(after));
      assertThat(gateway.get("/").body()).isEqualTo("after");
      client.send(BODY.substring(5));
      assertThat(client.readAll()).startsWith("HTTP/1.1 200").endsWith("before");
      gateway.awaitInFlight(0);
      Await.until("the connections are closed", LIMIT, () -> before.open() == 0);
    }
  }
}
