package dev.weir.simulation;

import dev.weir.simulation.Simulation.Outcome;
import dev.weir.simulation.fleet.InjectionPoints;
import dev.weir.simulation.world.EventLog;
import dev.weir.simulation.world.EventType;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/** {@code verification/simulation/run}: runs seeds. Exits with 1 if one broke an invariant. */
public final class Run {
  private Run() {}

  /** Exits with 0 if all seeds pass, 1 if one breaks an invariant, 2 if an option is wrong. */
  public static void main(String[] args) {
    Options options;
    try {
      options = Options.parse(Arrays.asList(args));
    } catch (IllegalArgumentException e) {
      System.err.println("verification/simulation/run: " + e.getMessage());
      System.exit(2);
      return;
    }
    System.exit(run(options) ? 0 : 1);
  }

  private static boolean run(Options options) {
    long broken = 0;
    long messages = 0;
    Map<EventType, Long> eventCounts = new EnumMap<>(EventType.class);
    long startNanos = System.nanoTime();
    for (long i = 0; i < options.seeds(); i++) {
      EventLog eventLog = options.verbose() ? EventLog.recording() : EventLog.disabled();
      Outcome outcome = Simulation.run(options.from() + i, InjectionPoints.NONE, eventLog);
      messages += outcome.messages();
      outcome.eventCounts().forEach((event, count) -> eventCounts.merge(event, count, Long::sum));
      eventLog.allLines().forEach(System.out::println);
      if (!outcome.isSound()) {
        broken++;
        System.out.println(Report.describeViolations(outcome, InjectionPoints.NONE));
      }
    }
    System.out.println(EventType.describe(eventCounts));
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    System.out.printf(
        "seeds %d to %d: %d broken, %d messages, %.1f s%n",
        options.from(), options.from() + options.seeds() - 1, broken, messages, seconds);
    return broken == 0;
  }
}
