package dev.weir.benchmarks.redis;

import dev.weir.benchmarks.Report;
import dev.weir.benchmarks.Rounds;
import dev.weir.benchmarks.Workers;
import dev.weir.testkit.redis.RedisServer;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** Lets contestants take turns, each asked by some processes at the same time. */
final class Turns {
  private final RedisServer redis;
  private final Workers workers;
  private final int processes;

  Turns(RedisServer redis, Workers workers, int processes) {
    this.redis = redis;
    this.workers = workers;
    this.processes = processes;
  }

  Rounds<Contestants, Round> run(int warmUps, int count, int threads, int callers, long millis)
      throws IOException {
    return Rounds.run(
        List.of(Contestants.values()),
        warmUps,
        count,
        one -> turn(new Task(one, threads, callers, millis)));
  }

  private Round turn(Task task) throws IOException {
    long before = redis.cpuMicros();
    Result result =
        Result.together(workers.run(task.line(), processes).stream().map(Result::parse).toList());
    double cpuMicros = (double) (redis.cpuMicros() - before) / result.decisions();
    if (result.denied() > 0) {
      throw new IllegalStateException(
          task.line() + ": " + result.denied() + " denied (expected: 0, the limit is that high)");
    }
    return new Round(
        result.perSecond(), result.meanMicros(), result.p50Micros(), result.p99Micros(), cpuMicros);
  }

  static void tell(Report report, Rounds<Contestants, Round> rounds, String title) {
    report.line("");
    report.line(title + ":");
    report.line("");
    report.line(
        "| | decisions/s | weir over it | mean µs | p50 µs | p99 µs | Redis CPU µs per decision |");
    report.line("|---|---|---|---|---|---|---|");
    for (Contestants one : rounds.all()) {
      report.line(
          String.format(
              Locale.ROOT,
              "| %s | %.0f | %.2f | %.0f | %.0f | %.0f | %.2f |",
              one.title,
              rounds.median(one, Round::perSecond),
              rounds.ratio(Contestants.WEIR, one, Round::perSecond),
              rounds.median(one, Round::meanMicros),
              rounds.median(one, Round::p50Micros),
              rounds.median(one, Round::p99Micros),
              rounds.median(one, Round::cpuMicros)));
    }
  }
}
