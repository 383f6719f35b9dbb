package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.redis.Await;
import java.io.IOException;
import java.net.SocketException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Responses of an upstream that are malformed, or made by somebody else: no client gets a part of
 * what is not its own.
 */
class HostileUpstreamTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String END = "Host: a\r\nConnection: close\r\n\r\n";
  private static final String POISON = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison";

  /** One request at a time, so that all of them use the same connection to the upstream. */
  private static AbusedGateway answering(String answer) {
    return AbusedGateway.of(
        ScriptedUpstream.that(
            (request, socket) -> {
              if (request.target().equals("/odd")) {
                ScriptedUpstream.write(socket, answer);
              } else {
                AbusedGateway.echo(request, socket);
              }
            }),
        "  - {name: one, concurrent: 1}\n");
  }

  private static String send(AbusedGateway abused, String method) throws IOException {
    try {
      return abused.send(method + " /odd HTTP/1.1\r\n" + END);
    } catch (SocketException cut) {
      return "";
    }
  }

  private static void assertNotPoisoned(String answer) {
    assertThat(answer).doesNotContain("poison").doesNotContain("Injected: 1");
    assertThat(answer.split("HTTP/1.1 ", -1)).as(answer).hasSizeLessThanOrEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
        "Content-Length: 5, 6\r\n\r\nhello!",
        "Content-Length: -1\r\n\r\nhello",
        "Content-Length: 5x\r\n\r\nhello",
        "Content-Length: 99999999999999999999\r\n\r\nhello",
        "X: a\rInjected: 1\r\nContent-Length: 5\r\n\r\nhello",
        "X: a\u0000b\r\nContent-Length: 5\r\n\r\nhello",
        "Transfer-Encoding: xchunked\r\nContent-Length: 5, 7\r\n\r\nhello",
        "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
      })
  void malformedHeadIsABadGateway(String rest) throws IOException {
    try (AbusedGateway abused = answering("HTTP/1.1 200 OK\r\n" + rest)) {
      for (String method : List.of("GET", "POST")) {
        String answer = send(abused, method);
        assertThat(answer).startsWith("HTTP/1.1 502");
        assertNotPoisoned(answer);
      }
      abused.assertSound();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "zz\r\nhello",
        "-5\r\nhello\r\n0\r\n\r\n",
        "5\r\nhello!!!!\r\n0\r\n\r\n",
        "5\nhello\n0\n\n",
        "ffffffffffffffffff\r\nhello"
      })
  void garbageInChunksIsNotPassedOn(String chunks) throws IOException {
    try (AbusedGateway abused =
        answering("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks + POISON)) {
      String answer = send(abused, "POST");
      assertNotPoisoned(answer);
      assertThat(answer).as("the end of the body").doesNotEndWith("0\r\n\r\n");
      abused.assertSound();
    }
  }

  /** What follows an informational response is the answer, and not that to the next request. */
  @ParameterizedTest
  @ValueSource(ints = {100, 101, 102, 103, 104, 199})
  void informationalResponses(int status) throws IOException {
    try (AbusedGateway abused =
        answering(
            "HTTP/1.1 "
                + status
                + " Info\r\nX: y\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nodd")) {
      for (int i = 0; i < 5; i++) {
        String answer = send(abused, "POST");
        assertThat(answer).startsWith(status == 101 ? "HTTP/1.1 502" : "HTTP/1.1 200");
        assertNotPoisoned(answer);
      }
      abused.assertSound();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "204 No Content\r\nContent-Length: 44\r\n\r\n",
        "204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n2c\r\n",
        "204 No Content\r\n\r\n",
        "304 Not Modified\r\nContent-Length: 44\r\n\r\n",
        "304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n2c\r\n",
        "304 Not Modified\r\n\r\n",
        "200 OK\r\nContent-Length: 0\r\n\r\n",
        "200 OK\r\nContent-Length: 5\r\n\r\nhello",
        "200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
      })
  void bodyWhereThereIsNoneDoesNotReachTheNextClient(String answer) throws IOException {
    try (AbusedGateway abused = answering("HTTP/1.1 " + answer + POISON)) {
      for (int i = 0; i < 5; i++) {
        assertNotPoisoned(send(abused, "GET"));
        HttpResponse<String> next = abused.gateway.get("/next");
        assertThat(next.body()).isEqualTo("/next");
      }
      abused.assertSound();
    }
  }

  @Test
  void bodyOfAHeadDoesNotReachTheNextClient() throws IOException {
    try (AbusedGateway abused =
        answering("HTTP/1.1 200 OK\r\nContent-Length: " + POISON.length() + "\r\n\r\n" + POISON)) {
      for (int i = 0; i < 5; i++) {
        assertNotPoisoned(send(abused, "HEAD"));
        assertThat(abused.gateway.get("/next").body()).isEqualTo("/next");
      }
      abused.assertSound();
    }
  }

  /** Requests wait for the only connection: one of them is sent as soon as an answer has ended. */
  @Test
  void secondAnswerDoesNotReachAClientThatWaitsForTheConnection() throws IOException {
    ScriptedUpstream upstream =
        ScriptedUpstream.that(
            (request, socket) ->
                ScriptedUpstream.write(socket, ScriptedUpstream.ok(request.target()) + POISON));
    try (upstream;
        TestGateway gateway =
            TestGateway.configured(
                "upstreams: {up: {servers: [\""
                    + upstream.url()
                    + "\"], connections: 1}}\n"
                    + TestGateway.OPEN)) {
      List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        all.add(
            gateway.client.sendAsync(
                gateway.request("/" + i).build(), HttpResponse.BodyHandlers.ofString()));
      }
      for (int i = 0; i < 50; i++) {
        HttpResponse<String> response = all.get(i).join();
        if (response.statusCode() == 200) {
          assertThat(response.body()).isEqualTo("/" + i);
        } else {
          assertThat(response.statusCode()).isIn(502, 503); // 503: too many wait for it
        }
      }
      gateway.awaitInFlight(0);
    }
  }

  /** A continued line belongs to the value before it, for the client too. */
  @Test
  void continuedHeaderBecomesOneLine() throws IOException {
    try (AbusedGateway abused =
        answering("HTTP/1.1 200 OK\r\nX: y\r\n Injected: 1\r\nContent-Length: 5\r\n\r\nhello")) {
      String answer = send(abused, "GET");
      assertThat(answer).doesNotContain("\r\n Injected").doesNotContain("\r\nInjected");
      assertThat(answer).contains("X: y Injected: 1");
      abused.assertSound();
    }
  }

  @Test
  void statusLineCannotBeSplit() throws IOException {
    try (AbusedGateway abused =
        answering("HTTP/1.1 200 OK\rInjected: 1\r\nContent-Length: 5\r\n\r\nhello")) {
      String answer = send(abused, "POST");
      assertThat(answer).doesNotContain("Injected").startsWith("HTTP/1.1 ");
      abused.assertSound();
    }
  }

  @Test
  void headersWithoutEndAreCutOff() throws IOException {
    ScriptedUpstream endless =
        ScriptedUpstream.that(
            (request, socket) -> {
              if (request.target().equals("/odd")) {
                String line = "X: " + "y".repeat(1_000) + "\r\n";
                ScriptedUpstream.write(socket, "HTTP/1.1 200 OK\r\n" + line.repeat(1_000));
              } else {
                AbusedGateway.echo(request, socket);
              }
            });
    try (AbusedGateway abused = AbusedGateway.of(endless, "")) {
      assertThat(send(abused, "POST")).startsWith("HTTP/1.1 502");
      Await.until("the connection is closed", LIMIT, () -> endless.open() == 0);
      abused.assertSound();
    }
  }
}
