package dev.weir.benchmarks.redis;

import static java.util.Objects.requireNonNull;

import dev.weir.benchmarks.Report;
import dev.weir.testkit.redis.RedisServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** The rounds of one situation, in each of which every contestant had its turn. */
final class Rounds {
  private final RedisServer redis;
  private final Fleet fleet;
  private final int processes;
  private final Map<Contestants, List<Round>> rounds = new EnumMap<>(Contestants.class);

  Rounds(RedisServer redis, Fleet fleet, int processes) {
    this.redis = redis;
    this.fleet = fleet;
    this.processes = processes;
  }

  /** Runs rounds, and some before them that warm up. */
  void run(int warmUps, int count, int threads, int callers, long millis) throws IOException {
    for (int round = 0; round < warmUps + count; round++) {
      for (Contestants one : Contestants.values()) {
        Round measured = turn(new Task(one, threads, callers, millis));
        if (round >= warmUps) {
          rounds.computeIfAbsent(one, absent -> new ArrayList<>()).add(measured);
        }
      }
    }
  }

  private Round turn(Task task) throws IOException {
    long before = redis.cpuMicros();
    Result result = fleet.run(task, processes);
    double cpuMicros = (double) (redis.cpuMicros() - before) / result.decisions();
    return new Round(
        result.perSecond(), result.meanMicros(), result.p50Micros(), result.p99Micros(), cpuMicros);
  }

  /** The median of what one has over what the other has, round by round. */
  double ratio(Contestants one, Contestants other, ToDoubleFunction<Round> what) {
    List<Round> above = all(one);
    List<Round> below = all(other);
    return median(
        IntStream.range(0, above.size())
            .mapToObj(i -> what.applyAsDouble(above.get(i)) / what.applyAsDouble(below.get(i)))
            .toList());
  }

  void tell(Report report, String title) {
    report.line("");
    report.line(title + ":");
    report.line("");
    report.line(
        "| | decisions/s | weir over it | mean µs | p50 µs | p99 µs | Redis CPU µs per decision |");
    report.line("|---|---|---|---|---|---|---|");
    for (Contestants one : rounds.keySet()) {
      report.line(
          String.format(
              Locale.ROOT,
              "| %s | %.0f | %.2f | %.0f | %.0f | %.0f | %.2f |",
              one.title,
              median(one, Round::perSecond),
              ratio(Contestants.WEIR, one, Round::perSecond),
              median(one, Round::meanMicros),
              median(one, Round::p50Micros),
              median(one, Round::p99Micros),
              median(one, Round::cpuMicros)));
    }
  }

  private double median(Contestants one, ToDoubleFunction<Round> what) {
    return median(all(one).stream().map(what::applyAsDouble).toList());
  }

  private List<Round> all(Contestants one) {
    return requireNonNull(rounds.get(one), one.title);
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
  }
}
