package dev.weir.simulation;

import dev.weir.simulation.Simulation.Outcome;
import dev.weir.simulation.audit.Violation;
import dev.weir.simulation.fleet.InjectionPoints;
import dev.weir.simulation.plan.ClientGroup;
import dev.weir.simulation.plan.Plan;
import dev.weir.simulation.world.EventLog;
import java.util.Locale;

/** Formats plans and violations for readers. */
final class Report {
  private static final int MAX_LINES = 40;

  private Report() {}

  static String describe(long seed, Plan plan) {
    StringBuilder text = new StringBuilder();
    text.append("seed ").append(seed).append(": ").append(plan.servers()).append(" servers, ");
    text.append(plan.guard());
    for (ClientGroup group : plan.groups()) {
      String kind = group.kind().name().toLowerCase(Locale.ROOT);
      text.append("; ").append(group.clients()).append(' ').append(kind);
      text.append(" clients at ")
          .append(group.load().perSecond())
          .append("/s x ")
          .append(group.load().cost());
      group
          .rules()
          .forEach(
              rule ->
                  text.append(", ")
                      .append(rule.allowance().limits())
                      .append(' ')
                      .append(rule.mode())
                      .append(", else ")
                      .append(rule.failureMode()));
    }
    return text.toString();
  }

  /** Runs the seed again with a log, and formats each violation with the events before it. */
  static String describeViolations(Outcome outcome, InjectionPoints points) {
    EventLog eventLog = EventLog.recording();
    var again = Simulation.run(outcome.seed(), points, eventLog);
    StringBuilder text = new StringBuilder();
    for (Violation violation : again.violations()) {
      text.append("seed ").append(again.seed()).append(" breaks ").append(violation.invariant());
      text.append(" (").append(violation.invariant().promise()).append(")\n  ");
      text.append(String.format(Locale.ROOT, "at %.6f s, ", violation.nanos() / 1e9));
      text.append(violation.account()).append(": ").append(violation.description()).append('\n');
      for (String line : eventLog.linesAbout(violation.account(), violation.nanos(), MAX_LINES)) {
        text.append("    ").append(line).append('\n');
      }
    }
    text.append("repeat with: verification/simulation/run --seed ")
        .append(again.seed())
        .append(" --verbose\n");
    return text.toString();
  }
}
