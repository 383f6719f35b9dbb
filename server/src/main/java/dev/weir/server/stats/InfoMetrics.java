package dev.weir.server.stats;

import dev.weir.yaml.RulesInForce;
import java.util.function.Supplier;

/** Which program runs, and which rules: facts in labels, with 1 for a value. */
public final class InfoMetrics implements Supplier<String> {
  private final RulesInForce rules;
  private final String version;

  /**
   * @param version of this program
   */
  public InfoMetrics(RulesInForce rules, String version) {
    this.rules = rules;
    this.version = version;
  }

  /** As Prometheus reads it. */
  @Override
  public String get() {
    RulesInForce.Status status = rules.status();
    Exposition out = new Exposition();
    out.family("weir_build_info", "gauge", "Which version runs, on which Java")
        .sample(1, "version", version, "java_version", Runtime.version().toString());
    out.family("weir_rules_info", "gauge", "The version of the rules in force")
        .sample(1, "version", status.version());
    out.family(
            "weir_rules_loaded_timestamp_seconds",
            "gauge",
            "When the rules in force came into force, in Unix time")
        .sample(status.since().getEpochSecond());
    out.family(
            "weir_rules_refused_pending",
            "gauge",
            "1 while the newest version of the rules is refused and an older one is in force")
        .sample(status.isRefusedPending() ? 1 : 0);
    return out.toString();
  }
}
