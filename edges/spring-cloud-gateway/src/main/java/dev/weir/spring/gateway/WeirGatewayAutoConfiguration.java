package dev.weir.spring.gateway;

import dev.weir.library.RulesLimiter;
import dev.weir.library.Weir;
import dev.weir.library.web.DenialWriter;
import dev.weir.spring.RequestIdentity;
import dev.weir.spring.WeirAutoConfiguration;
import dev.weir.spring.WeirProperties;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.support.ConfigurationService;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/** Limits the routes of Spring Cloud Gateway. */
@AutoConfiguration(
    after = WeirAutoConfiguration.class,
    beforeName = "org.springframework.cloud.gateway.config.GatewayAutoConfiguration")
@ConditionalOnClass(GatewayFilter.class)
@ConditionalOnProperty(name = "weir.enabled", matchIfMissing = true)
public class WeirGatewayAutoConfiguration {

  /** The rules that apply only to the routes that name them. */
  @Bean
  @ConditionalOnMissingBean
  RouteRules weirRouteRules() {
    return new RouteRules();
  }

  /** The filter {@code Weir} of routes. */
  @Bean
  @ConditionalOnMissingBean
  WeirGatewayFilterFactory weirGatewayFilterFactory(
      RulesLimiter rules,
      WeirProperties properties,
      DenialWriter denials,
      RequestIdentity identity,
      RouteRules named) {
    return new WeirGatewayFilterFactory(rules, properties, denials, identity, named);
  }

  /** The limiter of the filter {@code RequestRateLimiter}, before the gateway's own. */
  @Bean
  @Primary
  @ConditionalOnMissingBean
  WeirRateLimiter weirRateLimiter(Weir weir, ConfigurationService configuration) {
    return new WeirRateLimiter(weir, configuration);
  }

  /** Says that nothing is limited, if so. */
  @Bean
  @ConditionalOnProperty(name = "weir.web.enabled", matchIfMissing = true)
  RouteReport weirRouteReport(RulesLimiter rules, RouteRules named, WeirRateLimiter limiter) {
    return new RouteReport(rules, named, limiter);
  }
}
