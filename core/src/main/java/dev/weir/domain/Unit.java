package dev.weir.domain;

import java.time.Duration;

/** The units of time that the service's protocol has names for. */
public enum Unit {
  SECOND(1),
  MINUTE(60),
  HOUR(3_600),
  DAY(86_400),
  WEEK(604_800),
  MONTH(30 * 86_400),
  YEAR(365 * 86_400);

  private final Duration duration;

  Unit(long seconds) {
    this.duration = Duration.ofSeconds(seconds);
  }

  public Duration duration() {
    return duration;
  }

  /** The one that a window is the smallest multiple or part of. */
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
