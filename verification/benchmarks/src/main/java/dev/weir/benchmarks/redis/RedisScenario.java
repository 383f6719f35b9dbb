package dev.weir.benchmarks.redis;

import static dev.weir.benchmarks.redis.ContestantType.BATCHING;
import static dev.weir.benchmarks.redis.ContestantType.EVALSHA;
import static dev.weir.benchmarks.redis.ContestantType.WEIR;

import dev.weir.benchmarks.harness.Options;
import dev.weir.benchmarks.harness.Report;
import dev.weir.benchmarks.harness.Rounds;
import dev.weir.benchmarks.harness.Scenario;
import dev.weir.benchmarks.harness.Workers;
import dev.weir.testkit.redis.RedisBinary;
import dev.weir.testkit.redis.RedisServer;

/**
 * Measures decisions through one Redis, compared with one script call per decision, Bucket4j and
 * Redisson.
 *
 * <p>Load, Redis and the measurement share this machine's cores, so a contestant pays for its own
 * work and for the work it causes in Redis.
 */
public final class RedisScenario implements Scenario {
  private static final int PROCESSES = 4;

  @Override
  public String about() {
    return "decisions through Redis beside one EVALSHA each, Bucket4j and Redisson: speed, CPU";
  }

  @Override
  public void run(Report report, Options options) throws Exception {
    boolean full = options.full();
    RedisBinary binary = RedisBinary.chosen();
    report.line(
        "Redis " + binary.version() + ". All enforce 1,000,000 permits per second, so that");
    report.line(
        "every decision is granted. Medians of rounds in which all take turns, and of their");
    report.line("ratios; load and Redis share the cores.");
    int rounds = full ? 5 : 3;
    int millis = full ? 2_500 : 2_000;
    try (RedisServer redis = RedisServer.start(binary);
        Workers workers = new Workers(PROCESSES, 512, Load.class, redis.url())) {
      RoundRunner oneJvm = new RoundRunner(redis, workers, 1);
      RoundRunner fourJvms = new RoundRunner(redis, workers, PROCESSES);
      reportHotKey(report, oneJvm.run(2, rounds, 64, 1, millis));
      // Three of the processes are new, and the compilers of all four share the cores as well.
      reportFourJvms(report, fourJvms.run(5, rounds + 2, 16, 1, millis));
      reportRandomKeys(report, oneJvm.run(2, rounds, 64, Contestant.CALLERS, millis));
      // The differences are small here, so there are many short turns.
      reportOneCaller(report, oneJvm.run(5, 7 * rounds, 1, 1, millis / 8));
    }
  }

  private static void reportHotKey(Report report, Rounds<ContestantType, Round> rounds) {
    RoundRunner.report(report, rounds, "One hot key, one JVM, 64 callers");
    report.claimAtLeast("hot-key-over-evalsha", 1.5, rounds.ratio(WEIR, EVALSHA, Round::perSecond));
    report.claimAtLeast(
        "hot-key-over-bucket4j-batching", 1.2, rounds.ratio(WEIR, BATCHING, Round::perSecond));
    report.claimAtMost(
        "hot-key-redis-cpu-over-evalsha", 0.5, rounds.ratio(WEIR, EVALSHA, Round::cpuMicros));
  }

  private static void reportFourJvms(Report report, Rounds<ContestantType, Round> rounds) {
    RoundRunner.report(report, rounds, "One hot key, four JVMs, 16 callers in each");
    report.claimAtLeast(
        "four-jvms-over-evalsha", 1.5, rounds.ratio(WEIR, EVALSHA, Round::perSecond));
    report.claimAtLeast(
        "four-jvms-over-bucket4j-batching", 1.5, rounds.ratio(WEIR, BATCHING, Round::perSecond));
  }

  private static void reportRandomKeys(Report report, Rounds<ContestantType, Round> rounds) {
    RoundRunner.report(report, rounds, "10,000 random keys, one JVM, 64 callers");
    report.claimAtLeast(
        "random-keys-over-evalsha", 1.5, rounds.ratio(WEIR, EVALSHA, Round::perSecond));
    report.claimAtMost(
        "random-keys-p99-over-evalsha", 1, rounds.ratio(WEIR, EVALSHA, Round::p99Micros));
    report.claimAtMost(
        "random-keys-redis-cpu-over-evalsha", 0.5, rounds.ratio(WEIR, EVALSHA, Round::cpuMicros));
  }

  private static void reportOneCaller(Report report, Rounds<ContestantType, Round> rounds) {
    RoundRunner.report(report, rounds, "One caller, nothing else in flight");
    report.claimAtMost(
        "alone-median-over-evalsha", 1.1, rounds.ratio(WEIR, EVALSHA, Round::p50Micros));
    report.claimAtMost(
        "alone-mean-over-evalsha", 1.1, rounds.ratio(WEIR, EVALSHA, Round::meanMicros));
  }
}
