package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.spring.Apps.Running;
import dev.weir.testkit.redis.Await;
import dev.weir.testkit.redis.RedisServer;
import io.micrometer.common.KeyValue;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the actuator shows and changes. */
@Timeout(180)
class ActuatorTest {
  private static final String WEIR = "/actuator/weir/";
  private static final Map<String, String> PROPERTIES = new HashMap<>();

  static {
    PROPERTIES.put("weir.limits.hello.match.path", "/hello");
    PROPERTIES.put("weir.limits.hello.per", "ip");
    PROPERTIES.put("weir.limits.hello.limit", "1/hour");
    PROPERTIES.put("weir.calls.mail.limit", "3/hour");
    PROPERTIES.put("server.max-http-request-header-size", "64KB");
    PROPERTIES.put("server.netty.max-initial-line-length", "64KB");
    PROPERTIES.put("management.endpoints.web.exposure.include", "weir,health");
    PROPERTIES.put("management.endpoint.health.show-details", "always");
  }

  private final Http http = new Http();

  @ParameterizedTest
  @EnumSource(names = {"REACTIVE", "SERVLET"})
  void showsAndChanges(WebApplicationType type) throws Exception {
    try (Running app = Apps.start(type, PROPERTIES)) {
      String overview = http.get(app, "/actuator/weir").body();
      assertThat(overview).contains("\"name\":\"hello\"", "\"calls\":[\"mail\"]", "embedded");

      assertThat(http.get(app, "/hello").statusCode()).isEqualTo(200);
      assertThat(http.get(app, "/hello").statusCode()).isEqualTo(429);
      String explain = "/actuator/weir/explain?path=/hello&ip=127.0.0.1";
      assertThat(http.get(app, explain).body())
          .contains("\"allowed\":false", "\"remaining\":0", "\"retryAfter\":\"PT");
      assertThat(http.get(app, "/actuator/weir/explain?path=/free").body())
          .contains("\"applies\":false", "\"reason\":\"");
      assertThat(http.get(app, "/actuator/weir/peek?call=mail&key=acme").body())
          .contains("\"remaining\":3");

      assertResets(app);

      assertThat(http.get(app, "/actuator/health").body())
          .contains("\"weir\":{\"details\":{", "\"storeAnswers\":true");
      MeterRegistry registry = app.context().getBean(MeterRegistry.class);
      assertThat(
              registry
                  .get("weir.decisions")
                  .tag("rule", "hello")
                  .tag("outcome", "denied")
                  .counter()
                  .count())
          .isEqualTo(1);
    }
  }

  private void assertResets(Running app) throws Exception {
    String counters = "/actuator/weir/counters?path=/hello&ip=127.0.0.1";
    assertThat(http.delete(app, counters).body()).contains("{\"reset\":[\"hello\"]}");
    assertThat(http.get(app, "/hello").statusCode()).isEqualTo(200);
    assertThat(http.delete(app, "/actuator/weir/counters?call=mail&key=acme").body())
        .contains("mail");
  }

  @ParameterizedTest
  @EnumSource(names = {"REACTIVE", "SERVLET"})
  void saysWhatIsWrongWithAQuestion(WebApplicationType type) throws Exception {
    Map<String, String> properties = new HashMap<>(PROPERTIES);
    properties.put("weir.calls.export.concurrent", "2");
    try (Running app = Apps.start(type, properties)) {
      assertRefused(http.get(app, WEIR + "explain"), "path: none (expected: a value)");
      assertRefused(http.get(app, WEIR + "explain?path=a"), "path: a (expected: a path that");
      assertRefused(http.get(app, WEIR + "explain?path=/&ip=here"), "ip: here (expected: an addr");
      assertRefused(http.get(app, WEIR + "explain?path=/&header=nocolon"), "header: nocolon (exp");
      assertRefused(http.get(app, WEIR + "nothing?path=/"), "operation: nothing (expected: expl");
      assertRefused(http.get(app, WEIR + "peek?key=a"), "call: none (expected: a value)");
      assertRefused(http.get(app, WEIR + "peek?call=mail"), "key: none (expected: a value)");
      assertRefused(
          http.get(app, WEIR + "peek?call=nobody&key=a"), "nobody (expected: one of mail");
      assertRefused(http.get(app, WEIR + "peek?call=export&key=a"), "export (expected: ");
      assertRefused(http.get(app, WEIR + "peek?call=mail&key=" + "k".repeat(8_193)), "key: ");
      assertRefused(http.delete(app, WEIR + "rules?path=/"), "operation: rules (expected: count");
      assertRefused(http.delete(app, WEIR + "counters"), "path: none (expected: a value)");
      assertRefused(
          http.delete(app, WEIR + "counters?path=/&rule=nobody"),
          "rule: nobody (expected: one of [hello])");
      for (String odd : List.of("path=/%00", "path=/%0d%0a", "path=/&host=%20", "path=/&path=/b")) {
        assertThat(http.get(app, WEIR + "explain?" + odd).statusCode()).as(odd).isIn(200, 400);
      }
      assertThat(http.get(app, WEIR + "explain?path=/&method=%20").statusCode()).isIn(200, 400);
    }
  }

