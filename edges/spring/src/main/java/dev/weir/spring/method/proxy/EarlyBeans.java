package dev.weir.spring.method.proxy;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.AbstractBeanFactory;

/**
 * Limits beans that are made before the post-processor for all others is registered, since other
 * post-processors need them. From then on it does nothing. Thread-safe.
 */
final class EarlyBeans implements BeanPostProcessor {
  private final AbstractBeanFactory factory;
  private final BeanPostProcessor limits;
  private volatile boolean over;

  EarlyBeans(AbstractBeanFactory factory, BeanPostProcessor limits) {
    this.factory = factory;
    this.limits = limits;
  }

  @Override
  public @Nullable Object postProcessAfterInitialization(Object bean, String name) {
    if (!over && factory.getBeanPostProcessors().contains(limits)) {
      over = true;
    }
    return over ? bean : limits.postProcessAfterInitialization(bean, name);
  }
}
