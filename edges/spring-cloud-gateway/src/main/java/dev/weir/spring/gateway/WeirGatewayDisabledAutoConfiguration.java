package dev.weir.spring.gateway;

import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.support.ConfigurationService;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/** Lets all requests of routes pass while {@code weir.enabled} is false. */
@AutoConfiguration(beforeName = "org.springframework.cloud.gateway.config.GatewayAutoConfiguration")
@ConditionalOnClass(GatewayFilter.class)
@ConditionalOnProperty(name = "weir.enabled", havingValue = "false")
public class WeirGatewayDisabledAutoConfiguration {

  /** The filter {@code Weir} of routes. */
  @Bean
  DisabledFilterFactory weirGatewayFilterFactory() {
    LoggerFactory.getLogger("dev.weir")
        .warn("Routes are not limited by Weir and RequestRateLimiter, since weir.enabled is false");
    return new DisabledFilterFactory();
  }

  /** The limiter of the filter {@code RequestRateLimiter}. */
  @Bean
  @Primary
  DisabledRateLimiter weirRateLimiter(ConfigurationService configuration) {
    return new DisabledRateLimiter(configuration);
  }
}
