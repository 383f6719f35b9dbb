package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.spring.Apps.Running;
import dev.weir.spring.method.ConcurrencyLimited;
import dev.weir.spring.method.RateLimited;
import dev.weir.spring.method.RateLimitedException;
import dev.weir.testkit.redis.RedisServer;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Requests whose controllers call limited methods. */
@Timeout(180)
class MethodsWebTest {
  private final Http http = new Http();

  /** Limited itself. */
  @RestController
  static class Orders {
    @GetMapping("/orders")
    @RateLimited(name = "orders", key = "#tenant")
    public String orders(@RequestParam("tenant") String tenant) {
      return "orders of " + tenant;
    }

    @GetMapping("/mono")
    @RateLimited(name = "orders", key = "#tenant")
    public Mono<String> mono(@RequestParam("tenant") String tenant) {
      return Mono.just("orders of " + tenant);
    }

    @GetMapping("/export")
    @ConcurrencyLimited(name = "export", key = "#tenant")
    public Mono<String> export(@RequestParam("tenant") String tenant) {
      return inner();
    }

    @GetMapping("/expensive")
    @RateLimited(name = "orders", key = "#tenant", cost = "5")
    public Mono<String> expensive(@RequestParam("tenant") String tenant) {
      return Mono.just(tenant);
    }

    @GetMapping("/shut")
    @RateLimited(name = "shut", key = "#tenant")
    public Mono<String> shut(@RequestParam("tenant") String tenant) {
      return Mono.just("open");
    }

    @GetMapping("/open")
    @RateLimited(name = "open", key = "#tenant")
    public Mono<String> open(@RequestParam("tenant") String tenant) {
      return Mono.just("open");
    }

    @GetMapping("/local")
    @RateLimited(name = "local", key = "#tenant")
    public Mono<String> local(@RequestParam("tenant") String tenant) {
      return Mono.just("local");
    }

    private Mono<String> inner() {
      return Mono.just("exported");
    }
  }

  private static Map<String, String> calls(String... more) {
    Map<String, String> properties = new HashMap<>();
    properties.put("weir.calls.orders.limit", "2/hour");
    properties.put("weir.calls.orders.algorithm", "fixed-window");
    properties.put("weir.calls.export.concurrent", "1");
    for (String mode : List.of("deny", "allow", "local")) {
      String name = mode.equals("deny") ? "shut" : mode.equals("allow") ? "open" : "local";
      properties.put("weir.calls." + name + ".limit", "2/hour");
      properties.put("weir.calls." + name + ".when-store-fails", mode);
    }
    for (int i = 0; i < more.length; i += 2) {
      properties.put(more[i], more[i + 1]);
    }
    return properties;
  }

