package dev.weir.benchmarks.lease;

import static dev.weir.benchmarks.lease.LeaseScenario.SERVERS;
import static dev.weir.benchmarks.lease.LeaseScenario.THREADS;

import dev.weir.Mode;
import dev.weir.benchmarks.Report;
import dev.weir.benchmarks.Workers;
import dev.weir.testkit.redis.RedisServer;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * How much is admitted where the limit is reached: by far, so that little is left to be leased, and
 * only just, so that most of it is.
 *
 * <p>What strict mode would admit is known exactly: what fits at once, and what comes while it
 * runs, by the time of the store.
 */
final class AtTheLimit {
  private static final long PERMITS = 20_000;
  private static final long ONLY_JUST = PERMITS * 21 / 20;
  private static final int SECONDS = 60;

  private final Report report;
  private final RedisServer redis;
  private final Workers workers;
  private double least = Double.MAX_VALUE;
  private double most;

  AtTheLimit(Report report, RedisServer redis, Workers workers) {
    this.report = report;
    this.redis = redis;
    this.workers = workers;
  }

  void tell() throws IOException {
    report.line("");
    report.line(
        String.format(
            Locale.ROOT,
            "%,d per second and at once, %d JVMs of %d callers for %d s:",
            PERMITS,
            SERVERS,
            THREADS,
            SECONDS));
    report.line("");
    report.line(
        "| | asked | admitted | on leases | the limit allows | of that | of that and the bound | store calls |");
    report.line("|---|---|---|---|---|---|---|---|");
    var unused = run(Way.STRICT, 0);
    for (long perSecond : List.of(0L, ONLY_JUST)) {
      double ofBoth = run(Way.LEASED_LOCAL, perSecond);
      least = Math.min(least, ofBoth);
      most = Math.max(most, ofBoth);
    }
    report.claimAtLeast("admitted-at-least", 0.98, least);
    report.claimAtMost("admitted-at-most", 1, most);
  }

  private double run(Way way, long perSecond) throws IOException {
    // Each with counters of its own, all of them full.
    long permits = perSecond == 0 ? PERMITS : PERMITS + 1;
    long before = micros();
    Task task = new Task(way, permits, THREADS, SECONDS * 1_000L, perSecond / SERVERS);
    Result result = LeaseScenario.ask(workers, SERVERS, task);
    long allowed = permits + permits * (micros() - before) / 1_000_000;
    long bound = permits * Mode.leased().share() / Mode.WHOLE;
    double ofBoth = (double) result.admitted() / (allowed + bound);
    report.line(
        String.format(
            Locale.ROOT,
            "| %s%s | %d | %d | %d | %d | %.4f | %.4f | %d |",
            way.title,
            perSecond == 0 ? "" : String.format(Locale.ROOT, ", %,d asked per second", perSecond),
            result.decisions(),
            result.admitted(),
            result.leased(),
            allowed,
            (double) result.admitted() / allowed,
            ofBoth,
            result.calls()));
    return ofBoth;
  }

  /** The time of the store, by which it counts. */
  private long micros() {
    List<?> time = redis.list("TIME");
    return Long.parseLong((String) time.get(0)) * 1_000_000 + Long.parseLong((String) time.get(1));
  }
}
