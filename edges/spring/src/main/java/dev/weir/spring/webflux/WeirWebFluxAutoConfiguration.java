package dev.weir.spring.webflux;

import dev.weir.library.RulesLimiter;
import dev.weir.library.Weir;
import dev.weir.library.web.DenialWriter;
import dev.weir.spring.RequestIdentity;
import dev.weir.spring.RouteLimits;
import dev.weir.spring.StartupReport;
import dev.weir.spring.WebSettings;
import dev.weir.spring.WeirAutoConfiguration;
import dev.weir.spring.WeirProperties;
import dev.weir.spring.security.FilterOrder;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.reactive.DispatcherHandler;

/** Limits the requests of a WebFlux application. */
@AutoConfiguration(after = WeirAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass(DispatcherHandler.class)
@ConditionalOnProperty(name = "weir.enabled", matchIfMissing = true)
public class WeirWebFluxAutoConfiguration {

  /** The filter; declare one to replace it. */
  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnProperty(name = "weir.web.enabled", matchIfMissing = true)
  WeirWebFilter weirWebFilter(
      RulesLimiter rules,
      WeirProperties properties,
      DenialWriter denials,
      RequestIdentity identity,
      ObjectProvider<RouteLimits> routes,
      BeanFactory beans) {
    RouteLimits named = routes.getIfAvailable();
    FilterOrder order =
        named == null
            ? FilterOrder.webFlux(properties, rules, beans)
            : FilterOrder.gateway(properties, rules);
    return WeirWebFilter.builder(named == null ? rules : rules.except(named::ruleNames))
        .style(WebSettings.style(properties))
        .denials(denials)
        .scope(WebSettings.scope(properties))
        .identity(identity)
        .order(order.value())
        .observer(
            (exchange, admission) -> {
              order.check();
              TracedDecision.add(exchange, admission);
            })
        .build();
  }

  /** Says that the filter is active, or why the application does not start. */
  @Bean
  StartupReport weirStartupReport(
      Weir weir, RulesLimiter rules, WeirProperties properties, ListableBeanFactory beans) {
    return new StartupReport(weir, rules, properties, () -> RegisteredWebFilters.count(beans));
  }
}
