package dev.weir.server.reply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.access.AllowedHosts;
import dev.weir.server.access.Authenticator;
import dev.weir.server.access.BearerToken;
import dev.weir.server.access.FailedTokens;
import dev.weir.server.access.Operator.Role;
import dev.weir.server.access.RoleTokens;
import dev.weir.server.access.Sessions;
import dev.weir.testkit.time.ManualTicker;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A response that lasts, such as a stream of events, while the session of its reader ends. */
@Timeout(120)
class StreamAccessTest {
  private static final String TOKEN = "the-token-of-viewers";

  private final ManualTicker clock = ManualTicker.at(Duration.ofDays(20_000));
  private final InstantSource instants =
      () -> Instant.EPOCH.plus(clock.micros(), ChronoUnit.MICROS);
  private final AllowedHosts hosts = AllowedHosts.forAdministration("127.0.0.1", true, Set.of());
  private final Authenticator authenticator =
      new Authenticator(
          new RoleTokens(new BearerToken("the-token-of-operators"), new BearerToken(TOKEN)),
          hosts,
          new Sessions(instants),
          new FailedTokens(instants),
          (address, unreported) -> {});
  private final AdminGuard guard = new AdminGuard(new BrowserGuard(hosts), authenticator);

  /** Streams whose readers were admitted. */
  private final LinkedBlockingQueue<HttpServerRequest> streams = new LinkedBlockingQueue<>();

  private final Vertx vertx = Vertx.vertx();
  private final HttpServer server = vertx.createHttpServer().requestHandler(this::handle);
  private final int port = server.listen(0, "127.0.0.1").await().actualPort();
  private final HttpClient client = HttpClient.newHttpClient();

  private void handle(HttpServerRequest request) {
    if (request.path().equals("/login")) {
      authenticator.logIn(request, TOKEN, "ann");
      var unused = request.response().end();
    } else if (request.path().equals("/logout")) {
      authenticator.logOut(request);
      var unused = request.response().end();
    } else if (guard.admit(request, Role.VIEWER).isPresent()) {
      streams.add(request);
    }
  }

  @AfterEach
  void close() {
    vertx.close().await();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
  }

  private String logIn() throws Exception {
    HttpResponse<Void> login =
        client.send(
            request("/login").POST(BodyPublishers.noBody()).build(), BodyHandlers.discarding());
    return login.headers().firstValue("Set-Cookie").orElseThrow().replaceAll(";.*", "");
  }

  private HttpServerRequest open(String header, String value) throws Exception {
    CompletableFuture<HttpResponse<Void>> never =
        client.sendAsync(request("/live").header(header, value).build(), BodyHandlers.discarding());
    HttpServerRequest stream = streams.poll(60, TimeUnit.SECONDS);
    assertThat(never).isNotDone();
    assertThat(stream).isNotNull();
    return stream;
  }

  @Test
  void streamEndsWithTheSession() throws Exception {
    HttpServerRequest stream = open("Cookie", logIn());
    for (int i = 0; i < 11; i++) {
      clock.advance(Sessions.MAX_IDLE.dividedBy(2));
      assertThat(guard.stillAdmits(stream, Role.VIEWER)).as("counts as a use").isTrue();
    }
    assertThat(guard.stillAdmits(stream, Role.OPERATOR)).isFalse();
    clock.advance(Sessions.MAX_AGE);
    assertThat(guard.stillAdmits(stream, Role.VIEWER)).isFalse();
  }

  @Test
  void streamEndsWithTheLogout() throws Exception {
    String cookie = logIn();
    HttpServerRequest stream = open("Cookie", cookie);
    client.send(request("/logout").header("Cookie", cookie).build(), BodyHandlers.discarding());
    assertThat(guard.stillAdmits(stream, Role.VIEWER)).isFalse();
  }

  @Test
  void streamOfATokenGoesOn() throws Exception {
    HttpServerRequest stream = open("Authorization", "Bearer " + TOKEN);
    clock.advance(Duration.ofDays(7));
    assertThat(guard.stillAdmits(stream, Role.VIEWER)).isTrue();
  }
}
