package dev.weir.benchmarks.lease;

import static dev.weir.benchmarks.lease.Way.EMBEDDED;
import static dev.weir.benchmarks.lease.Way.LEASED;
import static dev.weir.benchmarks.lease.Way.LEASED_LOCAL;
import static dev.weir.benchmarks.lease.Way.STRICT;

import dev.weir.benchmarks.Options;
import dev.weir.benchmarks.Report;
import dev.weir.benchmarks.Rounds;
import dev.weir.benchmarks.Scenario;
import dev.weir.benchmarks.Workers;
import dev.weir.testkit.redis.RedisBinary;
import dev.weir.testkit.redis.RedisServer;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * Permits taken in advance: how much faster that is, and how exact it stays.
 *
 * <p>Load and Redis share this machine's cores. All asks are for one caller.
 */
public final class LeaseScenario implements Scenario {
  static final int SERVERS = 4;
  static final int THREADS = 16;
  private static final int THREADS_ALONE = 2;
  private static final int WARM_UPS = 3;

  /** Per second, and at once: more than all processors together can ask for. */
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
      // Nobody is under load while others still connect.
      var unused = ask(workers, SERVERS, new Task(STRICT, NEVER_REACHED, 1, 1, 0));
      tellShared(
          report,
          Rounds.run(
              List.of(STRICT, LEASED, LEASED_LOCAL),
              WARM_UPS,
              rounds,
              way -> granted(workers, SERVERS, way, THREADS, millis)));
      tellAlone(
          report,
          Rounds.run(
              List.of(EMBEDDED, LEASED, LEASED_LOCAL),
              WARM_UPS,
              rounds,
              way -> granted(workers, 1, way, THREADS_ALONE, millis)));
      new AtTheLimit(report, redis, workers).tell();
    }
  }

  static Result ask(Workers workers, int processes, Task task) throws IOException {
    return Result.together(
        workers.run(task.line(), processes).stream().map(Result::parse).toList());
  }

  private static Result granted(Workers workers, int processes, Way way, int threads, int millis)
      throws IOException {
    Task task = new Task(way, NEVER_REACHED, threads, millis, 0);
    Result result = ask(workers, processes, task);
    if (result.admitted() < result.decisions()) {
      long denied = result.decisions() - result.admitted();
      throw new IllegalStateException(
          task.line() + ": " + denied + " denied (expected: 0, the limit is that high)");
    }
    return result;
  }

  private static void tellShared(Report report, Rounds<Way, Result> rounds) {
    report.line("");
    report.line("A limit never reached, " + SERVERS + " JVMs of " + THREADS + " callers:");
    report.line("");
    report.line("| | decisions/s | store calls per decision | requests in them per decision |");
    report.line("|---|---|---|---|");
    for (Way one : rounds.all()) {
      report.line(
          String.format(
              Locale.ROOT,
              "| %s | %.0f | %.7f | %.7f |",
              one.title,
              rounds.median(one, Result::perSecond),
              rounds.median(one, Result::callsPerDecision),
              rounds.median(one, Result::requestsPerDecision)));
    }
    report.claimAtLeast("over-strict", 20, slower(rounds, STRICT));
  }

  private static void tellAlone(Report report, Rounds<Way, Result> rounds) {
    report.line("");
    report.line("The same, 1 JVM of " + THREADS_ALONE + " callers:");
    report.line("");
    report.line("| | decisions/s | ns per decision |");
    report.line("|---|---|---|");
    for (Way one : rounds.all()) {
      double perSecond = rounds.median(one, Result::perSecond);
      report.line(
          String.format(
              Locale.ROOT,
              "| %s | %.0f | %.0f |",
              one.title,
              perSecond,
              THREADS_ALONE * 1e9 / perSecond));
    }
    report.claimAtMost("time-over-embedded", 2, 1 / slower(rounds, EMBEDDED));
  }

  /** How many times as fast as another the slower one of the leased ways is. */
  private static double slower(Rounds<Way, Result> rounds, Way other) {
    return Math.min(
        rounds.ratio(LEASED, other, Result::perSecond),
        rounds.ratio(LEASED_LOCAL, other, Result::perSecond));
  }
}
