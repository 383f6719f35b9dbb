package dev.weir.spring.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.weir.testkit.redis.RedisServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.cloud.gateway.filter.ratelimit.KeyResolver;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import reactor.core.publisher.Mono;

/** Real gateways in front of a real server. */
class GatewayAppTest {
  private static final String ROUTES = "spring.cloud.gateway.server.webflux.routes";
  private static HttpServer upstream;

  private final HttpClient client = HttpClient.newHttpClient();

  /** A gateway that counts by the header X-User. */
  @SpringBootConfiguration
  @EnableAutoConfiguration
  static class Gateway {
    @Bean
    KeyResolver userKeyResolver() {
      return exchange -> Mono.justOrEmpty(exchange.getRequest().getHeaders().getFirst("X-User"));
    }
  }

  @BeforeAll
  static void startUpstream() throws IOException {
    upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    upstream.createContext(
        "/",
        exchange -> {
          byte[] body = exchange.getRequestURI().getPath().getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    upstream.start();
  }

  @AfterAll
  static void stopUpstream() {
    upstream.stop(0);
  }

  @Test
  void limitsARouteByARule() throws Exception {
    List<String> properties = routes("a", "b");
    properties.add(ROUTES + "[0].filters[0]=Weir=only-a");
    properties.add("weir.limits.only-a.per=ip");
    properties.add("weir.limits.only-a.limit=1/hour");
    properties.add("weir.limits.everywhere.limit=5/hour");
    try (ConfigurableApplicationContext app = start(properties)) {
      assertThat(get(app, "/a/1").statusCode()).isEqualTo(200);
      HttpResponse<String> denied = get(app, "/a/2");
      assertThat(denied.statusCode()).isEqualTo(429);
      assertThat(denied.headers().firstValue("Retry-After")).isPresent();
      assertThat(denied.headers().firstValue("Content-Type")).contains("application/problem+json");
      assertThat(get(app, "/b/1").body()).isEqualTo("/b/1");
      assertThat(get(app, "/b/2").statusCode()).as("not limited by the rule of a").isEqualTo(200);
      assertThat(get(app, "/b/3").statusCode()).isEqualTo(200);
      assertThat(get(app, "/b/4").statusCode()).as("the rule for all routes").isEqualTo(429);
    }
  }

  @Test
  void namesARuleThatDoesNotExist() {
    List<String> properties = routes("a");
    properties.add(ROUTES + "[0].filters[0]=Weir=nothing");
    properties.add("weir.limits.something.limit=1/hour");
    assertThatThrownBy(() -> start(properties).close())
        .hasStackTraceContaining(
            "filter Weir=nothing: rule: nothing (expected: one of [something])");
  }

  @Test
  void servesARouteFileOfTheGatewaysOwnLimiterUnchanged() throws Exception {
    try (ConfigurableApplicationContext app = start(ownLimiter(List.of()))) {
      assertOwnLimiter(app);
    }
  }

  @Test
  void countsInRedisWhereTheGatewaysOwnLimiterIsThereToo() throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      List<String> more =
          List.of(
              "weir.store.use-spring-redis=true",
              "weir.store.deadline=5s",
              "spring.data.redis.port=" + redis.port());
      try (ConfigurableApplicationContext one = start(ownLimiter(more));
          ConfigurableApplicationContext two = start(ownLimiter(more))) {
        assertOwnLimiter(one);
        assertThat(get(two, "/a/9", "X-User", "ann").statusCode())
            .as("the other instance")
            .isEqualTo(429);
      }
    }
  }

  @Test
  void limitsAllRoutesByADefaultFilterOnce() throws Exception {
    List<String> properties = routes("a", "b");
    properties.add("spring.cloud.gateway.server.webflux.default-filters[0]=Weir=all");
    properties.add(ROUTES + "[0].filters[0]=Weir=all");
    properties.add("weir.limits.all.limit=4/hour");
    properties.add("weir.limits.all.algorithm=fixed-window");
    try (ConfigurableApplicationContext app = start(properties)) {
      HttpResponse<String> first = get(app, "/a/1");
      assertThat(first.statusCode()).isEqualTo(200);
      assertThat(first.headers().allValues("X-RateLimit-Remaining")).containsExactly("3");
      assertThat(get(app, "/b/1").headers().firstValue("X-RateLimit-Remaining")).contains("2");
      assertThat(get(app, "/nowhere").statusCode()).as("no route").isEqualTo(404);
      assertThat(get(app, "/a/2").headers().firstValue("X-RateLimit-Remaining")).contains("1");
    }
  }

  @Test
  void ownLimiterMayBeADefaultFilter() throws Exception {
    List<String> properties = routes("a", "b");
    String filter = "spring.cloud.gateway.server.webflux.default-filters[0].";
    properties.add(filter + "name=RequestRateLimiter");
    properties.add(filter + "args.[redis-rate-limiter.replenishRate]=1");
    properties.add(filter + "args.[redis-rate-limiter.burstCapacity]=60");
    properties.add(filter + "args.[redis-rate-limiter.requestedTokens]=60");
    try (ConfigurableApplicationContext app = start(properties)) {
      assertThat(get(app, "/a/1", "X-User", "ann").statusCode()).isEqualTo(200);
      assertThat(get(app, "/a/2", "X-User", "ann").statusCode()).isEqualTo(429);
      assertThat(get(app, "/b/1", "X-User", "ann").statusCode())
          .as("each route counts for itself, as with the gateway's own limiter")
          .isEqualTo(200);
      assertThat(get(app, "/a/1").statusCode()).as("no key").isEqualTo(403);
    }
  }

