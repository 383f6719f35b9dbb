package dev.weir.spring.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Routes that retry, in front of a real server: each attempt is limited. */
@Timeout(120)
class RetryTest {
  private static final String ROUTE = "spring.cloud.gateway.server.webflux.routes[0].";

  private final HttpClient client = HttpClient.newHttpClient();
  private final AtomicInteger attempts = new AtomicInteger();
  private final CountDownLatch secondAttempt = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private HttpServer upstream;

  @BeforeEach
  void startUpstream() throws IOException {
    upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    upstream.createContext("/ok", exchange -> answer(exchange, 200));
    upstream.createContext("/failing", exchange -> answer(exchange, 503));
    upstream.createContext("/second", this::answerTheSecondLate);
    upstream.start();
  }

  @AfterEach
  void stopUpstream() {
    goOn.countDown();
    upstream.stop(0);
  }

  @Test
  void doesNotSendADeniedRequestAfterAll() throws Exception {
    List<String> retried = List.of("Retry=3,TOO_MANY_REQUESTS,GET", "Weir=once");
    try (ConfigurableApplicationContext app = start(retried, "weir.limits.once.limit=1/hour")) {
      assertThat(get(app, "/ok").statusCode()).isEqualTo(200);
      assertThat(get(app, "/ok").statusCode()).isEqualTo(429);
      assertThat(get(app, "/ok").statusCode()).isEqualTo(429);
      assertThat(attempts).hasValue(1);
    }
  }

  @Test
  void chargesEachAttemptOnceHoweverOftenTheRouteNamesTheRule() throws Exception {
    List<String> retried = List.of("Retry=3", "Weir=twice", "Weir=twice");
    try (ConfigurableApplicationContext app = start(retried, "weir.limits.twice.limit=2/hour")) {
      assertThat(get(app, "/failing").statusCode()).isEqualTo(429);
      assertThat(attempts).hasValue(2);
    }
  }

  @Test
  void chargesTheRuleForAllRoutesOnceForARequest() throws Exception {
    List<String> retried = List.of("Retry=3", "Weir=many");
    try (ConfigurableApplicationContext app =
        start(retried, "weir.limits.many.limit=9/hour", "weir.limits.all.limit=1/hour")) {
      assertThat(get(app, "/failing").statusCode()).isEqualTo(503);
      assertThat(attempts).as("one request to the gateway").hasValue(4);
      assertThat(get(app, "/failing").statusCode()).isEqualTo(429);
      assertThat(attempts).hasValue(4);
    }
  }

  @Test
  void eachAttemptHoldsAPermit() throws Exception {
    List<String> retried = List.of("Retry=3", "Weir=one");
    try (ConfigurableApplicationContext app = start(retried, "weir.limits.one.concurrent=1")) {
      CompletableFuture<HttpResponse<String>> first =
          client.sendAsync(request(app, "/second"), BodyHandlers.ofString());
      assertThat(secondAttempt.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(get(app, "/ok").statusCode()).as("during the second attempt").isEqualTo(429);
      goOn.countDown();
      assertThat(first.get(60, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
      assertThat(get(app, "/ok").statusCode()).as("afterwards").isEqualTo(200);
    }
  }

  private void answerTheSecondLate(HttpExchange exchange) throws IOException {
    if (attempts.get() == 0) {
      answer(exchange, 503);
      return;
    }
    secondAttempt.countDown();
    try {
      goOn.await(60, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    answer(exchange, 200);
  }

  private void answer(HttpExchange exchange, int status) throws IOException {
    attempts.incrementAndGet();
    exchange.sendResponseHeaders(status, -1);
    exchange.close();
  }

  private ConfigurableApplicationContext start(List<String> filters, String... limits) {
    List<String> properties = new ArrayList<>(List.of(limits));
    properties.add("server.port=0");
    properties.add(ROUTE + "id=a");
    properties.add(ROUTE + "uri=http://localhost:" + upstream.getAddress().getPort());
    properties.add(ROUTE + "predicates[0]=Path=/**");
    for (int i = 0; i < filters.size(); i++) {
      properties.add(ROUTE + "filters[" + i + "]=" + filters.get(i));
    }
    return new SpringApplicationBuilder(GatewayAppTest.Gateway.class)
        .properties(properties.toArray(String[]::new))
        .run();
  }

  private HttpResponse<String> get(ConfigurableApplicationContext app, String path)
      throws Exception {
    return client.send(request(app, path), BodyHandlers.ofString());
  }

  private static HttpRequest request(ConfigurableApplicationContext app, String path) {
    int port = app.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path)).build();
  }
}
