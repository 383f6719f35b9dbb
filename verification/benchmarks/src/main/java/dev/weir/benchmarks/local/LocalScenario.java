package dev.weir.benchmarks.local;

import static java.util.Objects.requireNonNull;

import dev.weir.benchmarks.harness.Options;
import dev.weir.benchmarks.harness.Report;
import dev.weir.benchmarks.harness.Scenario;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Measures speed and memory of decisions in one process, compared with the peers. */
public final class LocalScenario implements Scenario {
  private static final List<String> PEERS = List.of("bucket4j", "guava", "resilience4j");
  private static final String WEIR = "weir";
  private static final String IN_FUTURE = "allowInFuture";
  private static final String WEIR_FROM_ID = "weirFromId";

  @Override
  public String about() {
    return "decisions in one process beside Bucket4j, Guava and Resilience4j: speed, memory";
  }

  @Override
  public void run(Report report, Options options) throws Exception {
    boolean full = options.full();
    speed(report, full);
    allocation(report, full);
    footprint(report);
  }

  private static void speed(Report report, boolean full) throws RunnerException {
    report.line("Decisions per second, in millions, the median of rounds in which all take turns:");
    report.line("");
    report.line(
        "| keys | threads | weir | weir, hashing the id too | "
            + String.join(" | ", PEERS)
            + " | weir over the best peer |");
    report.line("|---|---|---|---|---|---|---|---|");
    for (int keys : new int[] {100_000, 1}) {
      for (int threads : new int[] {1, 2}) {
        speed(report, full, keys, threads);
      }
    }
    report.line("");
  }

  private static void speed(Report report, boolean full, int keys, int threads)
      throws RunnerException {
    Map<String, List<Double>> rounds = new HashMap<>();
    for (int round = 0; round < (full ? 7 : 3); round++) {
      for (RunResult run : jmh(DecisionBenchmark.class, full, keys, threads)) {
        String contender = run.getPrimaryResult().getLabel();
        rounds.computeIfAbsent(contender, absent -> new ArrayList<>());
        requireNonNull(rounds.get(contender)).add(run.getPrimaryResult().getScore());
      }
    }
    Map<String, Double> perSecond = new HashMap<>();
    rounds.forEach((contender, scores) -> perSecond.put(contender, median(scores)));
    double best = PEERS.stream().mapToDouble(peer -> score(perSecond, peer)).max().orElseThrow();
    double ratio = score(perSecond, WEIR) / best;
    StringBuilder row = new StringBuilder("| " + keys + " | " + threads);
    row.append(millions(perSecond, WEIR)).append(millions(perSecond, WEIR_FROM_ID));
    PEERS.forEach(peer -> row.append(millions(perSecond, peer)));
    report.line(row + String.format(Locale.ROOT, " | %.2f |", ratio));
    String name = (keys == 1 ? "hot-key-" : "random-keys-") + threads + "-threads-over-best-peer";
    report.claimAtLeast(name, keys == 1 ? 1.2 : 2, ratio);
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
  }

  private static String millions(Map<String, Double> perSecond, String contender) {
    return String.format(Locale.ROOT, " | %.2f", score(perSecond, contender) / 1e6);
  }

  private static double score(Map<String, Double> perSecond, String contender) {
    return requireNonNull(perSecond.get(contender), contender);
  }

  private static void allocation(Report report, boolean full) throws RunnerException {
    report.line("Bytes allocated per decision of a single claim:");
    report.line("");
    for (RunResult run : jmh(AllocationBenchmark.class, full, 0, 1)) {
      Result<?> bytes = requireNonNull(run.getSecondaryResults().get("gc.alloc.rate.norm"));
      String label = run.getPrimaryResult().getLabel();
      report.line(String.format(Locale.ROOT, "- %s: %.1f", label, bytes.getScore()));
      if (!label.equals(IN_FUTURE)) {
        report.claimAtMost("bytes-per-decision-" + label, 64, Math.rint(bytes.getScore()));
      }
    }
    report.line("");
  }

  private static void footprint(Report report) throws Exception {
    report.line("Heap per live key, all included, at 1,000,000 keys:");
    report.line("");
    for (Map.Entry<String, Double> entry : Footprint.measure().entrySet()) {
      report.line(String.format(Locale.ROOT, "- %s: %.0f bytes", entry.getKey(), entry.getValue()));
      if (entry.getKey().equals(WEIR)) {
        report.claimAtMost("bytes-per-live-key", 100, entry.getValue());
      }
    }
  }

  private static Collection<RunResult> jmh(Class<?> type, boolean full, int keys, int threads)
      throws RunnerException {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include(type.getName())
            .forks(1)
            .warmupIterations(full ? 5 : 2)
            .warmupTime(TimeValue.seconds(1))
            .measurementIterations(full ? 10 : 2)
            .measurementTime(TimeValue.seconds(1))
            .threads(threads)
            .jvmArgs("-Xms1g", "-Xmx1g", "-XX:+AlwaysPreTouch")
            .addProfiler(GCProfiler.class)
            .verbosity(VerboseMode.SILENT);
    if (keys > 0) {
      options.param("keys", String.valueOf(keys));
    }
    return new Runner(options.build()).run();
  }
}
