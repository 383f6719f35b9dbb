package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.weir.library.RulesLimiter;
import dev.weir.servlet.WeirFilter;
import dev.weir.spring.Apps.Running;
import dev.weir.spring.webflux.WeirWebFilter;
import dev.weir.testkit.redis.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Applications that would not limit what they should do not start, and say why. */
class MisconfigurationTest {
  private static final Map<String, String> RULE = Map.of("weir.limits.all.limit", "5/second");

  @ParameterizedTest
  @EnumSource(names = {"REACTIVE", "SERVLET"})
  void needsRules(WebApplicationType type) {
    WeirStartupException refused = refused(type, Map.of());
    assertThat(refused).hasMessageContaining("weir.rules: none (expected: rules in weir.rules");
    assertThat(refused.remedy()).contains("weir.limits.everyone.limit", "weir.web.enabled=false");
  }

  @Test
  void startsWithoutRulesIfRequestsAreNotLimited() {
    Map<String, String> off = Map.of("weir.web.enabled", "false");
    try (Running app = Apps.start(WebApplicationType.SERVLET, off)) {
      assertThat(app.context().getBean(RulesLimiter.class).active().isLoaded()).isTrue();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "weir.rules | /nowhere/rules.yaml | weir.rules: /nowhere/rules.yaml (expected: a file",
        "weir.rules | classpath:nowhere.yaml | weir.rules: classpath:nowhere.yaml (expected: a",
        "weir.limits.all.limit | many | weir.limits.all: limit: many (expected:",
        "weir.limits.all.burts | 5 | weir.limits.all: ",
        "weir.limits.all.per | nobody | weir.limits.all: per: ",
        "weir.store.url | http://localhost | weir.store.url: ",
        "weir.store.url | redis://u:secret@x@y | weir.store.url: ",
        "weir.store.deadline | 25ms | weir.store.deadline: PT0.025S (expected: only with Redis)",
        "weir.store.required | true | weir.store.required: true (expected: only with Redis)",
        "weir.store.use-spring-redis | maybe | ",
        "weir.key-secret | short | weir.key-secret: *** (expected: 32 hexadecimal digits)",
        "weir.web.status | 200 | weir.web.status: status: 200 (expected:",
        "weir.web.body | xml | ",
        "weir.web.headers | x-nothing | ",
        "weir.web.ordre | 1 | ",
        "weir.web.order | first | ",
        "weir.store.urls | redis://localhost | ",
        "weir.trusted-proxies | nowhere | weir.trusted-proxies: ",
        "weir.identity.user | heeder X-User | weir.identity: ",
        "weir.limits.all.when-store-fails | panic | weir.limits.all: when-store-fails: panic (exp",
        "weir.calls.mail.limit | 0/second | weir.calls.mail: ",
        "weir.web.include | api | weir.web.include, weir.web.exclude: ",
        "weir.when-store-fails | sometimes | ",
        "weir.limitz.all.limit | 5/second | "
      })
  void namesTheProperty(String property, String value, String problem) {
    Map<String, String> properties = new HashMap<>(RULE);
    properties.put(property, value);
    Throwable failure = failure(WebApplicationType.SERVLET, properties);
    if (problem == null) { // Spring itself refuses it
      assertThat(failure).hasStackTraceContaining(property);
    } else {
      assertThat(cause(failure)).hasMessageContaining(problem);
      assertThat(cause(failure).remedy()).isNotBlank();
      assertThat(cause(failure).getMessage()).doesNotContain("secret@");
    }
  }

  @Test
  void needsAWebApplicationForRulesAboutRequests() {
    assertThat(refused(WebApplicationType.NONE, RULE))
        .hasMessageContaining("1 rule for requests, but no filter is registered");
  }

  /** Two filters for servlets. */
  @Configuration
  static class TwoServletFilters {
    @Bean
    WeirFilter one(RulesLimiter rules) {
      return WeirFilter.of(rules);
    }

    @Bean
    WeirFilter two(RulesLimiter rules) {
      return WeirFilter.of(rules);
    }
  }

  /** Two filters for WebFlux. */
  @Configuration
  static class TwoWebFilters {
    @Bean
    WeirWebFilter one(RulesLimiter rules) {
      return WeirWebFilter.builder(rules).build();
    }

    @Bean
    WeirWebFilter two(RulesLimiter rules) {
      return WeirWebFilter.builder(rules).build();
    }
  }

  /** A filter for WebFlux. */
  @Configuration
  static class OneWebFilter {
    @Bean
    WeirWebFilter mine(RulesLimiter rules) {
      return WeirWebFilter.builder(rules).build();
    }
  }

  /** A filter for servlets. */
  @Configuration
  static class OneServletFilter {
    @Bean
    WeirFilter mine(RulesLimiter rules) {
      return WeirFilter.of(rules);
    }
  }

  @Test
  void refusesTwoFilters() {
    assertThat(refused(WebApplicationType.SERVLET, RULE, TwoServletFilters.class))
        .hasMessage("2 filters of Weir are registered (expected: 1)");
    assertThat(refused(WebApplicationType.REACTIVE, RULE, TwoWebFilters.class))
        .hasMessage("2 filters of Weir are registered (expected: 1)");
  }

  @Test
  void refusesAFilterOfTheOtherKind() {
    assertThat(refused(WebApplicationType.SERVLET, RULE, OneWebFilter.class))
        .hasMessageContaining("bean mine: WeirWebFilter (expected: WeirFilter");
    assertThat(refused(WebApplicationType.REACTIVE, RULE, OneServletFilter.class))
        .hasMessageContaining("bean mine: WeirFilter (expected: WeirWebFilter");
  }

