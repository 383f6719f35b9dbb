package dev.weir.replay.suggest;

import dev.weir.replay.report.Numbers;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A rules file in the making, with the reason for each number. For one thread. */
final class RulesFile {
  private final boolean enforced;
  private final int perMille;
  private final List<String> lines = new ArrayList<>();
  private final List<String> identities = new ArrayList<>();
  private final Set<String> ignored = new LinkedHashSet<>();
  private int rules;

  /** A file whose limits deny at most a share of the requests, in thousandths. */
  RulesFile(boolean enforced, int perMille) {
    this.enforced = enforced;
    this.perMille = perMille;
  }

  void begin(long requests, long firstMicros, long lastMicros) {
    lines.add("# Suggested by weir suggest from " + Numbers.count(requests, "request"));
    if (requests > 0) {
      lines.add(
          "# between "
              + Numbers.moment(firstMicros)
              + " and "
              + Numbers.moment(lastMicros)
              + " UTC.");
    }
    lines.add(
        "# Each limit is the lowest round number that denies at most "
            + Numbers.percent(perMille / 1000.0)
            + " of these requests,");
    lines.add(
        "# counted per caller in fixed windows. A token bucket of so many may deny more: replay it.");
    if (!enforced) {
      lines.add("# The rules are in shadow mode: they count and deny nobody. Remove shadow: true");
      lines.add("# rule by rule to enforce them.");
    }
  }

  void identity(String name, String source) {
    identities.add("  " + name + ": " + source);
    ignored.add("forgeable-key");
  }

  void beginRules() {
    if (!identities.isEmpty()) {
      lines.add("identity:");
      lines.addAll(identities);
    }
    lines.add("rules:");
  }

  /**
   * Adds a rule.
   *
   * @param route the method and path that it is for; null for all
   */
  void rule(String name, String per, @Nullable String route, CallerRates rates) {
    if (per.equals("principal")) {
      ignored.add("needs-application");
    }
    rules++;
    SuggestedLimit second = SuggestedLimit.of(rates.seconds(), "second", perMille);
    SuggestedLimit minute = SuggestedLimit.of(rates.minutes(), "minute", perMille);
    lines.add("");
    lines.add(
        "  # "
            + Numbers.count(rates.requests(), "request")
            + (route == null ? "." : " to " + route + "."));
    lines.add("  - name: " + name);
    if (route != null) {
      int space = route.indexOf(' ');
      lines.add(
          "    match: {method: "
              + route.substring(0, space)
              + ", path: \""
              + route.substring(space + 1)
              + "\"}");
    }
    lines.add("    per: " + per);
    if (!per.equals("ip")) {
      lines.add("    when-absent: skip               # requests without it are counted by address");
    }
    lines.add("    algorithm: fixed-window");
    lines.add("    limit:");
    lines.add("      # " + second.reason());
    lines.add("      - " + second.permits() + "/second");
    if (minute.permits() < 60 * second.permits()) {
      lines.add("      # " + minute.reason());
      lines.add("      - " + minute.permits() + "/minute");
    }
    if (!enforced) {
      lines.add("    shadow: true");
    }
  }

  List<String> end() {
    if (rules == 0) {
      lines.set(lines.size() - 1, "rules: []");
    }
    if (!ignored.isEmpty()) {
      lines.add("");
      if (ignored.contains("forgeable-key")) {
        lines.add(
            "# A client can send any key: let a proxy set it (trusted-header), or verify it.");
      }
      lines.add("lint-ignore: [" + String.join(", ", ignored) + "]");
    }
    return lines;
  }
}
