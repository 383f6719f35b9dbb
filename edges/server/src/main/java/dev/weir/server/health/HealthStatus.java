package dev.weir.server.health;

import dev.weir.rules.ActiveRules;
import dev.weir.server.grpc.RlsService;
import dev.weir.server.metrics.ServerStatus;
import dev.weir.server.rls.RlsSettings;
import io.vertx.core.Vertx;
import java.util.function.BooleanSupplier;

/**
 * Whether the rate limit service is healthy, by the conditions in its {@linkplain
 * RlsSettings.Health settings}: for HTTP probes, and for gRPC health checks and watches.
 * Thread-safe.
 */
public final class HealthStatus {
  /** The longest delay until gRPC watchers see a change. */
  private static final int PERIOD_MILLIS = 250;

  private final RlsSettings.Health settings;
  private final BooleanSupplier listening;
  private final ActiveRules rules;
  private final ServerStatus status;
  private volatile boolean warm;
  private boolean published = true;

  /**
   * Combines the conditions of health.
   *
   * @param listening whether the server listens and is not stopping
   * @param warm whether no {@linkplain #setWarm warm-up} is needed
   */
  public HealthStatus(
      RlsSettings.Health settings,
      BooleanSupplier listening,
      ActiveRules rules,
      ServerStatus status,
      boolean warm) {
    this.warm = warm;
    this.settings = settings;
    this.listening = listening;
    this.rules = rules;
    this.status = status;
  }

  boolean isHealthy() {
    return listening.getAsBoolean() && isServing();
  }

  /** Whether all conditions of the settings hold. */
  private boolean isServing() {
    return warm
        && (!settings.rules() || rules.isLoaded())
        && (!settings.domains() || !status.domains().get().names().isEmpty())
        && (!settings.store()
            || status.storeAnswers().map(BooleanSupplier::getAsBoolean).orElse(true));
  }

  /** Publishes the status to the gRPC service, now and on every change. */
  public void publish(RlsService service, Vertx vertx) {
    update(service);
    var unused = rules.loaded().thenRun(() -> update(service));
    if (settings.domains() || settings.store()) {
      vertx.setPeriodic(PERIOD_MILLIS, now -> update(service));
    }
  }

  /** Publishes that the server is warm. Until then calls are served, but the status says no. */
  public void setWarm(RlsService service) {
    warm = true;
    update(service);
  }

  private synchronized void update(RlsService service) {
    boolean now = isServing();
    if (now != published) {
      published = now;
      service.serve(now);
    }
  }
}
