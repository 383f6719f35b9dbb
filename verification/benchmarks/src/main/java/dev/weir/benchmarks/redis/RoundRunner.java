package dev.weir.benchmarks.redis;

import dev.weir.benchmarks.harness.Report;
import dev.weir.benchmarks.harness.Rounds;
import dev.weir.benchmarks.harness.Workers;
import dev.weir.testkit.redis.RedisServer;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** Runs rounds in which contestants take turns, each called by several processes at once. */
final class RoundRunner {
  private final RedisServer redis;
  private final Workers workers;
  private final int processes;

  RoundRunner(RedisServer redis, Workers workers, int processes) {
    this.redis = redis;
    this.workers = workers;
    this.processes = processes;
  }

  Rounds<ContestantType, Round> run(int warmUps, int count, int threads, int callers, long millis)
      throws IOException {
    return Rounds.run(
        List.of(ContestantType.values()),
        warmUps,
        count,
        contestant -> turn(new Task(contestant, threads, callers, millis)));
  }

  private Round turn(Task task) throws IOException {
    long before = redis.cpuMicros();
    Result result =
        Result.sum(workers.run(task.line(), processes).stream().map(Result::parse).toList());
    double cpuMicros = (double) (redis.cpuMicros() - before) / result.decisions();
    if (result.denied() > 0) {
      throw new IllegalStateException(
          task.line() + ": " + result.denied() + " denied (expected: 0, the limit is that high)");
    }
    return new Round(
        result.perSecond(), result.meanMicros(), result.p50Micros(), result.p99Micros(), cpuMicros);
  }

  static void report(Report report, Rounds<ContestantType, Round> rounds, String title) {
    report.line("");
    report.line(title + ":");
    report.line("");
    report.line(
        "| | decisions/s | weir over it | mean µs | p50 µs | p99 µs | Redis CPU µs per decision |");
    report.line("|---|---|---|---|---|---|---|");
    for (ContestantType contestant : rounds.all()) {
      report.line(
          String.format(
              Locale.ROOT,
              "| %s | %.0f | %.2f | %.0f | %.0f | %.0f | %.2f |",
              contestant.title,
              rounds.median(contestant, Round::perSecond),
              rounds.ratio(ContestantType.WEIR, contestant, Round::perSecond),
              rounds.median(contestant, Round::meanMicros),
              rounds.median(contestant, Round::p50Micros),
              rounds.median(contestant, Round::p99Micros),
              rounds.median(contestant, Round::cpuMicros)));
    }
  }
}
