package dev.weir.spring.method.proxy;

import dev.weir.spring.WeirAutoConfiguration;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/** Limits the calls of methods that are annotated. */
@AutoConfiguration(after = WeirAutoConfiguration.class)
public class WeirMethodAutoConfiguration {

  /** Limits the methods of beans. */
  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  @ConditionalOnProperty(name = "weir.enabled", matchIfMissing = true)
  static LimitedBeans weirLimitedBeans(Environment environment) {
    LimitedBeans beans = new LimitedBeans();
    beans.setProxyTargetClass(
        environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true));
    return beans;
  }

  /** Says that methods are not limited. */
  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  @ConditionalOnProperty(name = "weir.enabled", havingValue = "false")
  static DisabledLimits weirDisabledLimits() {
    return new DisabledLimits();
  }
}
