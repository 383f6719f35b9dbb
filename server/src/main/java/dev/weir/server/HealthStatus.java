package dev.weir.server;

import dev.weir.server.rls.RlsService;
import dev.weir.server.rls.RlsSettings;
import dev.weir.server.stats.Surroundings;
import dev.weir.yaml.RulesInForce;
import io.vertx.core.Vertx;
import java.util.function.BooleanSupplier;

/**
 * Whether the rate limit service is healthy, by what its {@linkplain RlsSettings.Health settings}
 * wait for: for probes that ask, and for those who watch over gRPC.
 */
final class HealthStatus {
  /** How soon those who watch hear of a change. */
  private static final int PERIOD_MILLIS = 250;

  private final RlsSettings.Health settings;
  private final BooleanSupplier listening;
  private final RulesInForce rules;
  private final Surroundings around;
  private volatile boolean warm;
  private boolean told = true;

  /**
   * @param listening whether the server listens, and does not stop
   * @param warm whether it need not {@linkplain #setWarm warm up}
   */
  HealthStatus(
      RlsSettings.Health settings,
      BooleanSupplier listening,
      RulesInForce rules,
      Surroundings around,
      boolean warm) {
    this.warm = warm;
    this.settings = settings;
    this.listening = listening;
    this.rules = rules;
    this.around = around;
  }

  boolean isHealthy() {
    return listening.getAsBoolean() && isServing();
  }

  /** Whether all that the settings wait for is there. */
  private boolean isServing() {
    return warm
        && (!settings.rules() || rules.isLoaded())
        && (!settings.domains() || !around.domains().get().names().isEmpty())
        && (!settings.store()
            || around.storeAnswers().map(BooleanSupplier::getAsBoolean).orElse(true));
  }

  /** Tells the service, now and whenever it changes. */
  void tell(RlsService service, Vertx vertx) {
    update(service);
    var unused = rules.loaded().thenRun(() -> update(service));
    if (settings.domains() || settings.store()) {
      vertx.setPeriodic(PERIOD_MILLIS, now -> update(service));
    }
  }

  /** Tells the service that the server is warm; until it is, calls may come, but should not. */
  void setWarm(RlsService service) {
    warm = true;
    update(service);
  }

  private synchronized void update(RlsService service) {
    boolean now = isServing();
    if (now != told) {
      told = now;
      service.serve(now);
    }
  }
}
