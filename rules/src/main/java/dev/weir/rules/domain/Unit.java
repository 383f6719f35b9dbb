package dev.weir.rules.domain;

import java.time.Duration;

/** The units of time that the protocol of Envoy's rate limit service has names for. */
public enum Unit {
  /** One second. */
  SECOND(1),
  /** 60 seconds. */
  MINUTE(60),
  /** 60 minutes. */
  HOUR(3_600),
  /** 24 hours. */
  DAY(86_400),
  /** 7 days. */
  WEEK(604_800),
  /** 30 days. */
  MONTH(30 * 86_400),
  /** 365 days. */
  YEAR(365 * 86_400);

  private final Duration duration;

  Unit(long seconds) {
    this.duration = Duration.ofSeconds(seconds);
  }

  /** The length of one unit. */
  public Duration duration() {
    return duration;
  }

  /** The unit nearest to a window's length, by ratio. */
  public static Unit nearest(Duration window) {
    Unit nearest = SECOND;
    for (Unit unit : values()) {
      long product = nearest.duration.toSeconds() * unit.duration.toSeconds();
      if (window.toSeconds() * window.toSeconds() > product) {
        nearest = unit;
      }
    }
    return nearest;
  }
}
