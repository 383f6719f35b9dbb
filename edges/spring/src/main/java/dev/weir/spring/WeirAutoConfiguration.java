package dev.weir.spring;

import dev.weir.library.RulesLimiter;
import dev.weir.library.Weir;
import dev.weir.library.limits.LimitSource;
import dev.weir.library.web.DenialWriter;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnNotWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.io.ResourceLoader;

/** Makes the limiter of an application by its properties. */
@AutoConfiguration(
    afterName = {
      "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
      "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
    })
@ConditionalOnProperty(name = "weir.enabled", matchIfMissing = true)
@EnableConfigurationProperties(WeirProperties.class)
public class WeirAutoConfiguration {
  private boolean madeWeir;
  private boolean madeRules;

  /** The counters. */
  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  Weir weir(
      WeirProperties properties, BeanFactory beans, ObjectProvider<WeirCustomizer> customizers) {
    madeWeir = true;
    return WeirFactory.create(properties, beans, customizers.orderedStream().toList());
  }

  /** The rules. */
  @Bean
  @ConditionalOnMissingBean
  RulesLimiter weirRules(
      Weir weir,
      WeirProperties properties,
      ResourceLoader resources,
      ObjectProvider<RouteLimits> routes,
      ObjectProvider<LimitSource> callers) {
    madeRules = true;
    boolean routesHaveLimits = routes.stream().findAny().isPresent();
    RulesLimiter rules = RulesFactory.create(weir, properties, resources, routesHaveLimits);
    LimitSource source = callers.getIfAvailable();
    return source == null ? rules : RulesFactory.limitsFrom(rules, source);
  }

  /** Refuses settings that have no effect, since the application has beans of its own. */
  @Bean
  SmartInitializingSingleton weirIgnoredSettings(
      Weir weir, RulesLimiter rules, WeirProperties properties, ListableBeanFactory beans) {
    return () -> {
      if (!madeWeir) {
        WeirFactory.requireUnset(properties, own(beans, Weir.class));
      }
      if (!madeRules) {
        boolean source = beans.getBeanNamesForType(LimitSource.class, true, false).length > 0;
        RulesFactory.requireUnset(properties, source, own(beans, RulesLimiter.class));
      }
    };
  }

  /** The bean of this context; empty if it is in a parent, which has checked the settings. */
  private static Optional<String> own(ListableBeanFactory beans, Class<?> type) {
    return Stream.of(beans.getBeanNamesForType(type, true, false)).findFirst();
  }

  /** The name of the user whom the application has authenticated. */
  @Bean
  @ConditionalOnMissingBean
  RequestIdentity weirRequestIdentity() {
    return (request, user) -> user == null ? null : user.getName();
  }

  /** Answers denied requests. */
  @Bean
  @ConditionalOnMissingBean
  DenialWriter weirDenialWriter(WeirProperties properties) {
    return DenialWriter.of(WebSettings.style(properties));
  }

  /** Says what is limited in an application without a web server. */
  @Bean
  @ConditionalOnNotWebApplication
  StartupReport weirStartupReport(Weir weir, RulesLimiter rules, WeirProperties properties) {
    return new StartupReport(weir, rules, properties, () -> 0);
  }
}
