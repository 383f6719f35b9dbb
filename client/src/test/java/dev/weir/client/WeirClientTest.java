package dev.weir.client;

import static dev.weir.client.ScriptedServer.answer;
import static dev.weir.client.ScriptedServer.denial;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.client.ScriptedServer.Answer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The client against a real server; time passes only by its waits. */
@Timeout(60)
class WeirClientTest {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final EagerTimers timers = new EagerTimers();

  private ClientBuilder<WeirClient> builder() {
    return WeirClient.around(HTTP).timers(timers).clock(timers).random(new Random(1));
  }

  private static HttpRequest get(ScriptedServer server) {
    return HttpRequest.newBuilder(server.uri()).build();
  }

  private static HttpRequest post(ScriptedServer server) {
    return HttpRequest.newBuilder(server.uri()).POST(BodyPublishers.ofString("order")).build();
  }

  private static int status(WeirClient client, HttpRequest request) throws Exception {
    return client.send(request, BodyHandlers.ofString()).statusCode();
  }

  @Test
  void deniedRequestIsSentAgainAfterRetryAfter() throws Exception {
    try (ScriptedServer server = new ScriptedServer(denial("3"))) {
      HttpResponse<String> response = builder().build().send(get(server), BodyHandlers.ofString());
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(response.body()).isEqualTo("status 200");
      assertThat(server.received()).containsExactly("GET", "GET");
      assertThat(timers.waits().get(0)).isBetween(Duration.ofSeconds(3), Duration.ofMillis(3_100));
    }
  }

  @Test
  void deniedRequestIsSentAgainAsynchronously() throws Exception {
    try (ScriptedServer server = new ScriptedServer(denial("1"), denial("2"))) {
      HttpResponse<String> response =
          builder()
              .build()
              .sendAsync(get(server), BodyHandlers.ofString())
              .get(30, TimeUnit.SECONDS);
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(server.received()).hasSize(3);
    }
  }

  @Test
  void lastDenialIsReturnedWithItsBody() throws Exception {
    try (ScriptedServer server = new ScriptedServer().otherwise(denial("1"))) {
      HttpResponse<String> response =
          builder().attempts(3).build().send(get(server), BodyHandlers.ofString());
      assertThat(response.statusCode()).isEqualTo(429);
      assertThat(response.body()).isEqualTo("status 429");
      assertThat(server.received()).hasSize(3);
    }
  }

  @Test
  void waitThatWouldPassTheDeadlineIsNotBegun() throws Exception {
    try (ScriptedServer server = new ScriptedServer().otherwise(denial("5"))) {
      WeirClient client = builder().deadline(Duration.ofSeconds(4)).build();
      assertThat(status(client, get(server))).isEqualTo(429);
      assertThat(timers.waits()).isEmpty();
      assertThat(server.received()).hasSize(1);
    }
  }

