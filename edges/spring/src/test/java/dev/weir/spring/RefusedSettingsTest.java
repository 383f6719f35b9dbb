package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.library.RulesLimiter;
import dev.weir.library.Weir;
import dev.weir.library.limits.LimitSource;
import dev.weir.rule.Allowance;
import dev.weir.rules.yaml.RulesText;
import dev.weir.spring.Apps.Running;
import dev.weir.testkit.redis.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Settings that fit each for itself, but would have no effect together, are refused. */
class RefusedSettingsTest {
  private static final Map<String, String> RULE = Map.of("weir.limits.all.limit", "5/second");

  @Test
  void masterAndReplicasAtFixedAddresses() {
    Map<String, String> properties = new HashMap<>(RULE);
    properties.put("weir.store.use-spring-redis", "true");
    properties.put("spring.data.redis.masterreplica.nodes", "127.0.0.1:1,127.0.0.1:2");
    WeirStartupException refused =
        MisconfigurationTest.refused(WebApplicationType.SERVLET, properties);
    assertThat(refused)
        .hasMessageContaining(
            "weir.store.use-spring-redis: spring.data.redis.masterreplica.nodes: ");
    assertThat(refused.remedy()).contains("weir.store.url");
  }

  @ParameterizedTest
  @CsvSource({
    "REACTIVE, -101, -100, -99",
    "REACTIVE, -100, -100, -99",
    "SERVLET, -101, -100, -99",
    "SERVLET, 5, 5, 6"
  })
  void orderBeforeSpringSecurityIfARuleReadsThePrincipal(
      WebApplicationType type, String order, String security, String remedy) {
    Map<String, String> properties = new HashMap<>();
    properties.put("weir.limits.user.per", "principal");
    properties.put("weir.limits.user.limit", "1/hour");
    properties.put("weir.web.order", order);
    properties.put("spring.security.filter.order", security);
    WeirStartupException refused =
        MisconfigurationTest.refused(type, properties, Apps.Secured.class);
    assertThat(refused)
        .hasMessage(
            "weir.web.order: %s (expected: more than %s, the order of Spring Security, since a rule"
                + " reads principal)",
            order, security);
    assertThat(refused.remedy()).contains("at least " + remedy);
  }

  @ParameterizedTest
  @EnumSource(names = {"REACTIVE", "SERVLET"})
  @ExtendWith(OutputCaptureExtension.class)
  void newRuleThatReadsThePrincipalTooEarlyIsLogged(
      WebApplicationType type, @TempDir Path folder, CapturedOutput output) throws Exception {
    Path file = Files.writeString(folder.resolve("rules.yaml"), "rules: [{name: a, limit: 9/s}]\n");
    Map<String, String> properties = Map.of("weir.rules", file.toString());
    try (Running app = Apps.start(type, properties, Apps.Secured.class)) {
      RulesLimiter rules = app.context().getBean(RulesLimiter.class);
      String before = rules.version();
      Files.writeString(file, "rules: [{name: a, per: principal, limit: 9/s}]\n");
      Await.until(
          "the rules are reloaded", Duration.ofSeconds(60), () -> !rules.version().equals(before));
      new Http().get(app, "/hello");
      new Http().get(app, "/hello");
    }
    assertThat(output).containsOnlyOnce("A rule reads principal now, but the filter stands before");
  }

  /** A gateway whose routes name rules. */
  @Configuration
  static class Routes {
    @Bean
    RouteLimits routes() {
      return () -> Set.of("user");
    }
  }

  @Test
  void orderOfAGatewayMayBeBeforeSpringSecurity() {
    Map<String, String> properties =
        Map.of(
            "weir.limits.user.per", "principal",
            "weir.limits.user.limit", "1/hour",
            "weir.web.order", "-101");
    try (Running app =
        Apps.start(WebApplicationType.REACTIVE, properties, Apps.Secured.class, Routes.class)) {
      assertThat(app.context().isRunning()).isTrue();
    }
  }

  /** An application that builds a Weir. */
  @Configuration
  static class OwnWeir {
    @Bean
    Weir counters() {
      return Weir.inMemory();
    }
  }

  /** An application that loads rules. */
  @Configuration
  static class OwnRules {
    @Bean
    RulesLimiter limiter(Weir weir) {
      return weir.rules(RulesText.of("own rules", "rules: [{name: all, limit: 1/hour}]\n"));
    }
  }

  /** Limits of single callers. */
  @Configuration
  static class Callers {
    @Bean
    LimitSource callers() {
      return new LimitSource() {
        @Override
        public Set<String> rules() {
          return Set.of("all");
        }

        @Override
        public Optional<Allowance> limits(String rule, Map<String, String> caller) {
          return Optional.empty();
        }
      };
    }
  }

  @ParameterizedTest
  @CsvSource({
    "weir.store.url, redis://localhost",
    "weir.store.use-spring-redis, true",
    "weir.store.deadline, 5ms",
    "weir.store.required, true",
    "weir.key-secret, 0123456789abcdef0123456789abcdef"
  })
  void settingsOfTheStoreBesideAWeirOfTheApplication(String property, String value) {
    Map<String, String> properties = new HashMap<>(RULE);
    properties.put(property, value);
    WeirStartupException refused =
        MisconfigurationTest.refused(WebApplicationType.SERVLET, properties, OwnWeir.class);
    assertThat(refused)
        .hasMessage(
            "%s: set (expected: unset, since the application has a Weir of its own, bean counters)",
            property);
    assertThat(refused.remedy()).contains("WeirCustomizer", property);
  }

  @ParameterizedTest
  @CsvSource({
    "weir.rules, classpath:test-rules.yaml, weir.rules",
    "weir.limits.all.limit, 5/second, weir.limits",
    "weir.calls.mail.limit, 5/second, weir.calls",
    "weir.trusted-proxies, 127.0.0.1, weir.trusted-proxies"
  })
  void rulesBesideALimiterOfTheApplication(String property, String value, String named) {
    WeirStartupException refused =
        MisconfigurationTest.refused(
            WebApplicationType.SERVLET, Map.of(property, value), OwnRules.class);
    assertThat(refused)
        .hasMessage(
            "%s: set (expected: unset, since the application has a RulesLimiter of its own, bean"
                + " limiter)",
            named);
  }

  @Test
  void sourceOfLimitsBesideALimiterOfTheApplication() {
    assertThat(
            MisconfigurationTest.refused(
                WebApplicationType.SERVLET, Map.of(), OwnRules.class, Callers.class))
        .hasMessageStartingWith("bean of type LimitSource: set (expected: unset, since");
  }

  @Test
  void beansOfTheApplicationServeWithoutSuchSettings() throws Exception {
    try (Running app =
        Apps.start(WebApplicationType.SERVLET, Map.of(), OwnWeir.class, OwnRules.class)) {
      assertThat(new Http().get(app, "/hello").statusCode()).isEqualTo(200);
      assertThat(new Http().get(app, "/hello").statusCode()).isEqualTo(429);
    }
  }
}
