package dev.weir.spring.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.weir.testkit.redis.RedisServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** Gateways that limit nothing say so. */
@ExtendWith(OutputCaptureExtension.class)
class NothingLimitedTest {
  private static final String ROUTE = "spring.cloud.gateway.server.webflux.routes[0].";

  private final HttpClient client = HttpClient.newHttpClient();
  private HttpServer upstream;

  @BeforeEach
  void startUpstream() throws IOException {
    upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    upstream.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    upstream.start();
  }

  @AfterEach
  void stopUpstream() {
    upstream.stop(0);
  }

  @Test
  void routesPassAllRequestsIfDisabled(CapturedOutput output) throws Exception {
    try (ConfigurableApplicationContext app =
        start(
            "weir.enabled=false",
            "spring.autoconfigure.exclude="
                + "org.springframework.cloud.gateway.config.GatewayRedisAutoConfiguration",
            "weir.limits.once.limit=1/hour",
            ROUTE + "filters[0]=Weir=once",
            ROUTE + "filters[1].name=RequestRateLimiter",
            ROUTE + "filters[1].args.[redis-rate-limiter.replenishRate]=1",
            ROUTE + "filters[1].args.[redis-rate-limiter.burstCapacity]=1")) {
      for (int i = 0; i < 3; i++) {
        assertThat(status(app)).isEqualTo(200);
      }
    }
    assertThat(output)
        .containsOnlyOnce("Routes are not limited by Weir, since weir.enabled is false")
        .containsOnlyOnce("Routes are not limited by RequestRateLimiter, since");
  }

  @Test
  void limiterOfTheGatewayItselfIsUsedIfDisabled(CapturedOutput output) throws Exception {
    try (RedisServer redis = RedisServer.start();
        ConfigurableApplicationContext app =
            start(
                "weir.enabled=false",
                "spring.data.redis.url=" + redis.url(),
                ROUTE + "filters[0].name=RequestRateLimiter",
                ROUTE + "filters[0].args.[redis-rate-limiter.replenishRate]=1",
                ROUTE + "filters[0].args.[redis-rate-limiter.burstCapacity]=3600",
                ROUTE + "filters[0].args.[redis-rate-limiter.requestedTokens]=3600")) {
      assertThat(status(app)).isEqualTo(200);
      assertThat(status(app)).isEqualTo(429);
    }
    assertThat(output)
        .contains("Routes are not limited by Weir, since weir.enabled is false")
        .doesNotContain("Routes are not limited by RequestRateLimiter");
  }

  @Test
  void warnsIfThereIsNeitherARuleNorARouteThatNamesALimit(CapturedOutput output) throws Exception {
    try (ConfigurableApplicationContext app = start()) {
      assertThat(status(app)).isEqualTo(200);
    }
    assertThat(output).containsOnlyOnce("Weir limits no request: there are no rules");
  }

  @Test
  void doesNotWarnIfARouteNamesALimit(CapturedOutput output) throws Exception {
    try (ConfigurableApplicationContext app =
        start(
            ROUTE + "filters[0].name=RequestRateLimiter",
            ROUTE + "filters[0].args.[redis-rate-limiter.replenishRate]=1",
            ROUTE + "filters[0].args.[redis-rate-limiter.burstCapacity]=1")) {
      assertThat(status(app)).isEqualTo(200);
    }
    assertThat(output).contains("0 rules").doesNotContain("Weir limits no request");
  }

  private ConfigurableApplicationContext start(String... more) {
    List<String> properties = new ArrayList<>(List.of(more));
    properties.add("server.port=0");
    properties.add(ROUTE + "id=a");
    properties.add(ROUTE + "uri=http://localhost:" + upstream.getAddress().getPort());
    properties.add(ROUTE + "predicates[0]=Path=/**");
    return new SpringApplicationBuilder(GatewayAppTest.Gateway.class)
        .properties(properties.toArray(String[]::new))
        .run();
  }

  private int status(ConfigurableApplicationContext app) throws Exception {
    int port = app.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/"))
            .header("X-User", "ann")
            .build();
    return client.send(request, BodyHandlers.discarding()).statusCode();
  }
}