  @Test
  void deadlineOfOneRequestHolds() throws Exception {
    try (ScriptedServer server = new ScriptedServer(denial("5"))) {
      WeirClient client = builder().pacing(false).build();
      assertThat(status(client.withDeadline(Duration.ofSeconds(4)), get(server))).isEqualTo(429);
      assertThat(status(client, get(server))).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"86400", "99999999999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT"})
  void hugeRetryAfterIsNotWaitedFor(String retryAfter) throws Exception {
    try (ScriptedServer server = new ScriptedServer().otherwise(denial(retryAfter))) {
      assertThat(status(builder().build(), get(server))).isEqualTo(429);
      assertThat(timers.waits()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "soon", "1.5", "1e9", "Fri, 99 Foo 2026", "0x10", "\"3\""})
  void garbageInHeadersIsIgnored(String garbage) throws Exception {
    Answer denied =
        denial(garbage)
            .with("RateLimit", garbage + ";r=,,;")
            .with("RateLimit-Policy", "((((")
            .with("X-RateLimit-Remaining", garbage)
            .with("X-RateLimit-Reset", garbage);
    try (ScriptedServer server = new ScriptedServer(denied)) {
      assertThat(status(builder().build(), get(server))).isEqualTo(200);
      assertThat(server.received()).hasSize(2);
      assertThat(timers.waits().get(0)).isLessThanOrEqualTo(Duration.ofMillis(100));
    }
  }

  @Test
  void postIsSentOnceUnlessTheCallerSaysOtherwise() throws Exception {
    try (ScriptedServer server = new ScriptedServer().otherwise(denial("1"))) {
      ClientBuilder<WeirClient> two = builder().attempts(2).pacing(false);
      assertThat(status(two.build(), post(server))).isEqualTo(429);
      assertThat(server.received()).hasSize(1);
      assertThat(status(two.build().repeatable(), post(server))).isEqualTo(429);
      assertThat(server.received()).hasSize(3);
      HttpRequest keyed =
          HttpRequest.newBuilder(post(server), (name, value) -> true)
              .header("Idempotency-Key", "1")
              .build();
      assertThat(status(two.build(), keyed)).isEqualTo(429);
      assertThat(server.received()).hasSize(5);
      assertThat(status(two.retryDenied(true).build(), post(server))).isEqualTo(429);
      assertThat(server.received()).hasSize(7).containsOnly("POST order");
    }
  }

  @Test
  void postIsNotSentAgainForAPlain503EvenIfDenialsAre() throws Exception {
    try (ScriptedServer server = new ScriptedServer().otherwise(answer(503))) {
      assertThat(status(builder().retryDenied(true).build(), post(server))).isEqualTo(503);
      assertThat(server.received()).hasSize(1);
      assertThat(status(builder().attempts(2).build(), get(server))).isEqualTo(503);
      assertThat(server.received()).hasSize(3);
    }
  }

  @Test
  void bodyThatCanBeReadOnceIsSentOnce() throws Exception {
    try (ScriptedServer server = new ScriptedServer().otherwise(denial("1"))) {
      HttpRequest put =
          HttpRequest.newBuilder(server.uri())
              .PUT(BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[] {'x'})))
              .build();
      assertThat(status(builder().build(), put)).isEqualTo(429);
      assertThat(server.received()).containsExactly("PUT x");
    }
  }

  @Test
  void replayableBodyIsSentAgain() throws Exception {
    try (ScriptedServer server = new ScriptedServer(denial("1"))) {
      HttpRequest put =
          HttpRequest.newBuilder(server.uri()).PUT(BodyPublishers.ofString("x")).build();
      assertThat(status(builder().build(), put)).isEqualTo(200);
      assertThat(server.received()).containsExactly("PUT x", "PUT x");
    }
  }

  @Test
  void failedConnectionIsRetriedForIdempotentRequestsOnly() throws Exception {
    HttpClient http11 = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    try (ScriptedServer server = new ScriptedServer().otherwise(answer(0))) {
      WeirClient client =
          WeirClient.around(http11).timers(timers).random(new Random(1)).attempts(3).build();
      assertThatThrownBy(() -> status(client, get(server))).isInstanceOf(IOException.class);
      int gets = server.received().size();
      assertThat(gets).isGreaterThanOrEqualTo(3);
      assertThatThrownBy(() -> status(client, post(server))).isInstanceOf(IOException.class);
      assertThat(timers.waits()).hasSize(2);
    }
  }

  @Test
  void errorWhileARequestIsSentIsThrown() throws Exception {
    try (ScriptedServer server = new ScriptedServer()) {
      HttpRequest broken = new BrokenRequest(get(server));
      assertThatThrownBy(() -> status(builder().build(), broken))
          .isInstanceOf(StackOverflowError.class)
          .hasMessage("broken");
    }
  }

  /** A request of another library, which fails when the client reads it. */
  private static final class BrokenRequest extends HttpRequest {
    private final HttpRequest request;

    BrokenRequest(HttpRequest request) {
      this.request = request;
    }

    @Override
    public Optional<Duration> timeout() {
      throw new StackOverflowError("broken");
    }

    @Override
    public Optional<BodyPublisher> bodyPublisher() {
      return request.bodyPublisher();
    }

    @Override
    public String method() {
      return request.method();
    }

    @Override
    public boolean expectContinue() {
      return request.expectContinue();
    }

    @Override
    public URI uri() {
      return request.uri();
    }

    @Override
    public Optional<HttpClient.Version> version() {
      return request.version();
    }

    @Override
    public HttpHeaders headers() {
      return request.headers();
    }
  }

  @Test
  void retriesStayWithinTheirBudget() throws Exception {
    try (ScriptedServer server = new ScriptedServer().otherwise(answer(503))) {
      WeirClient client = builder().retryBudget(10, 2).backoff(ms(1), ms(1)).build();
      for (int i = 0; i < 100; i++) {
        assertThat(status(client, get(server))).isEqualTo(503);
      }
      // Two, and a tenth of the requests.
      assertThat(server.received()).hasSize(112);
    }
  }

  private static Duration ms(long millis) {
    return Duration.ofMillis(millis);
  }
}
