package dev.weir.spring.security;

import dev.weir.library.RulesLimiter;
import dev.weir.rules.RulesSnapshot;
import dev.weir.spring.WeirProperties;
import dev.weir.spring.WeirStartupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;

/**
 * The order of the filter. Rules that read the principal need it after Spring Security, which
 * authenticates requests; else they would apply to none. The order does not change when the rules
 * do. Thread-safe.
 */
public final class FilterOrder {
  private static final Logger LOG = LoggerFactory.getLogger("dev.weir");

  /** Before filters that do work, and after the one that observes requests. */
  private static final int FIRST = Ordered.HIGHEST_PRECEDENCE + 10;

  private static final int SECURITY = -100;
  private static final String SERVLET_SECURITY = "springSecurityFilterChain";
  private static final String WEBFLUX_SECURITY =
      "org.springframework.security.config.annotation.web.reactive.WebFluxSecurityConfiguration"
          + ".WebFilterChainFilter";

  private final RulesLimiter rules;
  private final boolean beforeSecurity;
  private final int security;
  private final int order;
  private volatile RulesSnapshot checked;

  private FilterOrder(
      WeirProperties properties, RulesLimiter rules, boolean secured, int security) {
    RulesSnapshot current = rules.active().current();
    Integer chosen = properties.web().order();
    int byRules = current.readsPrincipal() ? security + 1 : FIRST;
    this.rules = rules;
    this.security = security;
    this.order = chosen == null ? byRules : chosen;
    this.beforeSecurity = secured && order <= security;
    this.checked = current;
    if (beforeSecurity && current.readsPrincipal()) {
      throw new WeirStartupException(
          "weir.web.order: "
              + order
              + " (expected: more than "
              + security
              + ", the order of Spring Security, since a rule reads principal)",
          "Leave weir.web.order out, or set it to at least "
              + (security + 1)
              + ", or limit by ip or a header instead of principal.");
    }
  }

  /**
   * The order in a servlet application.
   *
   * @throws WeirStartupException if {@code weir.web.order} is before Spring Security and a rule
   *     reads the principal
   */
  public static FilterOrder servlet(
      WeirProperties properties, RulesLimiter rules, BeanFactory beans, Environment environment) {
    int security = environment.getProperty("spring.security.filter.order", Integer.class, SECURITY);
    return new FilterOrder(properties, rules, beans.containsBean(SERVLET_SECURITY), security);
  }

  /**
   * The order in a WebFlux application.
   *
   * @throws WeirStartupException if {@code weir.web.order} is before Spring Security and a rule
   *     reads the principal
   */
  public static FilterOrder webFlux(
      WeirProperties properties, RulesLimiter rules, BeanFactory beans) {
    return new FilterOrder(properties, rules, beans.containsBean(WEBFLUX_SECURITY), SECURITY);
  }

  /**
   * The order in a gateway, which is not checked: routes, which are loaded later, may name the
   * rules that read the principal, and limit by them after Spring Security.
   */
  public static FilterOrder gateway(WeirProperties properties, RulesLimiter rules) {
    return new FilterOrder(properties, rules, false, SECURITY);
  }

  /** The order. */
  public int value() {
    return order;
  }

  /** Warns if a new version of the rules reads the principal before it is known. */
  @SuppressWarnings("ReferenceEquality") // each version is one object
  public void check() {
    RulesSnapshot current = rules.active().current();
    if (current != checked && isNew(current)) {
      LOG.warn(
          "A rule reads principal now, but the filter stands before Spring Security, where nobody is"
              + " authenticated: its order is {} (restart the application, with weir.web.order"
              + " left out or at least {})",
          order,
          security + 1);
    }
  }

  /** Whether a version is the first one that reads the principal too early. */
  private synchronized boolean isNew(RulesSnapshot current) {
    boolean before = checked.readsPrincipal();
    checked = current;
    return beforeSecurity && current.readsPrincipal() && !before;
  }
}
