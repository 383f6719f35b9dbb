package dev.weir.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.weir.server.RawClient.Response;
import dev.weir.server.settings.ServerSettings;
import dev.weir.testkit.Effort;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that arrive slowly are cut off after the request time. */
class SlowRequestTest {
  private static final String RULES = "rules: [{name: all, limit: 100000/hour}]";
  private static final Duration TIME = Duration.ofMillis(500);
  private static final ServerSettings SETTINGS = ServerSettings.DEFAULT.withRequestTime(TIME);
  private static final byte[] WHOLE =
      "GET /v1/check/ HTTP/1.1\r\nHost: h\r\n\r\n".getBytes(US_ASCII);

  private static final String POST =
      "POST /v1/decide HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "G",
        "POST /v1/check/ HTTP/1.1\r\nHost: h\r\nX-",
        POST + "Content-Length: 100\r\n\r\n{",
        POST + "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n",
      })
  void incompleteRequestTimesOutHoweverSteadilyItTrickles(String half) throws Exception {
    try (TestServer served = TestServer.with(RULES, SETTINGS)) {
      for (int port : List.of(served.server.port(), served.server.adminPort())) {
        try (RawClient client = new RawClient(port, 60_000)) {
          long start = System.nanoTime();
          boolean admin = port == served.server.adminPort();
          String asked = admin ? half.replace("/v1/decide", "/explain") : half;
          client.send(asked.getBytes(US_ASCII));
          Thread trickle = new Thread(() -> trickle(client));
          trickle.start();
          assertThat(client.read(false)).extracting(Response::status).isEqualTo(408);
          Duration took = Duration.ofNanos(System.nanoTime() - start);
          assertThat(took).isGreaterThanOrEqualTo(TIME);
          trickle.join();
        }
      }
      assertThat(served.get("/v1/check/").statusCode()).isEqualTo(200);
    }
  }

  /** Sends bytes that neither end nor invalidate the request, until the server closes. */
  private static void trickle(RawClient client) {
    try {
      for (int i = 0; i < 100; i++) {
        Thread.sleep(100);
        client.send(new byte[] {'a'});
      }
      throw new AssertionError("never cut off");
    } catch (IOException e) {
      // Expected.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void answeredRequestWithMissingBodyIsCutOffWithoutSecondResponse() throws Exception {
    try (TestServer served = TestServer.with(RULES, SETTINGS);
        RawClient client = new RawClient(served.server.port(), 60_000)) {
      String half = "POST /v1/check/ HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nx";
      client.send(half.getBytes(US_ASCII));
      assertThat(client.read(false)).isEqualTo(new Response(200, 0));
      assertThat(client.read(false)).isNull();
    }
  }

  @Test
  void idleConnectionIsKeptBetweenRequestsAndBeforeTheFirst() throws Exception {
    try (TestServer served = TestServer.with(RULES, SETTINGS);
        RawClient client = new RawClient(served.server.port(), 60_000)) {
      for (int i = 0; i < 3; i++) {
        Thread.sleep(TIME.toMillis() * 2);
        client.send(WHOLE);
        assertThat(client.read(false)).isEqualTo(new Response(200, 0));
      }
      // Also with a complete body, although it is not read.
      client.send(
          "POST /v1/check/ HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n".getBytes(US_ASCII));
      assertThat(client.read(false)).isEqualTo(new Response(200, 0));
      client.send("{}".getBytes(US_ASCII));
      Thread.sleep(TIME.toMillis() * 2);
      client.send(WHOLE);
      assertThat(client.read(false)).isEqualTo(new Response(200, 0));
    }
  }

  @Test
  void http2SlowBodyIsResetAndOtherStreamsContinue() throws Exception {
    Vertx vertx = Vertx.vertx();
    try (TestServer served = TestServer.with(RULES, SETTINGS)) {
      HttpClientAgent client =
          vertx.createHttpClient(
              new HttpClientOptions()
                  .setProtocolVersion(HttpVersion.HTTP_2)
                  .setHttp2ClearTextUpgrade(false));
      int port = served.server.port();
      var slow =
          client
              .request(HttpMethod.POST, port, "127.0.0.1", "/v1/decide")
              .compose(
                  request -> {
                    request.putHeader("Content-Type", "application/json");
                    request.setChunked(true).exceptionHandler(reset -> {});
                    var unused = request.write("{");
                    return request.response();
                  })
              .map(response -> response.statusCode())
              .toCompletionStage()
              .toCompletableFuture();
      for (int i = 0; i < 10; i++) {
        int status =
            client
                .request(HttpMethod.GET, port, "127.0.0.1", "/v1/check/")
                .compose(request -> request.send())
                .map(response -> response.statusCode())
                .toCompletionStage()
                .toCompletableFuture()
                .get(60, TimeUnit.SECONDS);
        assertThat(status).isEqualTo(200);
        Thread.sleep(TIME.toMillis() / 5);
      }
      assertThat(slow.get(60, TimeUnit.SECONDS)).isEqualTo(408);
    } finally {
      vertx.close().await();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "POST /v1/check/ HTTP/1.1\r\nHost: h\r\nX-",
        "POST /v1/check/ HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nx",
        "POST /v1/decide HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\n{",
        "PRI * HTTP/2.0\r\n",
      })
  void incompleteRequestDoesNotDelayShutdown(String half) throws Exception {
    try (TestServer served = TestServer.with(RULES);
        RawClient client = new RawClient(served.server.port(), 60_000)) {
      client.send(half.getBytes(US_ASCII));
      Thread.sleep(200);
      assertTimeoutPreemptively(Duration.ofSeconds(Effort.of(9, 4)), served.server::close);
    }
  }
}
