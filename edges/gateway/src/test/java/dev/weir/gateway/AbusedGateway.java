package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.settings.ServerSettings;
import dev.weir.testkit.RawHttp2;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;

/**
 * A gateway that counts every request, in front of an upstream that returns the target of each. It
 * knows whether an attack has left a trace.
 */
final class AbusedGateway implements AutoCloseable {
  private static final int LIMIT = 1_000_000;
  private static final ServerSettings SETTINGS = ServerSettings.DEFAULT.withPorts(0, -1, 0);

  final ScriptedUpstream upstream;
  final TestGateway gateway;
  private long left = LIMIT;
  private long leftBefore = LIMIT;

  private AbusedGateway(ScriptedUpstream upstream, String rules, ServerSettings settings) {
    this.upstream = upstream;
    this.gateway =
        TestGateway.start(
            "rules:\n  - {name: all, limit: " + LIMIT + "/30d, algorithm: fixed-window}\n" + rules,
            settings,
            Optional.empty(),
            upstream.url());
  }

  static AbusedGateway start() {
    return with("");
  }

  /** With more rules, each on a line of its own. */
  static AbusedGateway with(String rules) {
    return of(ScriptedUpstream.that(AbusedGateway::echo), rules);
  }

  /**
   * Impatient, and one request at a time: a permit that is not released denies all others.
   *
   * @param time in which requests must arrive
   */
  static AbusedGateway impatient(ScriptedUpstream upstream, Duration time) {
    return new AbusedGateway(
        upstream, "  - {name: one, concurrent: 1}\n", SETTINGS.withRequestTime(time));
  }

  static AbusedGateway of(ScriptedUpstream upstream, String rules) {
    return new AbusedGateway(upstream, rules, SETTINGS);
  }

  static void echo(ScriptedUpstream.Received request, java.net.Socket socket) throws IOException {
    ScriptedUpstream.write(socket, ScriptedUpstream.ok(request.target()));
  }

  int port() {
    return gateway.port();
  }

  /** The whole answer to a request on a connection of its own, which the request must close. */
  String send(String request) throws IOException {
    return RawHttp.exchange(port(), request);
  }

  RawHttp connect() throws IOException {
    return new RawHttp(port());
  }

  /** An HTTP/2 connection, with a window for large answers. */
  RawHttp2 http2(RawHttp on) throws IOException {
    return new RawHttp2(on.socket, 1 << 20);
  }

  /**
   * Asserts that nothing reached the upstream without a charge, that clients get their own answers,
   * and that nothing is in flight.
   */
  void assertSound() {
    gateway.awaitInFlight(0);
    for (int i = 0; i < 3; i++) {
      String target = "/own/" + i;
      HttpResponse<String> own = gateway.get(target);
      assertThat(own.statusCode()).isEqualTo(200);
      assertThat(own.body()).isEqualTo(target);
      left = own.headers().firstValueAsLong("X-RateLimit-Remaining").orElseThrow();
      assertThat((long) upstream.received.size())
          .as("charges, and so at most as many requests at the upstream")
          .isLessThanOrEqualTo(leftBefore - left);
    }
    gateway.awaitInFlight(0);
  }

  /** Forgets what came before. */
  void begin() {
    upstream.received.clear();
    leftBefore = left;
  }

  /** Asserts {@link #assertSound} and that the upstream saw none of the attack. */
  void assertUntouched() {
    assertThat(upstream.received).isEmpty();
    assertSound();
  }

  @Override
  public void close() throws IOException {
    gateway.close();
    upstream.close();
  }
}
