package dev.weir.gateway.upstream;

import dev.weir.gateway.adaptive.AdaptiveLimit;
import dev.weir.gateway.adaptive.Aimd;
import dev.weir.gateway.adaptive.ConcurrencyGate;
import dev.weir.gateway.adaptive.FixedLimit;
import dev.weir.gateway.adaptive.Gradient2;
import dev.weir.gateway.adaptive.LimitBounds;
import dev.weir.gateway.adaptive.Vegas;
import dev.weir.rules.gateway.ConcurrencyLimit;
import java.util.Optional;
import java.util.SplittableRandom;

/** Creates the gates of upstreams from their settings. */
final class Gates {
  private Gates() {}

  /** The gate for a limit; empty if requests in flight are not bounded. */
  static Optional<ConcurrencyGate> of(ConcurrencyLimit settings) {
    LimitBounds bounds = LimitBounds.DEFAULT;
    AdaptiveLimit limit =
        switch (settings.algorithm()) {
          case NONE -> null;
          case FIXED -> new FixedLimit(settings.fixed());
          case GRADIENT -> new Gradient2(bounds, new SplittableRandom());
          case VEGAS -> new Vegas(bounds, new SplittableRandom());
          case AIMD -> new Aimd(bounds, Aimd.TIMEOUT);
        };
    return Optional.ofNullable(limit).map(ConcurrencyGate::new);
  }
}