  @ParameterizedTest
  @EnumSource(names = {"REACTIVE", "SERVLET"})
  void denialIsAProblemDocumentWithTheHeaders(WebApplicationType type) throws Exception {
    try (Running app = Apps.start(type, calls(), Orders.class)) {
      assertThat(http.get(app, "/orders?tenant=acme").body()).isEqualTo("orders of acme");
      assertThat(http.get(app, "/mono?tenant=acme").body()).isEqualTo("orders of acme");
      for (String path : List.of("/orders", "/mono")) {
        HttpResponse<String> denied = http.get(app, path + "?tenant=acme");
        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(header(denied, "Content-Type")).isEqualTo("application/problem+json");
        long seconds = Long.parseLong(header(denied, "Retry-After"));
        assertThat(seconds).isBetween(1L, 3600L);
        assertThat(header(denied, "Cache-Control")).contains("no-store");
        assertThat(header(denied, "X-RateLimit-Limit")).isEqualTo("2");
        assertThat(header(denied, "X-RateLimit-Remaining")).isEqualTo("0");
        assertThat(header(denied, "RateLimit-Policy")).isEqualTo("\"orders\";q=2;w=3600");
        assertThat(header(denied, "RateLimit")).isEqualTo("\"orders\";r=0;t=" + seconds);
        assertThat(denied.body())
            .contains(
                "\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\"",
                "\"title\":\"Too many requests\"",
                "\"status\":429",
                "\"detail\":\"Try again in " + seconds + " s.\"",
                "\"violated-policies\":[\"orders\"]");
      }
      HttpResponse<String> never = http.get(app, "/expensive?tenant=globex");
      assertThat(never.statusCode()).isEqualTo(429);
      assertThat(never.headers().firstValue("Retry-After")).isEmpty();
      assertThat(header(never, "X-RateLimit-Remaining")).isEqualTo("2");
      for (int i = 0; i < 5; i++) {
        assertThat(http.get(app, "/export?tenant=acme").body()).isEqualTo("exported");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"REACTIVE", "SERVLET"})
  void headersAndStatusAreThoseOfTheFilter(WebApplicationType type) throws Exception {
    Map<String, String> properties =
        calls(
            "weir.limits.all.limit", "100/hour",
            "weir.web.headers", "x-ratelimit,retry-after",
            "weir.web.status", "503");
    try (Running app = Apps.start(type, properties, Orders.class)) {
      assertThat(http.get(app, "/mono?tenant=acme").statusCode()).isEqualTo(200);
      assertThat(http.get(app, "/mono?tenant=acme").statusCode()).isEqualTo(200);
      HttpResponse<String> denied = http.get(app, "/mono?tenant=acme");
      assertThat(denied.statusCode()).isEqualTo(503);
      assertThat(denied.headers().allValues("X-RateLimit-Limit")).containsExactly("2");
      assertThat(denied.headers().allValues("X-RateLimit-Remaining")).containsExactly("0");
      assertThat(denied.headers().map()).containsKey("Retry-After").doesNotContainKey("RateLimit");
    }
  }

  /** Answers by itself. */
  @Configuration
  static class OwnAnswer {
    /** Comes before that of Weir. */
    @ControllerAdvice
    @Order(-1)
    static class Advice {
      @ExceptionHandler
      @ResponseBody
      String answer(RateLimitedException denied) {
        return "later: " + denied.denial().name();
      }
    }

    @Bean
    Advice advice() {
      return new Advice();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"REACTIVE", "SERVLET"})
  void applicationMayAnswerByItself(WebApplicationType type) throws Exception {
    try (Running app = Apps.start(type, calls(), Orders.class, OwnAnswer.class)) {
      for (int i = 0; i < 2; i++) {
        assertThat(http.get(app, "/mono?tenant=acme").body()).isEqualTo("orders of acme");
      }
      assertThat(http.get(app, "/mono?tenant=acme").body()).isEqualTo("later: orders");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"REACTIVE", "SERVLET"})
  void failureModesDecideWhileRedisIsGone(WebApplicationType type) throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      Map<String, String> properties =
          calls("weir.store.url", redis.url(), "weir.store.deadline", "500ms");
      try (Running app = Apps.start(type, properties, Orders.class)) {
        assertThat(http.get(app, "/shut?tenant=acme").statusCode()).isEqualTo(200);
        redis.kill();
        HttpResponse<String> shut = http.get(app, "/shut?tenant=acme");
        assertThat(shut.statusCode()).isEqualTo(503);
        assertThat(header(shut, "Retry-After")).isEqualTo("1");
        assertThat(header(shut, "Weir-Degraded")).isEqualTo("deny");
        assertThat(shut.body()).contains("urn:weir:problem:store-unavailable");
        for (int i = 0; i < 5; i++) {
          assertThat(http.get(app, "/open?tenant=acme").statusCode()).isEqualTo(200);
        }
        assertThat(http.get(app, "/local?tenant=acme").statusCode()).isEqualTo(200);
        assertThat(http.get(app, "/local?tenant=acme").statusCode()).isEqualTo(200);
        assertThat(http.get(app, "/local?tenant=acme").statusCode()).isEqualTo(429);
      }
    }
  }

  private static String header(HttpResponse<?> response, String name) {
    List<String> values = response.headers().allValues(name);
    assertThat(values).as(name).hasSize(1);
    return values.get(0);
  }
}
