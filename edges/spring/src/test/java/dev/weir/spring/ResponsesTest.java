package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.library.Weir;
import dev.weir.spring.Apps.Running;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** What clients see of applications with rules in their properties. */
class ResponsesTest {
  private static final SharedApps APPS = new SharedApps(properties(), Paths.class);

  private final Http http = new Http();

  /** Answers with what was asked for. */
  @RestController
  static class Paths {
    @GetMapping("/r/{name}")
    String name(@PathVariable String name) {
      return name;
    }
  }

  private static Map<String, String> properties() {
    Map<String, String> all = new HashMap<>();
    all.put("weir.identity.user", "header X-User");
    rule(all, "two", "per", "ip", "limit", "2/hour", "algorithm", "fixed-window");
    rule(all, "users", "per", "user", "limit", "1/hour");
    rule(all, "both", "limit[0]", "100/hour", "limit[1]", "1/day", "algorithm", "fixed-window");
    rule(all, "closed", "limit", "blocked", "blocked-status", "403");
    rule(all, "shadowed", "limit", "1/hour", "shadow", "true");
    rule(all, "shaped", "limit", "10/second", "algorithm", "leaky-bucket");
    return all;
  }

  private static void rule(Map<String, String> all, String name, String... keys) {
    all.put("weir.limits." + name + ".match.path", "/r/" + name);
    for (int i = 0; i < keys.length; i += 2) {
      all.put("weir.limits." + name + "." + keys[i], keys[i + 1]);
    }
  }

  @AfterAll
  static void stop() {
    APPS.close();
  }

  private static String header(HttpResponse<?> response, String name) {
    List<String> values = response.headers().allValues(name);
    assertThat(values).as(name).hasSize(1);
    return values.get(0);
  }

  @ParameterizedTest
  @EnumSource
  void requestsPassWithHeadersUntilTheLimitIsReached(Setup setup) throws Exception {
    Running app = APPS.of(setup);
    HttpResponse<String> first = http.get(app, "/r/two");
    assertThat(first.statusCode()).isEqualTo(200);
    assertThat(first.body()).isEqualTo("two");
    assertThat(header(first, "X-RateLimit-Limit")).isEqualTo("2");
    assertThat(header(first, "X-RateLimit-Remaining")).isEqualTo("1");
    assertThat(Long.parseLong(header(first, "X-RateLimit-Reset"))).isPositive();
    assertThat(header(first, "RateLimit-Policy")).isEqualTo("\"two\";q=2;w=3600");
    assertThat(header(first, "RateLimit")).matches("\"two\";r=1;t=[0-9]+");
    assertThat(first.headers().map())
        .doesNotContainKeys("retry-after", "weir-degraded", "cache-control");

    assertThat(http.get(app, "/r/two?query=1").statusCode()).isEqualTo(200);
    HttpResponse<String> denied = http.get(app, "/r/two");
    assertThat(denied.statusCode()).isEqualTo(429);
    assertThat(header(denied, "X-RateLimit-Limit")).isEqualTo("2");
    assertThat(header(denied, "X-RateLimit-Remaining")).isEqualTo("0");
    assertThat(Long.parseLong(header(denied, "X-RateLimit-Reset"))).isPositive();
    assertThat(header(denied, "RateLimit-Policy")).isEqualTo("\"two\";q=2;w=3600");
    assertThat(header(denied, "RateLimit")).matches("\"two\";r=0;t=[0-9]+");
    long wait = Long.parseLong(header(denied, "Retry-After"));
    assertThat(wait).isBetween(1L, 3600L);
    assertThat(header(denied, "Cache-Control")).isEqualTo("no-store");
    assertThat(header(denied, "Content-Type")).isEqualTo("application/problem+json");
    assertThat(header(denied, "Content-Length")).isEqualTo("" + denied.body().length());
    assertThat(denied.headers().map()).doesNotContainKey("weir-degraded");
    assertThat(denied.body())
        .isEqualTo(
            "{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\","
                + "\"title\":\"Too many requests\",\"status\":429,\"detail\":\"Try again in "
                + wait
                + " s.\",\"violated-policies\":[\"two\"]}");
  }

  @ParameterizedTest
  @EnumSource
  void requestsThatNoRuleIsAboutAreLeftAlone(Setup setup) throws Exception {
    HttpResponse<String> free = http.get(APPS.of(setup), "/free");
    assertThat(free.statusCode()).isEqualTo(200);
    assertThat(free.headers().map())
        .doesNotContainKeys("x-ratelimit-limit", "ratelimit", "ratelimit-policy");
  }

  @ParameterizedTest
  @EnumSource
  void callersAreCountedApart(Setup setup) throws Exception {
    Running app = APPS.of(setup);
    assertThat(http.get(app, "/r/users", "X-User", "ann").statusCode()).isEqualTo(200);
    assertThat(http.get(app, "/r/users", "X-User", "ann").statusCode()).isEqualTo(429);
    assertThat(http.get(app, "/r/users", "X-User", "bob").statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @EnumSource
  void severalLimitsOfARuleAreOneDecision(Setup setup) throws Exception {
    Running app = APPS.of(setup);
    HttpResponse<String> first = http.get(app, "/r/both");
    assertThat(first.statusCode()).isEqualTo(200);
    assertThat(String.join(", ", first.headers().allValues("RateLimit-Policy")))
        .contains("q=100;w=3600", "q=1;w=86400");
    assertThat(http.get(app, "/r/both").statusCode()).isEqualTo(429);
  }

  @ParameterizedTest
  @EnumSource
  void blockedCallersAreForbidden(Setup setup) throws Exception {
    HttpResponse<String> denied = http.get(APPS.of(setup), "/r/closed");
    assertThat(denied.statusCode()).isEqualTo(403);
    assertThat(denied.body()).contains("\"status\":403", "Forbidden");
    assertThat(header(denied, "Cache-Control")).isEqualTo("no-store");
    assertThat(denied.headers().map()).doesNotContainKey("retry-after");
  }

  @ParameterizedTest
  @EnumSource
  void rulesInShadowDenyNothing(Setup setup) throws Exception {
    Running app = APPS.of(setup);
    for (int i = 0; i < 3; i++) {
      assertThat(http.get(app, "/r/shadowed").statusCode()).isEqualTo(200);
    }
  }

  /** The second one waits in the bucket; that it does so on no thread is tested elsewhere. */
  @ParameterizedTest
  @EnumSource
  void shapedRequestsPassLater(Setup setup) throws Exception {
    Running app = APPS.of(setup);
    for (int i = 0; i < 3; i++) {
      HttpResponse<String> passed = http.get(app, "/r/shaped");
      assertThat(passed.statusCode()).isEqualTo(200);
      assertThat(passed.body()).isEqualTo("shaped");
    }
  }

  @ParameterizedTest
  @EnumSource
  void storeIsTheOneThatIsConfigured(Setup setup) {
    Weir weir = APPS.of(setup).context().getBean(Weir.class);
    assertThat(weir.store().shared()).isEqualTo(setup.isOnRedis());
    assertThat(weir.store().answering()).isTrue();
  }
}