  private static void assertRefused(HttpResponse<String> response, String sentence) {
    assertThat(response.statusCode()).as(response.uri().toString()).isEqualTo(400);
    assertThat(response.body()).startsWith("{\"problem\":\"").contains(sentence);
  }

  @ParameterizedTest
  @EnumSource(names = {"REACTIVE", "SERVLET"})
  void answersWhileRedisHangs(WebApplicationType type) throws Exception {
    try (RedisServer redis = RedisServer.start()) {
      Map<String, String> properties = new HashMap<>(PROPERTIES);
      properties.put("weir.calls.mail.when-store-fails", "deny");
      properties.put("weir.store.url", redis.url());
      properties.put("weir.store.deadline", "300ms");
      try (Running app = Apps.start(type, properties)) {
        assertThat(http.get(app, "/hello").statusCode()).isEqualTo(200);
        assertThat(gauge(app, "weir.store.up")).isEqualTo(1);
        assertThat(counted(app, "weir.store.answers")).isPositive();
        redis.pause();
        assertThat(http.get(app, "/hello").headers().firstValue("Weir-Degraded")).contains("local");
        assertThat(http.get(app, WEIR + "explain?path=/hello&ip=127.0.0.1").statusCode())
            .isEqualTo(200);
        assertThat(http.get(app, WEIR + "peek?call=mail&key=a").statusCode()).isIn(200, 503);
        HttpResponse<String> reset = http.delete(app, WEIR + "counters?path=/hello&ip=127.0.0.1");
        assertThat(reset.statusCode()).isEqualTo(503);
        assertThat(reset.body()).isEqualTo("{\"problem\":\"the store does not answer\"}");
        assertThat(counted(app, "weir.store.failures")).isPositive();
        assertThat(counted(app, "weir.decisions.degraded", "way", "local")).isPositive();
        Await.until(
            "the health says so",
            Duration.ofSeconds(60),
            () -> health(app).contains("\"storeAnswers\":false"));
        assertThat(health(app)).as("it goes on").contains("\"status\":\"UP\"");
        assertThat(http.get(app, WEIR.substring(0, WEIR.length() - 1)).body())
            .contains("\"answering\":false");
        redis.resume();
      }
    }
  }

  private String health(Running app) {
    try {
      return http.get(app, "/actuator/health/weir").body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static double gauge(Running app, String name) {
    return app.context().getBean(MeterRegistry.class).get(name).gauge().value();
  }

  private static double counted(Running app, String name, String... tags) {
    return app
            .context()
            .getBean(MeterRegistry.class)
            .find(name)
            .tags(tags)
            .functionCounters()
            .stream()
            .mapToDouble(FunctionCounter::count)
            .sum()
        + app.context().getBean(MeterRegistry.class).find(name).tags(tags).counters().stream()
            .mapToDouble(Counter::count)
            .sum();
  }

  /** Collects what observations say of decisions. */
  @Configuration
  static class Observed {
    final Queue<String> seen = new ConcurrentLinkedQueue<>();

    @Bean
    ObservationHandler<Observation.Context> handler() {
      return new ObservationHandler<>() {
        @Override
        public void onStop(Observation.Context observed) {
          KeyValue outcome = observed.getHighCardinalityKeyValue("weir.outcome");
          KeyValue rule = observed.getHighCardinalityKeyValue("weir.rule");
          if ("http.server.requests".equals(observed.getName())) {
            seen.add(value(outcome) + " " + value(rule));
          }
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
          return true;
        }
      };
    }

    private static String value(@Nullable KeyValue tag) {
      return tag == null ? "-" : tag.getValue();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"REACTIVE", "SERVLET"})
  void decisionsAreAmongTheValuesOfTheObservation(WebApplicationType type) throws Exception {
    try (Running app = Apps.start(type, PROPERTIES, Observed.class)) {
      http.get(app, "/hello");
      http.get(app, "/hello");
      http.get(app, "/free");
      Observed observed = app.context().getBean(Observed.class);
      Await.until("three requests", Duration.ofSeconds(60), () -> observed.seen.size() >= 3);
      assertThat(observed.seen).containsExactlyInAnyOrder("allowed hello", "denied hello", "- -");
    }
  }
}
