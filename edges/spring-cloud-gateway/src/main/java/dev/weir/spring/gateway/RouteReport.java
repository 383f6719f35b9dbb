package dev.weir.spring.gateway;

import dev.weir.library.RulesLimiter;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.cloud.gateway.event.RefreshRoutesResultEvent;
import org.springframework.context.ApplicationListener;

/**
 * Warns once, when routes are loaded, if nothing is limited: there are no rules, and no route names
 * a limit of its own. Thread-safe.
 */
final class RouteReport implements ApplicationListener<RefreshRoutesResultEvent> {
  private static final Logger LOG = LoggerFactory.getLogger("dev.weir");

  private final RulesLimiter rules;
  private final RouteRules named;
  private final WeirRateLimiter limiter;
  private final AtomicBoolean reported = new AtomicBoolean();

  RouteReport(RulesLimiter rules, RouteRules named, WeirRateLimiter limiter) {
    this.rules = rules;
    this.named = named;
    this.limiter = limiter;
  }

  @Override
  public void onApplicationEvent(RefreshRoutesResultEvent loaded) {
    boolean limited =
        !rules.active().current().book().rules().isEmpty()
            || !named.ruleNames().isEmpty()
            || !limiter.getConfig().isEmpty();
    if (loaded.isSuccess() && !limited && reported.compareAndSet(false, true)) {
      LOG.warn(
          "Weir limits no request: there are no rules, and no route names Weir or"
              + " RequestRateLimiter (set weir.rules or weir.limits, or add a filter to a route;"
              + " set weir.web.enabled=false if no request is to be limited)");
    }
  }
}
