package dev.weir.spring.actuate;

import dev.weir.library.RulesLimiter;
import dev.weir.library.Weir;
import dev.weir.library.status.StoreStatus;
import dev.weir.rules.ActiveRules;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * The health of the limiter. It is up as long as it decides, which it does without its store too:
 * instances that are taken out of service because Redis is down would make an outage of it. The
 * details say whether the store answers, and whether newer rules were refused.
 */
final class WeirHealthIndicator extends AbstractHealthIndicator {
  private final Weir weir;
  private final RulesLimiter rules;

  WeirHealthIndicator(Weir weir, RulesLimiter rules) {
    super("The limiter could not be asked");
    this.weir = weir;
    this.rules = rules;
  }

  @Override
  protected void doHealthCheck(Health.Builder health) {
    ActiveRules active = rules.active();
    ActiveRules.Status status = active.status();
    StoreStatus store = weir.store();
    health.status(active.isLoaded() ? "UP" : "OUT_OF_SERVICE");
    health.withDetail("store", store.address());
    health.withDetail("storeAnswers", store.answering());
    health.withDetail("rules", active.current().book().rules().size());
    health.withDetail("version", status.version());
    if (!status.notes().isEmpty()) {
      health.withDetail("refused", status.notes());
    }
  }
}
