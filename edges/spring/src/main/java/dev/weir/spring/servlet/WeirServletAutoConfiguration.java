package dev.weir.spring.servlet;

import dev.weir.library.RulesLimiter;
import dev.weir.library.Weir;
import dev.weir.library.web.DenialWriter;
import dev.weir.servlet.WeirFilter;
import dev.weir.spring.RequestIdentity;
import dev.weir.spring.StartupReport;
import dev.weir.spring.WebSettings;
import dev.weir.spring.WeirAutoConfiguration;
import dev.weir.spring.WeirProperties;
import dev.weir.spring.security.FilterOrder;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** Limits the requests of a servlet application. */
@AutoConfiguration(after = WeirAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass({Filter.class, FilterRegistrationBean.class})
@ConditionalOnProperty(name = "weir.enabled", matchIfMissing = true)
public class WeirServletAutoConfiguration {

  /** The filter; declare a {@link WeirFilter}, or a registration of one, to replace it. */
  @Bean
  @ConditionalOnMissingBean(
      value = WeirFilter.class,
      parameterizedContainer = FilterRegistrationBean.class)
  @ConditionalOnProperty(name = "weir.web.enabled", matchIfMissing = true)
  FilterRegistrationBean<WeirFilter> weirFilter(
      RulesLimiter rules,
      WeirProperties properties,
      DenialWriter denials,
      RequestIdentity identity,
      BeanFactory beans,
      Environment environment) {
    FilterOrder order = FilterOrder.servlet(properties, rules, beans, environment);
    WeirFilter filter =
        WeirFilter.builder(rules)
            .style(WebSettings.style(properties))
            .denials(denials)
            .scope(WebSettings.scope(properties))
            .identity(identity::principal)
            .observer(
                (request, admission) -> {
                  order.check();
                  TracedDecision.add(request, admission);
                })
            .build();
    FilterRegistrationBean<WeirFilter> registration = new FilterRegistrationBean<>(filter);
    registration.setName("weirFilter");
    registration.setOrder(order.value());
    registration.setDispatcherTypes(DispatcherType.REQUEST);
    registration.setAsyncSupported(true);
    return registration;
  }

  /** Says that the filter is active, or why the application does not start. */
  @Bean
  StartupReport weirStartupReport(
      Weir weir, RulesLimiter rules, WeirProperties properties, ListableBeanFactory beans) {
    return new StartupReport(weir, rules, properties, () -> RegisteredFilters.count(beans));
  }
}
