package dev.weir.benchmarks.size;

import dev.weir.benchmarks.harness.Options;
import dev.weir.benchmarks.harness.Report;
import dev.weir.benchmarks.harness.Scenario;
import dev.weir.cli.size.model.HeapBytes;
import dev.weir.cli.size.model.MeasuredTables;
import dev.weir.cli.size.model.RedisBuild;
import dev.weir.cli.size.model.RedisKeyBytes;
import dev.weir.testkit.redis.RedisBinary;
import dev.weir.testkit.redis.RedisServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Measures the memory of counters beside the predictions of {@code weir size}. */
public final class SizeScenario implements Scenario {
  private static final double TOLERANCE = 0.1;
  private static final int LONG_LISTS = 10_000;
  private static final int ROUNDS = 3;

  private double worst;

  @Override
  public String about() {
    return "memory of counters in Redis and in process beside weir size; the tables that it reads";
  }

  @Override
  public void run(Report report, Options options) throws Exception {
    worst = 0;
    heap(report, options.full());
    report.claimAtMost("heap-prediction-off-by", TOLERANCE, worst);
    List<RedisBinary> binaries = new ArrayList<>(List.of(RedisBinary.embedded()));
    Optional<RedisBinary> installed = RedisBinary.onPath();
    installed.ifPresent(binaries::add);
    worst = 0;
    for (RedisBinary binary : binaries) {
      memory(report, binary, options.full());
    }
    report.claimAtMost("redis-prediction-off-by", TOLERANCE, worst);
    work(report, installed.orElse(binaries.get(0)), options.full());
  }

  private void heap(Report report, boolean full) throws InterruptedException {
    report.line("Heap per key, all included:");
    report.line("");
    report.line("| | keys | predicted | measured | off by |");
    report.line("|---|---|---|---|---|");
    for (SampleCounter counter : SampleCounter.filled()) {
      for (int keys : full ? new int[] {10_000, 100_000, 1_000_000} : new int[] {100_000}) {
        double table = HeapBytes.table(keys, HeapPerKey.maxKeys(counter, keys));
        double predicted = table / keys + HeapBytes.log(counter.limit(), counter.entries());
        row(report, counter, keys, predicted, HeapPerKey.of(counter, keys));
      }
    }
    report.line("");
  }

  private void memory(Report report, RedisBinary binary, boolean full) {
    RedisBuild build = MeasuredTables.load().build(binary.version());
    report.line("Redis " + binary.version() + ", bytes per key, all included:");
    report.line("");
    report.line("| | keys | predicted | measured | off by |");
    report.line("|---|---|---|---|---|");
    int[] many = {10_000, 30_000, 70_000, 100_000, 200_000, 1_000_000};
    try (RedisServer redis = RedisServer.start(binary)) {
      for (SampleCounter counter : SampleCounter.filled()) {
        for (int keys : full ? many : new int[] {30_000, 100_000}) {
          memory(report, redis, build, counter, keys);
        }
      }
      for (SampleCounter counter : SampleCounter.longLists()) {
        int keys = counter.entries() > 100 ? LONG_LISTS / 10 : LONG_LISTS;
        memory(report, redis, build, counter, keys);
      }
    }
    report.line("");
  }

  private void memory(
      Report report, RedisServer redis, RedisBuild build, SampleCounter counter, int keys) {
    double each = RedisKeyBytes.of(counter.limit(), counter.entries(), build, false).each();
    double predicted = each + (double) RedisKeyBytes.tables(keys) / keys;
    row(report, counter, keys, predicted, RedisBytes.perKey(redis, counter, keys));
  }

  private void row(
      Report report, SampleCounter counter, int keys, double predicted, double measured) {
    double off = predicted / measured - 1;
    worst = Math.max(worst, Math.abs(off));
    report.line(
        String.format(
            Locale.ROOT,
            "| %s | %d | %.1f | %.1f | %+.1f %% |",
            counter.name(),
            keys,
            predicted,
            measured,
            100 * off));
  }

  private static void work(Report report, RedisBinary binary, boolean full) throws Exception {
    int decisions = full ? 500_000 : 100_000;
    report.line(
        "Redis " + binary.version() + ", for a decision on one of 10,000 random keys, with");
    report.line("64 callers that wait for theirs; a concurrency permit is taken and released.");
    report.line("Medians of " + ROUNDS + " rounds; load and Redis share the cores:");
    report.line("");
    report.line("| | Redis CPU µs | bytes to Redis | bytes from Redis | decisions/s |");
    report.line("|---|---|---|---|---|");
    try (RedisServer redis = RedisServer.start(binary)) {
      for (SampleCounter counter : SampleCounter.busy()) {
        List<RedisWork> rounds = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
          rounds.add(RedisWork.of(redis, counter, decisions));
        }
        rounds.sort((one, other) -> Double.compare(one.micros(), other.micros()));
        RedisWork median = rounds.get(ROUNDS / 2);
        report.line(
            String.format(
                Locale.ROOT,
                "| %s | %.2f | %.0f | %.0f | %.0f |",
                counter.name(),
                median.micros(),
                median.requestBytes(),
                median.replyBytes(),
                median.perSecond()));
      }
    }
  }
}
