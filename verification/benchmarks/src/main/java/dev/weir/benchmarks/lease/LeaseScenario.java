package dev.weir.benchmarks.lease;

import static dev.weir.benchmarks.lease.Variant.EMBEDDED;
import static dev.weir.benchmarks.lease.Variant.LEASED;
import static dev.weir.benchmarks.lease.Variant.LEASED_LOCAL;
import static dev.weir.benchmarks.lease.Variant.STRICT;

import dev.weir.benchmarks.harness.Options;
import dev.weir.benchmarks.harness.Report;
import dev.weir.benchmarks.harness.Rounds;
import dev.weir.benchmarks.harness.Scenario;
import dev.weir.benchmarks.harness.Workers;
import dev.weir.testkit.redis.RedisBinary;
import dev.weir.testkit.redis.RedisServer;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * Measures how much faster leased permits are, and how exact the limit stays.
 *
 * <p>Load and Redis share this machine's cores. All requests are of one caller.
 */
public final class LeaseScenario implements Scenario {
  static final int SERVERS = 4;
  static final int THREADS = 16;
  private static final int THREADS_ONE_JVM = 2;
  private static final int WARM_UPS = 3;

  /** Permits per second and burst: more than all processors together can request. */
  private static final long NEVER_REACHED = 100_000_000;

  @Override
  public String about() {
    return "permits leased by four JVMs on one Redis: speed beside strict and in process, exactness";
  }

  @Override
  public void run(Report report, Options options) throws Exception {
    RedisBinary binary = RedisBinary.chosen();
    report.line("Redis " + binary.version() + ". One hot key, a token bucket. Each JVM is one");
    report.line("server of four; its callers wait for their answers. Medians of rounds in which");
    report.line("all take turns, and of their ratios; load and Redis share the cores.");
    int rounds = options.full() ? 7 : 5;
    int millis = options.full() ? 4_000 : 2_000;
    try (RedisServer redis = RedisServer.start(binary);
        Workers workers =
            new Workers(SERVERS, 512, Load.class, redis.url(), Integer.toString(SERVERS))) {
      // No worker is under load while others still connect.
      var unused = run(workers, SERVERS, new Task(STRICT, NEVER_REACHED, 1, 1, 0));
      reportFourJvms(
          report,
          Rounds.run(
              List.of(STRICT, LEASED, LEASED_LOCAL),
              WARM_UPS,
              rounds,
              variant -> runGranted(workers, SERVERS, variant, THREADS, millis)));
      reportOneJvm(
          report,
          Rounds.run(
              List.of(EMBEDDED, LEASED, LEASED_LOCAL),
              WARM_UPS,
              rounds,
              variant -> runGranted(workers, 1, variant, THREADS_ONE_JVM, millis)));
      new LimitAccuracy(report, redis, workers).report();
    }
  }

  static Result run(Workers workers, int processes, Task task) throws IOException {
    return Result.sum(workers.run(task.line(), processes).stream().map(Result::parse).toList());
  }

  private static Result runGranted(
      Workers workers, int processes, Variant variant, int threads, int millis) throws IOException {
    Task task = new Task(variant, NEVER_REACHED, threads, millis, 0);
    Result result = run(workers, processes, task);
    if (result.admitted() < result.decisions()) {
      long denied = result.decisions() - result.admitted();
      throw new IllegalStateException(
          task.line() + ": " + denied + " denied (expected: 0, the limit is that high)");
    }
    return result;
  }

  private static void reportFourJvms(Report report, Rounds<Variant, Result> rounds) {
    report.line("");
    report.line("A limit never reached, " + SERVERS + " JVMs of " + THREADS + " callers:");
    report.line("");
    report.line("| | decisions/s | store calls per decision | requests in them per decision |");
    report.line("|---|---|---|---|");
    for (Variant variant : rounds.all()) {
      report.line(
          String.format(
              Locale.ROOT,
              "| %s | %.0f | %.7f | %.7f |",
              variant.title,
              rounds.median(variant, Result::perSecond),
              rounds.median(variant, Result::callsPerDecision),
              rounds.median(variant, Result::requestsPerDecision)));
    }
    report.claimAtLeast("over-strict", 20, slowestRatio(rounds, STRICT));
  }

  private static void reportOneJvm(Report report, Rounds<Variant, Result> rounds) {
    report.line("");
    report.line("The same, 1 JVM of " + THREADS_ONE_JVM + " callers:");
    report.line("");
    report.line("| | decisions/s | ns per decision |");
    report.line("|---|---|---|");
    for (Variant variant : rounds.all()) {
      double perSecond = rounds.median(variant, Result::perSecond);
      report.line(
          String.format(
              Locale.ROOT,
              "| %s | %.0f | %.0f |",
              variant.title,
              perSecond,
              THREADS_ONE_JVM * 1e9 / perSecond));
    }
    report.claimAtMost("time-over-embedded", 2, 1 / slowestRatio(rounds, EMBEDDED));
  }

  /** How many times as fast as another variant the slower one of the leased variants is. */
  private static double slowestRatio(Rounds<Variant, Result> rounds, Variant other) {
    return Math.min(
        rounds.ratio(LEASED, other, Result::perSecond),
        rounds.ratio(LEASED_LOCAL, other, Result::perSecond));
  }
}
