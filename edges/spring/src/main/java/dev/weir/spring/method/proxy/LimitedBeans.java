package dev.weir.spring.method.proxy;

import dev.weir.spring.method.call.LimitReader;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanFactory;

/**
 * Puts a proxy around beans with annotated methods, or the limits into the proxy that they have:
 * before everything else, so that a call which is denied begins no transaction. When all beans are
 * there, it checks the annotations of those that are made later. Thread-safe.
 *
 * <p>As a post-processor of the factory it is there before all post-processors of beans, so that
 * the beans which those need are limited too.
 */
final class LimitedBeans extends AbstractBeanFactoryAwareAdvisingPostProcessor
    implements BeanFactoryPostProcessor, SmartInitializingSingleton {
  private static final long serialVersionUID = 1;
  private static final Logger LOG = LoggerFactory.getLogger("dev.weir");

  private transient LimitedMethods methods;
  private transient ConfigurableListableBeanFactory beans;

  @SuppressWarnings("NullAway.Init") // by the bean factory
  LimitedBeans() {
    setBeforeExistingAdvisors(true);
  }

  @Override
  public void setBeanFactory(BeanFactory factory) {
    super.setBeanFactory(factory);
    beans = (ConfigurableListableBeanFactory) factory;
    methods = new LimitedMethods(new LimitReader(beans));
    advisor = advisor(methods);
  }

  @Override
  public void postProcessBeanFactory(ConfigurableListableBeanFactory factory) {
    factory.addBeanPostProcessor(new EarlyBeans((AbstractBeanFactory) factory, this));
  }

  private static Advisor advisor(LimitedMethods methods) {
    StaticMethodMatcherPointcut pointcut =
        new StaticMethodMatcherPointcut() {
          @Override
          public boolean matches(Method method, Class<?> targetClass) {
            return methods.find(method, targetClass) != null;
          }
        };
    return new DefaultPointcutAdvisor(pointcut, new LimitInterceptor(methods));
  }

  @Override
  protected boolean isEligible(Class<?> targetClass) {
    return methods.areIn(targetClass, isProxyTargetClass());
  }

  @Override
  public void afterSingletonsInstantiated() {
    for (String name : beans.getBeanDefinitionNames()) {
      Class<?> type = beans.containsSingleton(name) ? null : typeOf(name);
      if (type != null) {
        var unused = methods.areIn(type, isProxyTargetClass());
      }
    }
    int count = methods.open();
    if (count > 0) {
      LOG.info("Weir limits {} annotated {}", count, count == 1 ? "method" : "methods");
    }
  }

  /** The class of a bean that is made later; null if that is not known yet. */
  private @Nullable Class<?> typeOf(String name) {
    try {
      return beans.getBeanDefinition(name).isAbstract() ? null : beans.getType(name, false);
    } catch (BeansException e) {
      return null; // it fails when it is made
    }
  }
}