  @Test
  void refusesArgumentsThatMakeNoSense() {
    List<String> none = routes("a");
    none.add(ROUTES + "[0].filters[0].name=RequestRateLimiter");
    none.add(ROUTES + "[0].filters[0].args.[redis-rate-limiter.burstCapacity]=5");
    assertThatThrownBy(() -> start(none).close())
        .hasStackTraceContaining(
            "route a: redis-rate-limiter.replenishRate: none (expected: at least 1)");
    List<String> negative =
        ownLimiter(List.of(ROUTES + "[0].filters[0].args.[redis-rate-limiter.burstCapacity]=-1"));
    assertThatThrownBy(() -> start(negative).close())
        .hasStackTraceContaining("redis-rate-limiter.burstCapacity: -1 (expected: at least 0)");
    List<String> nameless = routes("a");
    nameless.add(ROUTES + "[0].filters[0]=Weir");
    nameless.add("weir.limits.all.limit=4/hour");
    assertThatThrownBy(() -> start(nameless).close())
        .hasStackTraceContaining("filter Weir: rule: none (expected: the name of a rule)");
  }

  @Test
  @Timeout(180)
  void routesGoOnWithoutRedisByWhatTheirRulesSay() throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      List<String> properties =
          ownLimiter(
              List.of("weir.store.url=" + redis.url(), "weir.store.deadline=500ms"), "a", "b", "c");
      properties.add(ROUTES + "[1].filters[0]=Weir=shut");
      properties.add("weir.limits.shut.limit=1/hour");
      properties.add("weir.limits.shut.when-store-fails=deny");
      properties.add(ROUTES + "[2].filters[0]=Weir=open");
      properties.add("weir.limits.open.limit=1/hour");
      properties.add("weir.limits.open.when-store-fails=allow");
      try (ConfigurableApplicationContext app = start(properties)) {
        redis.pause();
        HttpResponse<String> shut = get(app, "/b/1");
        assertThat(shut.statusCode()).isEqualTo(503);
        assertThat(shut.headers().firstValue("Weir-Degraded")).contains("deny");
        for (int i = 0; i < 3; i++) {
          HttpResponse<String> open = get(app, "/c/1");
          assertThat(open.statusCode()).isEqualTo(200);
          assertThat(open.headers().firstValue("Weir-Degraded")).contains("allow");
        }
        assertOwnLimiter(app); // counted in this process
        redis.resume();
      }
    }
  }

  private static List<String> ownLimiter(List<String> more, String... names) {
    List<String> properties = names.length == 0 ? routes("a") : routes(names);
    properties.add(ROUTES + "[0].filters[0].name=RequestRateLimiter");
    String arguments = ROUTES + "[0].filters[0].args.";
    properties.add(arguments + "[redis-rate-limiter.replenishRate]=1");
    properties.add(arguments + "[redis-rate-limiter.burstCapacity]=60");
    properties.add(arguments + "[redis-rate-limiter.requestedTokens]=30");
    properties.add(arguments + "[key-resolver]=#{@userKeyResolver}");
    properties.addAll(more);
    return properties;
  }

  private void assertOwnLimiter(ConfigurableApplicationContext app) throws Exception {
    HttpResponse<String> first = get(app, "/a/1", "X-User", "ann");
    assertThat(first.statusCode()).isEqualTo(200);
    assertThat(first.headers().firstValue("X-RateLimit-Remaining")).contains("30");
    assertThat(first.headers().firstValue("X-RateLimit-Replenish-Rate")).contains("1");
    assertThat(first.headers().firstValue("X-RateLimit-Burst-Capacity")).contains("60");
    assertThat(first.headers().firstValue("X-RateLimit-Requested-Tokens")).contains("30");
    assertThat(get(app, "/a/2", "X-User", "ann").statusCode()).isEqualTo(200);
    HttpResponse<String> third = get(app, "/a/3", "X-User", "ann");
    assertThat(third.statusCode()).isEqualTo(429);
    assertThat(third.headers().firstValue("Retry-After")).isPresent();
    assertThat(get(app, "/a/4", "X-User", "bob").statusCode()).isEqualTo(200);
  }

  private static List<String> routes(String... names) {
    List<String> properties = new ArrayList<>();
    properties.add("server.port=0");
    for (int i = 0; i < names.length; i++) {
      String route = ROUTES + "[" + i + "].";
      properties.add(route + "id=" + names[i]);
      properties.add(route + "uri=http://localhost:" + upstream.getAddress().getPort());
      properties.add(route + "predicates[0]=Path=/" + names[i] + "/**");
    }
    return properties;
  }

  private static ConfigurableApplicationContext start(List<String> properties) {
    return new SpringApplicationBuilder(Gateway.class)
        .properties(properties.toArray(String[]::new))
        .run();
  }

  private HttpResponse<String> get(
      ConfigurableApplicationContext app, String path, String... headers) throws Exception {
    int port = app.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://localhost:" + port + path));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }
}
