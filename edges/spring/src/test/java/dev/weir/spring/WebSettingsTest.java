package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.library.web.DenialResponse;
import dev.weir.library.web.DenialWriter;
import dev.weir.library.web.ResponseStyle;
import dev.weir.spring.Apps.Running;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletResponse;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.web.server.WebFilter;

/** What {@code weir.web} changes, and who can be spoofed. */
class WebSettingsTest {
  private final Http http = new Http();

  private static Map<String, String> oncePerAddress(String... more) {
    Map<String, String> properties = new HashMap<>();
    properties.put("weir.limits.all.per", "ip");
    properties.put("weir.limits.all.limit", "1/hour");
    for (int i = 0; i < more.length; i += 2) {
      properties.put(more[i], more[i + 1]);
    }
    return properties;
  }

  @ParameterizedTest
  @EnumSource(names = {"REACTIVE", "SERVLET"})
  void choosesHeadersStatusBodyAndPaths(WebApplicationType type) throws Exception {
    Map<String, String> properties =
        oncePerAddress(
            "weir.web.headers", "ietf",
            "weir.web.status", "503",
            "weir.web.body", "none",
            "weir.web.include", "/hello,/free",
            "weir.web.exclude", "/free");
    try (Running app = Apps.start(type, properties)) {
      HttpResponse<String> first = http.get(app, "/hello");
      assertThat(first.headers().map()).containsKeys("RateLimit", "RateLimit-Policy");
      assertThat(first.headers().map()).doesNotContainKey("X-RateLimit-Limit");
      HttpResponse<String> second = http.get(app, "/hello");
      assertThat(second.statusCode()).isEqualTo(503);
      assertThat(second.body()).isEmpty();
      assertThat(second.headers().map()).doesNotContainKey("Retry-After");
      assertThat(http.get(app, "/free").statusCode()).as("excluded").isEqualTo(200);
      assertThat(http.get(app, "/").statusCode()).as("not included").isEqualTo(200);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "REACTIVE, framework",
    "REACTIVE, native",
    "SERVLET, framework",
    "SERVLET, native",
    "REACTIVE, none",
    "SERVLET, none"
  })
  void believesNoForwardedAddressOfAClient(WebApplicationType type, String strategy)
      throws Exception {
    // Tomcat believes proxies in private networks by itself, unless it is said which are meant.
    Map<String, String> properties =
        oncePerAddress(
            "server.forward-headers-strategy",
            strategy,
            "server.tomcat.remoteip.internal-proxies",
            "192\\.0\\.2\\.1");
    try (Running app = Apps.start(type, properties)) {
      assertThat(http.get(app, "/hello", "X-Forwarded-For", "203.0.113.1").statusCode())
          .isEqualTo(200);
      assertThat(http.get(app, "/hello", "X-Forwarded-For", "203.0.113.2").statusCode())
          .isEqualTo(429);
      assertThat(http.get(app, "/hello", "Forwarded", "for=203.0.113.3").statusCode())
          .isEqualTo(429);
    }
  }

  @ParameterizedTest
  @CsvSource({"REACTIVE, framework", "REACTIVE, none", "SERVLET, framework", "SERVLET, none"})
  void believesTheAddressThatATrustedProxyForwards(WebApplicationType type, String strategy)
      throws Exception {
    Map<String, String> properties =
        oncePerAddress(
            "weir.trusted-proxies", "127.0.0.1,::1", "server.forward-headers-strategy", strategy);
    try (Running app = Apps.start(type, properties)) {
      assertThat(http.get(app, "/hello", "X-Forwarded-For", "203.0.113.1").statusCode())
          .isEqualTo(200);
      assertThat(http.get(app, "/hello", "X-Forwarded-For", "203.0.113.2").statusCode())
          .isEqualTo(200);
      assertThat(http.get(app, "/hello", "X-Forwarded-For", "203.0.113.2").statusCode())
          .isEqualTo(429);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"REACTIVE", "SERVLET"})
  void writesNoHeadersAndShortBodiesIfAsked(WebApplicationType type) throws Exception {
    Map<String, String> properties =
        oncePerAddress("weir.web.headers", "", "weir.web.body", "plain");
    try (Running app = Apps.start(type, properties)) {
      assertThat(http.get(app, "/hello").headers().map())
          .doesNotContainKeys("ratelimit", "ratelimit-policy", "x-ratelimit-limit");
      HttpResponse<String> denied = http.get(app, "/hello");
      assertThat(denied.statusCode()).isEqualTo(429);
      assertThat(denied.headers().map()).doesNotContainKeys("retry-after", "ratelimit");
      assertThat(denied.headers().firstValue("Content-Type")).contains("application/json");
      assertThat(denied.body()).startsWith("{\"error\":\"rate_limit_exceeded\",");
    }
  }

  /** Other filters, of order 0, which answer every request with 418. */
  @Configuration
  static class Teapot {
    private static final int STATUS = 418;

    @Bean
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    FilterRegistrationBean<Filter> teapot() {
      FilterRegistrationBean<Filter> teapot =
          new FilterRegistrationBean<>(
              (request, response, chain) -> ((HttpServletResponse) response).setStatus(STATUS));
      teapot.setOrder(0);
      return teapot;
    }

    @Bean
    @Order(0)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    WebFilter reactiveTeapot() {
      return (exchange, chain) -> {
        exchange.getResponse().setRawStatusCode(STATUS);
        return exchange.getResponse().setComplete();
      };
    }
  }

  @ParameterizedTest
  @CsvSource({"REACTIVE, -1, 429", "REACTIVE, 1, 418", "SERVLET, -1, 429", "SERVLET, 1, 418"})
  void comesWhereTheOrderSays(WebApplicationType type, String order, int second) throws Exception {
    Map<String, String> properties = oncePerAddress("weir.web.order", order);
    try (Running app = Apps.start(type, properties, Teapot.class)) {
      assertThat(http.get(app, "/hello").statusCode()).isEqualTo(418);
      assertThat(http.get(app, "/hello").statusCode()).isEqualTo(second);
    }
  }

  /** Answers in its own words. */
  @Configuration
  static class OwnWords {
    @Bean
    DenialWriter words() {
      return (request, denied) ->
          new DenialResponse(
              denied.status(ResponseStyle.DEFAULT),
              Map.of("X-Why", denied.rule().orElseThrow().name()),
              "text/plain",
              "later, please: " + request.target());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"REACTIVE", "SERVLET"})
  void answersInTheWordsOfTheApplication(WebApplicationType type) throws Exception {
    try (Running app = Apps.start(type, oncePerAddress(), OwnWords.class)) {
      assertThat(http.get(app, "/hello").statusCode()).isEqualTo(200);
      HttpResponse<String> denied = http.get(app, "/hello?q=1");
      assertThat(denied.statusCode()).isEqualTo(429);
      assertThat(denied.body()).isEqualTo("later, please: /hello?q=1");
      assertThat(denied.headers().firstValue("X-Why")).contains("all");
      assertThat(denied.headers().firstValue("Content-Type").orElseThrow())
          .startsWith("text/plain");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"REACTIVE", "SERVLET"})
  void doesNothingIfDisabled(WebApplicationType type) throws Exception {
    try (Running app = Apps.start(type, oncePerAddress("weir.enabled", "false"))) {
      assertThat(http.get(app, "/hello").statusCode()).isEqualTo(200);
      assertThat(http.get(app, "/hello").statusCode()).isEqualTo(200);
    }
  }
}
