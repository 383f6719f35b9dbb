package dev.weir.benchmarks.lease;

import static dev.weir.benchmarks.lease.LeaseScenario.SERVERS;
import static dev.weir.benchmarks.lease.LeaseScenario.THREADS;

import dev.weir.Mode;
import dev.weir.benchmarks.harness.Report;
import dev.weir.benchmarks.harness.Workers;
import dev.weir.testkit.redis.RedisServer;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * Measures how much is admitted at the limit: under heavy overload, where little is left to lease,
 * and under slight overload, where most of it is leased.
 *
 * <p>What strict mode would admit is known exactly: the burst, and what refills during the run, by
 * the clock of the store.
 */
final class LimitAccuracy {
  private static final long PERMITS = 20_000;
  private static final long SLIGHT_OVERLOAD = PERMITS * 21 / 20;
  private static final int SECONDS = 60;

  private final Report report;
  private final RedisServer redis;
  private final Workers workers;
  private double minAdmitted = Double.MAX_VALUE;
  private double maxAdmitted;

  LimitAccuracy(Report report, RedisServer redis, Workers workers) {
    this.report = report;
    this.redis = redis;
    this.workers = workers;
  }

  void report() throws IOException {
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
        "| | requests | admitted | on leases | the limit allows | of that | of that and the bound | store calls |");
    report.line("|---|---|---|---|---|---|---|---|");
    var unused = run(Variant.STRICT, 0);
    for (long perSecond : List.of(0L, SLIGHT_OVERLOAD)) {
      double ofBound = run(Variant.LEASED_LOCAL, perSecond);
      minAdmitted = Math.min(minAdmitted, ofBound);
      maxAdmitted = Math.max(maxAdmitted, ofBound);
    }
    report.claimAtLeast("admitted-at-least", 0.98, minAdmitted);
    report.claimAtMost("admitted-at-most", 1, maxAdmitted);
  }

  private double run(Variant variant, long perSecond) throws IOException {
    // Each run has counters of its own, all of them full.
    long permits = perSecond == 0 ? PERMITS : PERMITS + 1;
    long before = micros();
    Task task = new Task(variant, permits, THREADS, SECONDS * 1_000L, perSecond / SERVERS);
    Result result = LeaseScenario.run(workers, SERVERS, task);
    long allowed = permits + permits * (micros() - before) / 1_000_000;
    long bound = permits * Mode.leased().share() / Mode.WHOLE;
    double ofBound = (double) result.admitted() / (allowed + bound);
    report.line(
        String.format(
            Locale.ROOT,
            "| %s%s | %d | %d | %d | %d | %.4f | %.4f | %d |",
            variant.title,
            perSecond == 0
                ? ""
                : String.format(Locale.ROOT, ", %,d requests per second", perSecond),
            result.decisions(),
            result.admitted(),
            result.leased(),
            allowed,
            (double) result.admitted() / allowed,
            ofBound,
            result.calls()));
    return ofBound;
  }

  /** The clock of the store, by which it counts. */
  private long micros() {
    List<?> time = redis.list("TIME");
    return Long.parseLong((String) time.get(0)) * 1_000_000 + Long.parseLong((String) time.get(1));
  }
}
