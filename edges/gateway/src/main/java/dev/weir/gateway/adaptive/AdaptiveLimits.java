package dev.weir.gateway.adaptive;

import dev.weir.rules.gateway.ConcurrencyLimit;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Makes the limit that the settings of an upstream ask for. */
public final class AdaptiveLimits {
  private AdaptiveLimits() {}

  /**
   * A new limit; empty if requests in flight are not bounded.
   *
   * @param random spreads the probes of several gateways; used by one thread at a time
   */
  public static Optional<AdaptiveLimit> of(ConcurrencyLimit settings, RandomGenerator random) {
    return switch (settings.algorithm()) {
      case NONE -> Optional.empty();
      case FIXED -> Optional.of(new FixedLimit(settings.fixed()));
      case GRADIENT -> Optional.of(new Gradient2(LimitBounds.DEFAULT, random));
      case VEGAS -> Optional.of(new Vegas(LimitBounds.DEFAULT, random));
      case AIMD -> Optional.of(new Aimd(LimitBounds.DEFAULT, Aimd.TIMEOUT));
    };
  }
}
