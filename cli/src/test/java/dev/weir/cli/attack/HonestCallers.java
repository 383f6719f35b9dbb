package dev.weir.cli.attack;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.ServerProcess;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientConnection;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpConnectOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Callers that do not attack, over HTTP/1, HTTP/2 and gRPC, each request on a new connection. Each
 * caller sends five requests, of which three may pass.
 */
final class HonestCallers implements AutoCloseable {
  static final String RULES =
      """
      rules:
        - {name: many, match: {path: /x}, limit: 1000000/day}
        - {name: few, match: {path: /few}, per: header x-user, limit: 3/day, algorithm: fixed-window}
        - {name: envoy, match: {domain: d}, limit: 1000000/day}
        - {name: envoy-few, match: {domain: few}, per: entry k, limit: 3/day, algorithm: fixed-window}
      """;

  private static final int TIMEOUT_MILLIS = 60_000;
  private static final String CALL = "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit";
  private static final int REQUESTS = 5;
  private static final int ALLOWED = 3;

  private final int port;
  private final int grpcPort;
  private final Vertx vertx = Vertx.vertx();
  private final HttpClientAgent client =
      vertx.createHttpClient(
          new HttpClientOptions()
              .setProtocolVersion(HttpVersion.HTTP_2)
              .setHttp2ClearTextUpgrade(false));
  private int rounds;
  private int refusedRounds;

  HonestCallers(ServerProcess server) throws IOException {
    this.port = server.port();
    this.grpcPort = server.grpcPort();
  }

  /** The outcome of a request. */
  private enum Outcome {
    PASSED,
    DENIED,
    /** The server was overloaded, or closed the connection. */
    REFUSED
  }

  private interface Request {
    Outcome send() throws Exception;
  }

  int rounds() {
    return rounds;
  }

  /** The number of rounds in which a caller was refused. */
  int refusedRounds() {
    return refusedRounds;
  }

  /**
   * Lets all callers send their requests, and asserts that each is answered correctly or refused.
   *
   * @return whether all were answered
   */
  boolean round(String name) throws Exception {
    boolean http1 = isAnswered("HTTP/1", () -> overHttp1(name + " 1"));
    boolean http2 = isAnswered("HTTP/2", onNewConnection(port, one -> overHttp2(one, name + " 2")));
    boolean grpc = isAnswered("gRPC", onNewConnection(grpcPort, one -> overGrpc(one, name)));
    boolean answered = http1 && http2 && grpc;
    rounds++;
    refusedRounds += answered ? 0 : 1;
    return answered;
  }

  private static boolean isAnswered(String protocol, Request request) throws Exception {
    int passed = 0;
    int refused = 0;
    for (int i = 0; i < REQUESTS; i++) {
      Outcome outcome = request.send();
      passed += outcome == Outcome.PASSED ? 1 : 0;
      refused += outcome == Outcome.REFUSED ? 1 : 0;
    }
    assertThat(passed).as(protocol).isBetween(refused == 0 ? ALLOWED : 0, ALLOWED);
    return refused == 0;
  }

  private Outcome overHttp1(String user) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      String request =
          "GET /v1/check/few HTTP/1.1\r\nHost: h\r\nConnection: close\r\nX-User: " + user;
      socket.getOutputStream().write((request + "\r\n\r\n").getBytes(US_ASCII));
      BufferedReader in =
          new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
      String line = in.readLine();
      return line == null ? Outcome.REFUSED : outcome(Integer.parseInt(line.substring(9, 12)));
    } catch (SocketTimeoutException e) {
      throw unanswered(e);
    } catch (IOException e) {
      return Outcome.REFUSED;
    }
  }

  private static AssertionError unanswered(Exception e) {
    return new AssertionError("neither answered nor refused", e);
  }

  private static Outcome outcome(int status) {
    assertThat(status).isIn(200, 429, 503);
    return status == 200 ? Outcome.PASSED : status == 429 ? Outcome.DENIED : Outcome.REFUSED;
  }

  private interface Http2Request {
    Future<Outcome> send(HttpClientConnection connection);
  }

  private Request onNewConnection(int port, Http2Request request) {
    return () -> {
      HttpConnectOptions to = new HttpConnectOptions().setHost("127.0.0.1").setPort(port);
      try {
        return client
            .connect(to)
            .compose(one -> request.send(one).onComplete(done -> one.close()))
            .toCompletionStage()
            .toCompletableFuture()
            .get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
      } catch (ExecutionException e) {
        if (e.getCause() instanceof AssertionError wrong) {
          throw wrong;
        }
        return Outcome.REFUSED;
      } catch (TimeoutException e) {
        throw unanswered(e);
      }
    };
  }

  private static Future<Outcome> overHttp2(HttpClientConnection connection, String user) {
    RequestOptions request = new RequestOptions().setURI("/v1/check/few").putHeader("x-user", user);
    return connection
        .request(request)
        .compose(one -> one.send())
        .map(response -> outcome(response.statusCode()));
  }

  private static Future<Outcome> overGrpc(HttpClientConnection connection, String value) {
    RequestOptions request =
        new RequestOptions()
            .setMethod(HttpMethod.POST)
            .setURI(CALL)
            .putHeader("content-type", "application/grpc")
            .putHeader("te", "trailers");
    return connection
        .request(request)
        .compose(one -> one.send(message(value)))
        .compose(response -> response.body().map(body -> outcome(response, body)));
  }

  private static Outcome outcome(HttpClientResponse response, Buffer body) {
    if (!"0".equals(response.getTrailer("grpc-status"))) {
      assertThat(response.getHeader("grpc-status")).isIn("8", "14"); // exhausted, unavailable
      return Outcome.REFUSED;
    }
    // After the prefix, the first field is the overall code: 1 is OK, 2 is OVER_LIMIT.
    assertThat(body.getByte(5)).isEqualTo((byte) 8);
    assertThat(body.getByte(6)).isIn((byte) 1, (byte) 2);
    return body.getByte(6) == 1 ? Outcome.PASSED : Outcome.DENIED;
  }

  /** {domain: "few", descriptors: [{entries: [{key: "k", value: …}]}]}, with its prefix. */
  private static Buffer message(String value) {
    Buffer entry = field(1, Buffer.buffer("k")).appendBuffer(field(2, Buffer.buffer(value)));
    Buffer all = field(1, Buffer.buffer("few")).appendBuffer(field(2, field(1, entry)));
    return Buffer.buffer().appendByte((byte) 0).appendInt(all.length()).appendBuffer(all);
  }

  /** A field of a message; values are short, so that a length takes one byte. */
  private static Buffer field(int number, Buffer value) {
    return Buffer.buffer()
        .appendByte((byte) (number << 3 | 2))
        .appendByte((byte) value.length())
        .appendBuffer(value);
  }

  @Override
  public void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }
}
