package dev.weir.benchmarks.redis;

import static dev.weir.benchmarks.redis.Contestants.BATCHING;
import static dev.weir.benchmarks.redis.Contestants.EVALSHA;
import static dev.weir.benchmarks.redis.Contestants.WEIR;

import dev.weir.benchmarks.Options;
import dev.weir.benchmarks.Report;
import dev.weir.benchmarks.Rounds;
import dev.weir.benchmarks.Scenario;
import dev.weir.benchmarks.Workers;
import dev.weir.testkit.redis.RedisBinary;
import dev.weir.testkit.redis.RedisServer;

/**
 * Decisions through one Redis, beside one script call per decision, Bucket4j and Redisson.
 *
 * <p>Load, Redis and the measuring share this machine's cores, so a contestant pays for its own
 * work and for that which it gives to Redis.
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
      Turns one = new Turns(redis, workers, 1);
      Turns four = new Turns(redis, workers, PROCESSES);
      tellHot(report, one.run(2, rounds, 64, 1, millis));
      // Three of the processes are new, and all four share the cores for their compilers, too.
      tellShared(report, four.run(5, rounds + 2, 16, 1, millis));
      tellRandom(report, one.run(2, rounds, 64, Contestant.CALLERS, millis));
      // Differences are small here, so the turns are short and many.
      tellAlone(report, one.run(5, 7 * rounds, 1, 1, millis / 8));
    }
  }

  private static void tellHot(Report report, Rounds<Contestants, Round> rounds) {
    Turns.tell(report, rounds, "One hot key, one JVM, 64 callers");
    report.claimAtLeast("hot-key-over-evalsha", 1.5, rounds.ratio(WEIR, EVALSHA, Round::perSecond));
    report.claimAtLeast(
        "hot-key-over-bucket4j-batching", 1.2, rounds.ratio(WEIR, BATCHING, Round::perSecond));
    report.claimAtMost(
        "hot-key-redis-cpu-over-evalsha", 0.5, rounds.ratio(WEIR, EVALSHA, Round::cpuMicros));
  }

  private static void tellShared(Report report, Rounds<Contestants, Round> rounds) {
    Turns.tell(report, rounds, "One hot key, four JVMs, 16 callers in each");
    report.claimAtLeast(
        "four-jvms-over-evalsha", 1.5, rounds.ratio(WEIR, EVALSHA, Round::perSecond));
    report.claimAtLeast(
        "four-jvms-over-bucket4j-batching", 1.5, rounds.ratio(WEIR, BATCHING, Round::perSecond));
  }

  private static void tellRandom(Report report, Rounds<Contestants, Round> rounds) {
    Turns.tell(report, rounds, "10,000 random keys, one JVM, 64 callers");
    report.claimAtLeast(
        "random-keys-over-evalsha", 1.5, rounds.ratio(WEIR, EVALSHA, Round::perSecond));
    report.claimAtMost(
        "random-keys-p99-over-evalsha", 1, rounds.ratio(WEIR, EVALSHA, Round::p99Micros));
    report.claimAtMost(
        "random-keys-redis-cpu-over-evalsha", 0.5, rounds.ratio(WEIR, EVALSHA, Round::cpuMicros));
  }

  private static void tellAlone(Report report, Rounds<Contestants, Round> rounds) {
    Turns.tell(report, rounds, "One caller, nothing else in flight");
    report.claimAtMost(
        "alone-median-over-evalsha", 1.1, rounds.ratio(WEIR, EVALSHA, Round::p50Micros));
    report.claimAtMost(
        "alone-mean-over-evalsha", 1.1, rounds.ratio(WEIR, EVALSHA, Round::meanMicros));
  }
}
