package dev.weir.cli.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.CommandRun;
import dev.weir.cli.ServerProcess;
import dev.weir.testkit.redis.Await;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The process of a {@code weir gateway} in front of a real service. */
class GatewayProcessTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir private Path directory = Path.of("");

  private Path rules(String text) throws Exception {
    Path next = Files.writeString(directory.resolve("next"), text);
    return Files.move(
        next,
        directory.resolve("rules.yaml"),
        StandardCopyOption.REPLACE_EXISTING,
        StandardCopyOption.ATOMIC_MOVE);
  }

  @Test
  void requestsReachTheServiceUpToTheLimit() throws Exception {
    Path rules = rules("rules: [{name: few, limit: 3/day, algorithm: fixed-window}]\n");
    Path log = directory.resolve("access.log");
    try (HttpService service = new HttpService("orders");
        ServerProcess gateway =
            ServerProcess.gateway(
                    "--upstream", service.url(), "--rules", rules, "--access-log", log)
                .awaitReady()) {
      for (int left = 2; left >= 0; left--) {
        HttpResponse<String> response = gateway.get("/hello");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("orders");
        assertThat(response.headers().firstValue("X-Service")).contains("orders");
        assertThat(response.headers().firstValue("X-RateLimit-Remaining")).contains("" + left);
        assertThat(response.headers().firstValue("X-Request-Id")).isPresent();
      }
      HttpResponse<String> denied = gateway.get("/hello");
      assertThat(denied.statusCode()).isEqualTo(429);
      assertThat(denied.headers().firstValueAsLong("Retry-After").orElse(0)).isPositive();
      assertThat(denied.body()).contains("#quota-exceeded").doesNotContain("127.0.0.1");
      assertThat(gateway.admin("/metrics").body())
          .contains("weir_gateway_requests_total{outcome=\"denied\"} 1\n");
      CommandRun run = gateway.stopAndAwaitExit();
      assertThat(run.exit()).as(run.err()).isZero();
      assertThat(Files.readAllLines(log)).hasSize(4).last().asString().contains("few", "429");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void requestInFlightIsAnsweredAfterTheStopSignal(HttpVersion version) throws Exception {
    Path rules = rules("rules: [{name: all, limit: 1000/second}]\n");
    Vertx vertx = Vertx.vertx();
    // The JDK's client would not do: in some versions it fails streams that a GOAWAY lets finish.
    HttpClient client =
        vertx.createHttpClient(
            new HttpClientOptions().setProtocolVersion(version).setHttp2ClearTextUpgrade(false));
    try (HttpService service = new HttpService("slow");
        ServerProcess gateway =
            ServerProcess.gateway("--upstream", service.url(), "--rules", rules).awaitReady()) {
      CompletableFuture<String> response = get(client, gateway.port(), "/held");
      Await.until("the service has the request", LIMIT, () -> service.held.get() == 1);
      gateway.stop();
      gateway.awaitOutput("Draining for ");
      assertThat(response).isNotDone();
      service.release();
      assertThat(response.get(60, TimeUnit.SECONDS)).isEqualTo("slow");
      CommandRun run = gateway.awaitExit();
      assertThat(run.exit()).as(run.err()).isZero();
      assertThat(run.err()).contains("INFO  Stopped ");
    } finally {
      client.close().await(); // until here it must be in use: Vert.x closes what is not referenced
      vertx.close().await();
    }
  }

  private static CompletableFuture<String> get(HttpClient client, int port, String path) {
    return client
        .request(HttpMethod.GET, port, "127.0.0.1", path)
        .compose(HttpClientRequest::send)
        .compose(HttpClientResponse::body)
        .map(Buffer::toString)
        .toCompletionStage()
        .toCompletableFuture();
  }

  @Test
  void changedRoutesTakeEffectAndAreLogged() throws Exception {
    try (HttpService one = new HttpService("one");
        HttpService two = new HttpService("two")) {
      String text =
          """
          upstreams: {one: "%s", two: "%s"}
          routes:
            - {match: {path: /two/**}, upstream: two}
            - {upstream: one}
          rules: [{name: all, limit: 1000/second}]
          """
              .formatted(one.url(), two.url());
      Path rules = rules(text);
      try (ServerProcess gateway = ServerProcess.gateway("--rules", rules).awaitReady()) {
        assertThat(gateway.get("/three/x").body()).isEqualTo("one");
        assertThat(gateway.get("/two/x").body()).isEqualTo("two");
        rules(text.replace("/two/**", "/three/**"));
        gateway.awaitOutput(": routes changed");
        assertThat(gateway.get("/three/x").body()).isEqualTo("two");
        assertThat(gateway.get("/two/x").body()).isEqualTo("one");
        rules(text.replace("upstream: one", "upstream: none"));
        gateway.awaitOutput("are rejected");
        assertThat(gateway.get("/three/x").body()).as("the routes before").isEqualTo("two");
      }
    }
  }
}
