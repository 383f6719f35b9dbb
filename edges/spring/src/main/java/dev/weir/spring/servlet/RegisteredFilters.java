package dev.weir.spring.servlet;

import dev.weir.servlet.WeirFilter;
import dev.weir.spring.WeirStartupException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.util.ClassUtils;

/** The filters of Weir that Spring Boot registers with the servlet container. */
final class RegisteredFilters {
  private static final String REACTIVE = "dev.weir.spring.webflux.WeirWebFilter";
  private static final String REACTIVE_BASE = "org.springframework.web.server.WebFilter";

  private RegisteredFilters() {}

  static int count(ListableBeanFactory beans) {
    requireNoReactiveFilter(beans);
    Set<WeirFilter> filters = Collections.newSetFromMap(new IdentityHashMap<>());
    filters.addAll(beans.getBeansOfType(WeirFilter.class).values());
    for (FilterRegistrationBean<?> one :
        beans.getBeansOfType(FilterRegistrationBean.class).values()) {
      if (one.getFilter() instanceof WeirFilter filter) {
        if (one.isEnabled()) {
          filters.add(filter);
        } else {
          filters.remove(filter);
        }
      }
    }
    return filters.size();
  }

  private static void requireNoReactiveFilter(ListableBeanFactory beans) {
    ClassLoader loader = RegisteredFilters.class.getClassLoader();
    if (!ClassUtils.isPresent(REACTIVE_BASE, loader)) {
      return;
    }
    Class<?> reactive = ClassUtils.resolveClassName(REACTIVE, loader);
    for (String name : beans.getBeanNamesForType(reactive)) {
      throw new WeirStartupException(
          "bean "
              + name
              + ": WeirWebFilter (expected: WeirFilter, since this is a servlet"
              + " application, which does not call WebFlux filters)",
          "Remove the bean; the starter registers the filter for servlets by itself. If the"
              + " application is meant to be reactive, set"
              + " spring.main.web-application-type=reactive.");
    }
  }
}
