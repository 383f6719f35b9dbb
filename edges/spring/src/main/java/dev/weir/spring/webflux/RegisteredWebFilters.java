package dev.weir.spring.webflux;

import dev.weir.servlet.WeirFilter;
import dev.weir.spring.WeirStartupException;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ClassUtils;

/** The filters of Weir in a WebFlux application. */
final class RegisteredWebFilters {
  private static final boolean SERVLETS =
      ClassUtils.isPresent("jakarta.servlet.Filter", RegisteredWebFilters.class.getClassLoader());

  private RegisteredWebFilters() {}

  static int count(ListableBeanFactory beans) {
    if (SERVLETS) {
      Servlets.requireNoFilter(beans);
    }
    return beans.getBeanNamesForType(WeirWebFilter.class).length;
  }

  /** Loaded only where servlets are there. */
  private static final class Servlets {
    static void requireNoFilter(ListableBeanFactory beans) {
      for (String name : beans.getBeanNamesForType(WeirFilter.class)) {
        throw new WeirStartupException(
            "bean "
                + name
                + ": WeirFilter (expected: WeirWebFilter, since this is a WebFlux"
                + " application, which does not call servlet filters)",
            "Remove the bean; the starter registers the filter for WebFlux by itself. If the"
                + " application is meant to use servlets, set"
                + " spring.main.web-application-type=servlet.");
      }
    }
  }
}
