package dev.weir.simulation;

import dev.weir.simulation.Simulation.Outcome;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/** {@code simulation/run}: one seed or many. Ends with 1 if a promise was broken. */
public final class Run {
  private Run() {}

  public static void main(String[] args) {
    Options options;
    try {
      options = Options.parse(Arrays.asList(args));
    } catch (IllegalArgumentException e) {
      System.err.println("simulation/run: " + e.getMessage());
      System.exit(2);
      return;
    }
    System.exit(run(options) ? 0 : 1);
  }

  private static boolean run(Options options) {
    long broken = 0;
    long messages = 0;
    Map<Happening, Long> happened = new EnumMap<>(Happening.class);
    long beganNanos = System.nanoTime();
    for (long i = 0; i < options.seeds(); i++) {
      Story story = options.verbose() ? Story.told() : Story.untold();
      Outcome outcome = Simulation.run(options.from() + i, Seams.SOUND, story);
      messages += outcome.messages();
      outcome.happened().forEach((what, often) -> happened.merge(what, often, Long::sum));
      story.all().forEach(System.out::println);
      if (!outcome.isSound()) {
        broken++;
        System.out.println(Words.violations(outcome, Seams.SOUND));
      }
    }
    System.out.println(Happening.inWords(happened));
    double seconds = (System.nanoTime() - beganNanos) / 1e9;
    System.out.printf(
        "seeds %d to %d: %d broken, %d messages, %.1f s%n",
        options.from(), options.from() + options.seeds() - 1, broken, messages, seconds);
    return broken == 0;
  }
}
