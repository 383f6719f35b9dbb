package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.library.RulesLimiter;
import dev.weir.library.WebRequest;
import dev.weir.library.Weir;
import dev.weir.library.web.DenialResponse;
import dev.weir.library.web.PathScope;
import dev.weir.library.web.ResponseStyle;
import dev.weir.library.web.ResponseStyle.Body;
import dev.weir.rules.yaml.RulesText;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletContext;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests over real connections to real containers. */
@Timeout(120)
class WeirFilterTest {
  private static final String TWO =
      "rules: [{name: two, per: ip, limit: 2/hour, algorithm: fixed-window}]";

  private final Weir weir = Weir.inMemory();
  @TempDir private Path folder = Path.of("");

  @AfterEach
  void close() {
    weir.close();
  }

  private RulesLimiter rules(String text) {
    return weir.rules(RulesText.of("rules.yaml", text + "\n"));
  }

  private static Consumer<ServletContext> limited(Filter filter) {
    return context -> {
      Applications.filter(context, "weir", filter);
      Applications.serveOk(context);
    };
  }

  private static String header(HttpResponse<?> response, String name) {
    List<String> values = response.headers().allValues(name);
    assertThat(values).as(name).hasSize(1);
    return values.get(0);
  }

  @ParameterizedTest
  @EnumSource
  void requestsPassWithHeadersUntilTheLimitIsReached(Container container) throws Exception {
    WeirFilter filter = WeirFilter.of(rules(TWO));
    try (RunningServer server = container.start(folder, limited(filter))) {
      HttpResponse<String> first = server.get("/a");
      assertThat(first.statusCode()).isEqualTo(200);
      assertThat(first.body()).isEqualTo("ok");
      assertThat(header(first, "X-RateLimit-Limit")).isEqualTo("2");
      assertThat(header(first, "X-RateLimit-Remaining")).isEqualTo("1");
      assertThat(Long.parseLong(header(first, "X-RateLimit-Reset"))).isPositive();
      assertThat(header(first, "RateLimit-Policy")).isEqualTo("\"two\";q=2;w=3600");
      assertThat(header(first, "RateLimit")).startsWith("\"two\";r=1;t=");
      assertThat(first.headers().map())
          .doesNotContainKeys("retry-after", "weir-degraded", "cache-control");
      assertThat(server.status("/b")).isEqualTo(200);
      HttpResponse<String> denied = server.get("/c");
      assertThat(denied.statusCode()).isEqualTo(429);
      assertThat(header(denied, "X-RateLimit-Limit")).isEqualTo("2");
      assertThat(header(denied, "X-RateLimit-Remaining")).isEqualTo("0");
      assertThat(header(denied, "RateLimit-Policy")).isEqualTo("\"two\";q=2;w=3600");
      assertThat(header(denied, "RateLimit")).startsWith("\"two\";r=0;t=");
      assertThat(Long.parseLong(header(denied, "Retry-After"))).isBetween(1L, 3600L);
      assertThat(header(denied, "Cache-Control")).isEqualTo("no-store");
      assertThat(header(denied, "Content-Type")).startsWith("application/problem+json");
      assertThat(denied.body()).contains("\"status\":429", "\"violated-policies\":[\"two\"]");
      assertThat(header(denied, "Content-Length")).isEqualTo("" + denied.body().length());
    }
  }

  @ParameterizedTest
  @EnumSource
  void styleDecidesAboutStatusHeadersAndBody(Container container) throws Exception {
    RulesLimiter none = rules("rules: [{name: none, per: ip, limit: 1/hour}]");
    ResponseStyle plain = ResponseStyle.DEFAULT.body(Body.PLAIN).headers(Set.of()).status(503);
    WeirFilter shown = WeirFilter.builder(none).style(plain).build();
    try (RunningServer server = container.start(folder, limited(shown))) {
      assertThat(server.get("/").headers().map())
          .doesNotContainKeys("x-ratelimit-limit", "ratelimit");
      HttpResponse<String> denied = server.get("/");
      assertThat(denied.statusCode()).isEqualTo(503);
      assertThat(header(denied, "Content-Type")).startsWith("application/json");
      assertThat(denied.body()).startsWith("{\"error\":\"rate_limit_exceeded\",\"retry_after\":");
      assertThat(denied.headers().map()).doesNotContainKeys("ratelimit", "retry-after");
    }
    WeirFilter silent =
        WeirFilter.builder(none).style(ResponseStyle.DEFAULT.body(Body.NONE)).build();
    try (RunningServer server = container.start(folder, limited(silent))) {
      HttpResponse<String> denied = server.get("/");
      assertThat(denied.statusCode()).isEqualTo(429);
      assertThat(denied.body()).isEmpty();
      assertThat(header(denied, "Content-Length")).isEqualTo("0");
      assertThat(denied.headers().map()).doesNotContainKey("content-type");
    }
  }

