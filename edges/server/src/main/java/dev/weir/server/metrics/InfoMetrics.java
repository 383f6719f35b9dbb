package dev.weir.server.metrics;

import dev.weir.rules.ActiveRules;
import dev.weir.server.exposition.MetricSink;
import dev.weir.server.exposition.MetricType;
import dev.weir.time.Ticker;
import java.util.function.Consumer;

/**
 * Versions of the program and the active rules, as labels of gauges with value 1, and the clock.
 * Thread-safe.
 */
final class InfoMetrics implements Consumer<MetricSink> {
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

  /** Writes the metrics. */
  @Override
  public void accept(MetricSink out) {
    ActiveRules.Status status = rules.status();
    out.family("weir_build_info", MetricType.GAUGE, "Version of this program and of Java")
        .sample(1, "version", version, "java_version", Runtime.version().toString());
    out.family("weir_rules_info", MetricType.GAUGE, "Version of the active rules")
        .sample(1, "version", status.version());
    out.family(
            "weir_rules_loaded_timestamp_seconds",
            MetricType.GAUGE,
            "When the active rules were loaded, in Unix time")
        .sample(status.since().getEpochSecond());
    out.family(
            "weir_rules_refused_pending",
            MetricType.GAUGE,
            "1 while the newest version of the rules is rejected and an older one is active")
        .sample(status.isNewestRefused() ? 1 : 0);
    out.family("weir_time_seconds", MetricType.GAUGE, "The clock of this machine, in Unix time")
        .seconds(clock.micros());
  }
}
