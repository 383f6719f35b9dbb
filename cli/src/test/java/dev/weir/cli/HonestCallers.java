package dev.weir.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

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
 * Callers who mean no harm, each over a connection of its own that is new: of HTTP/1, HTTP/2 and
 * gRPC. Everybody may pass three times of five.
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

  private static final int MILLIS = 60_000;
  private static final String CALL = "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit";
  private static final int ASKS = 5;
  private static final int PASS = 3;

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

  HonestCallers(Serving server) throws IOException {
    this.port = server.port();
    this.grpcPort = server.grpcPort();
  }

  /** What an ask comes to. */
  private enum Outcome {
    PASSED,
    DENIED,
    /** It was refused for want of room, or its connection was closed. */
    REFUSED
  }

  private interface Ask {
    Outcome ask(int number) throws Exception;
  }

  int rounds() {
    return rounds;
  }

  /** Rounds in which somebody was refused. */
  int refusedRounds() {
    return refusedRounds;
  }

  /**
   * All of them ask, and are answered correctly or refused.
   *
   * @return whether nobody was refused
   */
  boolean round(String name) throws Exception {
    boolean http1 = isAnswered("HTTP/1", number -> overHttp1(name + " 1"));
    boolean http2 = isAnswered("HTTP/2", overNew(port, one -> overHttp2(one, name + " 2")));
    boolean grpc = isAnswered("gRPC", overNew(grpcPort, one -> overGrpc(one, name)));
    boolean answered = http1 && http2 && grpc;
    rounds++;
    refusedRounds += answered ? 0 : 1;
    return answered;
  }

  private static boolean isAnswered(String how, Ask ask) throws Exception {
    int passed = 0;
    int refused = 0;
    for (int i = 0; i < ASKS; i++) {
      Outcome outcome = ask.ask(i);
      passed += outcome == Outcome.PASSED ? 1 : 0;
      refused += outcome == Outcome.REFUSED ? 1 : 0;
    }
    assertThat(passed).as(how).isBetween(refused == 0 ? PASS : 0, PASS);
    return refused == 0;
  }

  private Outcome overHttp1(String user) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(MILLIS);
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

  private interface OverHttp2 {
    Future<Outcome> ask(HttpClientConnection connection);
  }

  private Ask overNew(int port, OverHttp2 way) {
    return number -> {
      HttpConnectOptions to = new HttpConnectOptions().setHost("127.0.0.1").setPort(port);
      try {
        return client
            .connect(to)
            .compose(one -> way.ask(one).onComplete(done -> one.close()))
            .toCompletionStage()
            .toCompletableFuture()
            .get(MILLIS, TimeUnit.MILLISECONDS);
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
    // After the prefix, the first field is the code of all together: 1 is fine, 2 is over.
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

  /** All are short: a length takes one byte. */
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