  @ParameterizedTest
  @EnumSource
  void applicationMayAnswerDenialsItself(Container container) throws Exception {
    WeirFilter filter =
        WeirFilter.builder(rules("rules: [{name: none, per: ip, limit: 1/hour}]"))
            .denials(
                (request, denied) ->
                    new DenialResponse(
                        420, Map.of("X-Rule", denied.rule().get().name()), "text/html", "<b>ü</b>"))
            .build();
    try (RunningServer server = container.start(folder, limited(filter))) {
      assertThat(server.status("/")).isEqualTo(200);
      HttpResponse<String> denied = server.get("/");
      assertThat(denied.statusCode()).isEqualTo(420);
      assertThat(header(denied, "X-Rule")).isEqualTo("none");
      assertThat(header(denied, "Content-Type")).startsWith("text/html");
      assertThat(header(denied, "Content-Length")).isEqualTo("9");
    }
  }

  @ParameterizedTest
  @EnumSource
  void blockedCallersAreForbidden(Container container) throws Exception {
    WeirFilter filter =
        WeirFilter.of(
            rules(
                "tiers: {closed: blocked}\nrules: [{name: a, tier: header X-Plan, default-tier: closed,"
                    + " blocked-status: 403}]"));
    try (RunningServer server = container.start(folder, limited(filter))) {
      HttpResponse<String> denied = server.get("/");
      assertThat(denied.statusCode()).isEqualTo(403);
      assertThat(denied.body()).contains("Forbidden");
      assertThat(denied.headers().map()).doesNotContainKey("retry-after");
    }
  }

  @ParameterizedTest
  @EnumSource
  void observerThatFailsKeepsNoPermit(Container container) throws Exception {
    RulesLimiter busy =
        rules("lint-ignore: needs-release\nrules: [{name: busy, concurrent: 1, expires: 1 hour}]");
    WeirFilter filter =
        WeirFilter.builder(busy)
            .observer(
                (request, admission) -> {
                  throw new IllegalStateException("on purpose");
                })
            .build();
    try (RunningServer server = container.start(folder, limited(filter))) {
      assertThat(server.status("/")).isEqualTo(500);
      assertThat(busy.admit(WebRequest.of("GET", "/")).allowed()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void onlyPathsOfTheScopeAreLimited(Container container) throws Exception {
    WeirFilter filter =
        WeirFilter.builder(rules("rules: [{name: one, limit: 1/hour}]"))
            .scope(PathScope.of(List.of("/api/**"), List.of("/api/health")))
            .build();
    try (RunningServer server = container.start(folder, limited(filter))) {
      assertThat(server.status("/api/x")).isEqualTo(200);
      assertThat(server.status("/api/health")).isEqualTo(200);
      assertThat(server.status("/other")).isEqualTo(200);
      assertThat(server.status("/api/x")).isEqualTo(429);
      for (String target :
          List.of("/other/../api/x", "//api/x", "/%61pi/x", "/api/health/../x", "/API/x")) {
        int status =
            server.rawStatus(
                "127.0.0.1", "GET " + target + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        assertThat(status).as(target).isNotEqualTo(200);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void closedWeirServesNothing(Container container) throws Exception {
    WeirFilter filter = WeirFilter.of(rules(TWO));
    try (RunningServer server = container.start(folder, limited(filter))) {
      weir.close();
      assertThat(server.status("/")).isEqualTo(500);
    }
  }

  @ParameterizedTest
  @EnumSource
  @SuppressWarnings("NullAway") // callers may not check
  void nullIsRejected(Container container) {
    assertThatThrownBy(() -> WeirFilter.of(null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("limiter: null (expected: a value)");
    assertThatThrownBy(() -> WeirFilter.builder(rules(TWO)).style(null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("style: null (expected: a value)");
    assertThat(container).isNotNull();
  }
}
