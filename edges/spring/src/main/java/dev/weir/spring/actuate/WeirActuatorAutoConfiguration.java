package dev.weir.spring.actuate;

import dev.weir.library.RulesLimiter;
import dev.weir.library.Weir;
import dev.weir.spring.WeirAutoConfiguration;
import dev.weir.spring.WeirCustomizer;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The endpoint, the health and the metrics of Weir, as far as the application has an actuator. */
@AutoConfiguration(after = WeirAutoConfiguration.class)
@ConditionalOnProperty(name = "weir.enabled", matchIfMissing = true)
public class WeirActuatorAutoConfiguration {

  /** The endpoint. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
  static class EndpointConfiguration {
    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnAvailableEndpoint
    WeirEndpoint weirEndpoint(Weir weir, RulesLimiter rules) {
      return new WeirEndpoint(weir, rules);
    }
  }

  /** The health. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
  static class HealthConfiguration {
    @Bean
    @ConditionalOnMissingBean(name = "weirHealthIndicator")
    @ConditionalOnEnabledHealthIndicator("weir")
    HealthIndicator weirHealthIndicator(Weir weir, RulesLimiter rules) {
      return new WeirHealthIndicator(weir, rules);
    }
  }

  /** The metrics, in the registry of the application. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(MeterRegistry.class)
  static class MetricsConfiguration {
    @Bean
    WeirCustomizer weirMetrics(ObjectProvider<MeterRegistry> registries) {
      return weir -> registries.ifUnique(weir::meterRegistry);
    }
  }
}
