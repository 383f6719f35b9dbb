package dev.weir.spring.gateway;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.ratelimit.RateLimiter;
import org.springframework.cloud.gateway.support.ConfigurationService;
import org.springframework.context.annotation.Bean;

/**
 * Lets requests pass the filter {@code Weir} of routes while {@code weir.enabled} is false. The
 * filter {@code RequestRateLimiter} has the limiter of the gateway or the application again; where
 * there is none, it lets all requests pass too, so that the routes need not change.
 */
@AutoConfiguration(
    afterName = "org.springframework.cloud.gateway.config.GatewayRedisAutoConfiguration",
    beforeName = "org.springframework.cloud.gateway.config.GatewayAutoConfiguration")
@ConditionalOnClass(GatewayFilter.class)
@ConditionalOnProperty(name = "weir.enabled", havingValue = "false")
public class WeirGatewayDisabledAutoConfiguration {
  private static final Logger LOG = LoggerFactory.getLogger("dev.weir");

  /** The filter {@code Weir} of routes. */
  @Bean
  DisabledFilterFactory weirGatewayFilterFactory() {
    LOG.warn("Routes are not limited by Weir, since weir.enabled is false");
    return new DisabledFilterFactory();
  }

  /** The limiter of the filter {@code RequestRateLimiter}. */
  @Bean
  @ConditionalOnMissingBean(RateLimiter.class)
  DisabledRateLimiter weirRateLimiter(ConfigurationService configuration) {
    LOG.warn(
        "Routes are not limited by RequestRateLimiter, since weir.enabled is false and there is no"
            + " other RateLimiter");
    return new DisabledRateLimiter(configuration);
  }
}
