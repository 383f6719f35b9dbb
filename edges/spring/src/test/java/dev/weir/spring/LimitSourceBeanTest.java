package dev.weir.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.weir.Limit;
import dev.weir.library.limits.LimitSource;
import dev.weir.rule.Allowance;
import dev.weir.spring.Apps.Running;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Limits of tenants from a bean of the application. */
class LimitSourceBeanTest {
  private static final Map<String, String> ONCE =
      Map.of(
          "weir.identity.tenant", "header X-Tenant",
          "weir.lint-ignore", "forgeable-key",
          "weir.limits.each-tenant.per", "tenant",
          "weir.limits.each-tenant.limit", "1/hour",
          "weir.limits.each-tenant.algorithm", "fixed-window");

  private final Http http = new Http();

  /** Has limits of one tenant. */
  @Configuration
  static class Tenants {
    @Bean
    LimitSource tenants() {
      return source("each-tenant");
    }
  }

  /** Names a rule that there is not. */
  @Configuration
  static class Mistyped {
    @Bean
    LimitSource tenants() {
      return source("each-tenent");
    }
  }

  private static LimitSource source(String rule) {
    return new LimitSource() {
      @Override
      public Set<String> rules() {
        return Set.of(rule);
      }

      @Override
      public Optional<Allowance> limits(String name, Map<String, String> caller) {
        return Optional.ofNullable(caller.get("tenant"))
            .filter("acme"::equals)
            .map(tenant -> Allowance.of(Limit.fixedWindow(3, Duration.ofHours(1))));
      }

      @Override
      public Duration maxWait() {
        return Duration.ofMinutes(1); // this machine may be busy
      }
    };
  }

  @ParameterizedTest
  @EnumSource(names = {"REACTIVE", "SERVLET"})
  void tenantsHaveTheirLimitsFromTheFirstRequestOn(WebApplicationType type) throws Exception {
    try (Running app = Apps.start(type, ONCE, Tenants.class)) {
      for (String left : new String[] {"2", "1", "0"}) {
        var response = http.get(app, "/hello", "X-Tenant", "acme");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("X-RateLimit-Remaining")).contains(left);
      }
      assertThat(http.get(app, "/hello", "X-Tenant", "acme").statusCode()).isEqualTo(429);
      assertThat(http.get(app, "/hello", "X-Tenant", "other").statusCode()).isEqualTo(200);
      assertThat(http.get(app, "/hello", "X-Tenant", "other").statusCode()).isEqualTo(429);
    }
  }

  @Test
  void sourceForAnUnknownRuleIsRefusedAtStart() {
    Throwable refused =
        catchThrowable(() -> Apps.start(WebApplicationType.SERVLET, ONCE, Mistyped.class));
    assertThat(refused)
        .hasRootCauseInstanceOf(IllegalArgumentException.class)
        .hasStackTraceContaining("bean of type LimitSource: ")
        .hasStackTraceContaining(".rules: each-tenent (expected: one of each-tenant)");
  }
}
