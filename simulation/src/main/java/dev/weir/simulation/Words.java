package dev.weir.simulation;

import dev.weir.simulation.Simulation.Outcome;
import java.util.Locale;

/** Puts what happened into words. */
final class Words {
  private static final int LINES = 40;

  private Words() {}

  static String plan(long seed, Plan plan) {
    StringBuilder words = new StringBuilder();
    words.append("seed ").append(seed).append(": ").append(plan.nodes()).append(" servers, ");
    words.append(plan.guard());
    for (Group group : plan.groups()) {
      String kind = group.kind().name().toLowerCase(Locale.ROOT);
      words.append("; ").append(group.clients()).append(' ').append(kind);
      words.append(" clients at ").append(group.perSecond()).append("/s x ").append(group.cost());
      group
          .rules()
          .forEach(
              rule ->
                  words
                      .append(", ")
                      .append(rule.allowance().limits())
                      .append(' ')
                      .append(rule.mode())
                      .append(", else ")
                      .append(rule.whenStoreFails()));
    }
    return words.toString();
  }

  /** Each broken promise, and what led to it; told by running it again. */
  static String violations(Outcome outcome, Seams seams) {
    Story story = Story.told();
    var again = Simulation.run(outcome.seed(), seams, story);
    StringBuilder words = new StringBuilder();
    for (Violation one : again.violations()) {
      words.append("seed ").append(again.seed()).append(" breaks ").append(one.invariant());
      words.append(" (").append(one.invariant().promise()).append(")\n  ");
      words.append(String.format(Locale.ROOT, "at %.6f s, ", one.nanos() / 1e9));
      words.append(one.account()).append(": ").append(one.what()).append('\n');
      for (String line : story.about(one.account(), one.nanos(), LINES)) {
        words.append("    ").append(line).append('\n');
      }
    }
    words.append("repeat with: simulation/run --seed ").append(again.seed()).append(" --verbose\n");
    return words.toString();
  }
}