  @Test
  void replacesItsFilterByThatOfTheApplication() {
    try (Running app = Apps.start(WebApplicationType.SERVLET, RULE, OneServletFilter.class)) {
      assertThat(app.context().getBeanNamesForType(WeirFilter.class)).containsExactly("mine");
      assertThat(app.context().containsBean("weirFilter")).isFalse();
    }
  }

  /** A registration that the container does not call. */
  @Configuration
  static class DisabledFilter {
    @Bean
    FilterRegistrationBean<WeirFilter> off(RulesLimiter rules) {
      FilterRegistrationBean<WeirFilter> off = new FilterRegistrationBean<>(WeirFilter.of(rules));
      off.setEnabled(false);
      return off;
    }
  }

  @Test
  void refusesAFilterThatIsNeverCalled() {
    assertThat(refused(WebApplicationType.SERVLET, RULE, DisabledFilter.class))
        .hasMessageContaining("1 rule for requests, but no filter is registered");
  }

  @Test
  void refusesFiltersOfBothKinds() {
    for (WebApplicationType type :
        List.of(WebApplicationType.SERVLET, WebApplicationType.REACTIVE)) {
      WeirStartupException refused =
          refused(type, RULE, OneServletFilter.class, OneMoreWebFilter.class);
      assertThat(refused).hasMessageContaining("(expected: Weir");
      assertThat(refused.remedy()).contains("Remove the bean", "spring.main.web-application-type");
    }
  }

  /** A filter for WebFlux under another name. */
  @Configuration
  static class OneMoreWebFilter {
    @Bean
    WeirWebFilter another(RulesLimiter rules) {
      return WeirWebFilter.builder(rules).build();
    }
  }

  @Test
  void namesThePlaceInARulesFile(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("rules.yaml");
    Files.writeString(file, "rules:\n  - {name: a, limit: many}\n");
    Map<String, String> properties = Map.of("weir.rules", file.toString());
    assertThat(refused(WebApplicationType.SERVLET, properties))
        .hasMessageContaining("rules.yaml:2:")
        .hasMessageContaining("limit: many (expected:");
    Path empty = Files.createDirectory(folder.resolve("empty"));
    assertThat(refused(WebApplicationType.SERVLET, Map.of("weir.rules", empty.toString())))
        .hasMessageContaining("empty");
  }

  @Test
  void namesThePropertyOfARedisThatCannotBeUsed() {
    try (RedisServer redis = RedisServer.start("requirepass secret")) {
      Map<String, String> properties = new HashMap<>(RULE);
      properties.put("weir.store.url", "redis://:wrong-password@127.0.0.1:" + redis.port());
      WeirStartupException refused = refused(WebApplicationType.SERVLET, properties);
      assertThat(refused).hasMessageContaining("weir.store.url: ");
      assertThat(refused.getMessage() + refused.remedy()).doesNotContain("wrong-password");
      properties.put("weir.store.use-spring-redis", "true");
      assertThat(refused(WebApplicationType.SERVLET, properties))
          .hasMessage(
              "weir.store.use-spring-redis: true (expected: not together with"
                  + " weir.store.url)");
    }
  }

  @Test
  void namesTheSecretThatOthersDoNotUse() {
    try (RedisServer redis = RedisServer.start()) {
      Map<String, String> properties = new HashMap<>(RULE);
      properties.put("weir.store.url", redis.url());
      properties.put("weir.key-secret", "ab".repeat(16));
      Apps.start(WebApplicationType.SERVLET, properties).close();
      properties.put("weir.key-secret", "cd".repeat(16));
      WeirStartupException refused = refused(WebApplicationType.SERVLET, properties);
      assertThat(refused).hasMessageContaining("weir.key-secret: ");
      assertThat(refused.getMessage()).doesNotContain("cdcd");
    }
  }

  @Test
  void needsTheRedisOfSpringToUseIt() {
    Map<String, String> properties = new HashMap<>(RULE);
    properties.put("weir.store.use-spring-redis", "true");
    properties.put("spring.data.redis.client-type", "jedis");
    assertThat(refused(WebApplicationType.SERVLET, properties))
        .hasMessage(
            "weir.store.use-spring-redis: true (expected: an application with Spring Data Redis on"
                + " Lettuce)");
  }

  @Test
  @ExtendWith(OutputCaptureExtension.class)
  void printsTheReasonAndTheRemedyWithoutAStackTrace(CapturedOutput output) {
    Map<String, String> properties = Map.of("weir.rules", "/nowhere/rules.yaml");
    assertThat(refused(WebApplicationType.REACTIVE, properties)).isNotNull();
    assertThat(output)
        .contains("APPLICATION FAILED TO START")
        .contains("weir.rules: /nowhere/rules.yaml (expected: a file that can be read")
        .contains("Point weir.rules to a rules file")
        .doesNotContain("\tat dev.weir");
  }

  static WeirStartupException refused(
      WebApplicationType type, Map<String, String> properties, Class<?>... more) {
    return cause(failure(type, properties, more));
  }

  private static Throwable failure(
      WebApplicationType type, Map<String, String> properties, Class<?>... more) {
    Throwable failure = catchThrowable(() -> Apps.start(type, properties, more).close());
    assertThat(failure).as("the failed start with %s", properties).isNotNull();
    return failure;
  }

  private static WeirStartupException cause(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof WeirStartupException found) {
        return found;
      }
    }
    throw new AssertionError("not refused by Weir", failure);
  }
}
