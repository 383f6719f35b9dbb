package dev.weir.server.metrics;

import dev.weir.rules.ActiveRules;
import dev.weir.time.Ticker;
import java.math.BigDecimal;
import java.util.function.Supplier;

/**
 * Versions of the program and the active rules, as labels of gauges with value 1, and the clock.
 * Thread-safe.
 */
final class InfoMetrics implements Supplier<String> {
  private final ActiveRules rules;
  private final String version;
  private final Ticker clock;

  /**
   * Reads the status of {@code rules}.
   *
   * @param version the version of this program
   * @param clock the clock of this machine
   */
  InfoMetrics(ActiveRules rules, String version, Ticker clock) {
    this.rules = rules;
    this.version = version;
    this.clock = clock;
  }

  /** The metrics in the Prometheus text format. */
  @Override
  public String get() {
    ActiveRules.Status status = rules.status();
    Exposition out = new Exposition();
    out.family("weir_build_info", "gauge", "Version of this program and of Java")
        .sample(1, "version", version, "java_version", Runtime.version().toString());
    out.family("weir_rules_info", "gauge", "Version of the active rules")
        .sample(1, "version", status.version());
    out.family(
            "weir_rules_loaded_timestamp_seconds",
            "gauge",
            "When the active rules were loaded, in Unix time")
        .sample(status.since().getEpochSecond());
    out.family(
            "weir_rules_refused_pending",
            "gauge",
            "1 while the newest version of the rules is rejected and an older one is active")
        .sample(status.isNewestRefused() ? 1 : 0);
    out.family("weir_time_seconds", "gauge", "The clock of this machine, in Unix time")
        .part("", BigDecimal.valueOf(clock.micros(), 6).toPlainString());
    return out.toString();
  }
}
