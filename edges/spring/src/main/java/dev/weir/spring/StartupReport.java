package dev.weir.spring;

import dev.weir.library.RulesLimiter;
import dev.weir.library.Weir;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Checks, when all beans are there and before the first request, that rules are enforced, and says
 * so in one line. Otherwise the application does not start. For the thread that starts the
 * application.
 */
public final class StartupReport implements SmartInitializingSingleton {
  private static final Logger LOG = LoggerFactory.getLogger("dev.weir");

  private final Weir weir;
  private final RulesLimiter rules;
  private final WeirProperties properties;
  private final IntSupplier filters;

  /**
   * A report about an application.
   *
   * @param filters counts the filters that limit requests, and throws a {@link
   *     WeirStartupException} for one that cannot
   */
  public StartupReport(
      Weir weir, RulesLimiter rules, WeirProperties properties, IntSupplier filters) {
    this.weir = weir;
    this.rules = rules;
    this.properties = properties;
    this.filters = filters;
  }

  @Override
  public void afterSingletonsInstantiated() {
    int active = filters.getAsInt();
    int count = rules.active().current().book().rules().size();
    if (active > 1) {
      throw new WeirStartupException(
          active + " filters of Weir are registered (expected: 1)",
          "Declare at most one filter of Weir as a bean; the starter registers one by itself if"
              + " there is none.");
    }
    if (active == 0 && count > 0 && properties.web().enabled()) {
      throw new WeirStartupException(
          rules(count)
              + " for requests, but no filter is registered (expected: a web application"
              + " with WebFlux or servlets)",
          "Add spring-boot-starter-webflux or spring-boot-starter-webmvc, or set"
              + " weir.web.enabled=false if only calls are to be limited.");
    }
    LOG.info("{}, {}, store {}", subject(active), rules(count), weir.store());
  }

  private static String rules(int count) {
    return count + (count == 1 ? " rule" : " rules");
  }

  private static String subject(int filters) {
    return filters == 1 ? "Weir filter active" : "Weir active without a filter for requests";
  }
}
