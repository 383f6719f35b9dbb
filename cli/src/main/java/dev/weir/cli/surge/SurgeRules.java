package dev.weir.cli.surge;

import dev.weir.load.service.Capacity;

/** The rules that protect a service of a known capacity. */
final class SurgeRules {
  private SurgeRules() {}

  /**
   * A token bucket for the whole site at 95 % of the capacity, and shedding in case the service is
   * slower than it should be.
   *
   * <p>The burst is what the service does in 30 ms, so that a short pause of the gateway costs no
   * throughput and yet no long queue builds up. Shedding begins with two requests waiting for each
   * worker; a service with as many still does more than the bucket lets through, so that it always
   * recovers.
   */
  static String text(Capacity capacity) {
    int perSecond = capacity.perSecond() * 95 / 100;
    int burst = Math.max(4, capacity.perSecond() * 30 / 1_000);
    return """
        # For a service that can do %d requests per second with %d workers.
        rules:
          - name: whole-site
            match: {path: /api/**}
            limit: %d/second
            burst: %d
        shedding:
          capacity: %d
          priorities:
            - {match: {path: /healthz}, priority: 0}
        """
        .formatted(
            capacity.perSecond(), capacity.workers(), perSecond, burst, 3 * capacity.workers());
  }
}
