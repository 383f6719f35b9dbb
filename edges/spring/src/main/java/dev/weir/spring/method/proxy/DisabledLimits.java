package dev.weir.spring.method.proxy;

import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;

/** Says once that annotated methods are not limited, if there are any. Thread-safe. */
final class DisabledLimits implements BeanPostProcessor {
  private static final Logger LOG = LoggerFactory.getLogger("dev.weir");

  private final AtomicBoolean said = new AtomicBoolean();

  @Override
  public Object postProcessAfterInitialization(Object bean, String name) {
    if (!said.get() && LimitedMethods.areIn(bean.getClass()) && said.compareAndSet(false, true)) {
      LOG.warn(
          "weir.enabled=false: methods with @RateLimited and @ConcurrencyLimited are not limited,"
              + " such as those of {}",
          bean.getClass().getName());
    }
    return bean;
  }
}
