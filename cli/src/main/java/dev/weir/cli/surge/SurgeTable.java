package dev.weir.cli.surge;

import dev.weir.cli.load.Units;
import dev.weir.load.measure.Latency;
import dev.weir.load.measure.LoadResult;
import dev.weir.load.measure.Outcome;
import java.util.ArrayList;
import java.util.List;

/** The numbers of both runs side by side, and beside them those of a published load test. */
final class SurgeTable {
  /** Where the other numbers come from. */
  static final String SOURCE =
      "\"Rate Limiting: Algorithms, Redis, and Atomic Operations\", surviving the spike, chapter 28";

  static final List<String> COLUMNS =
      List.of("", "bare", "behind Weir", "published: bare", "published: limited");

  private SurgeTable() {}

  /** Rows of five cells: a name, our two runs, and the two of the published test. */
  static List<List<String>> rows(SurgeComparison comparison) {
    LoadResult bare = comparison.bare().surge();
    LoadResult limited = comparison.limited().surge();
    Latency slow = bare.admitted().summary();
    Latency fast = limited.admitted().summary();
    List<List<String>> rows = new ArrayList<>();
    rows.add(row("requests", offered(bare), offered(limited), "37,880", "37,880"));
    rows.add(row("offered per second", perSecond(bare), perSecond(limited), "210", "210"));
    rows.add(row("admitted: mean", mean(slow), mean(fast), "2.9 s", "85.0 ms"));
    rows.add(row("admitted: p50", p50(slow), p50(fast), "1.3 s", "48.0 ms"));
    rows.add(row("admitted: p95", p95(slow), p95(fast), "12.5 s", "340 ms"));
    rows.add(row("admitted: p99", p99(slow), p99(fast), "39.0 s", "680 ms"));
    rows.add(row("admitted: failures", failures(bare), failures(limited), "19.3 %", "0.1 %"));
    for (Outcome outcome : Outcome.values()) {
      if (outcome.isFailure() && count(bare, outcome) + count(limited, outcome) > 0) {
        String name = "  " + outcome.label();
        rows.add(row(name, number(bare, outcome), number(limited, outcome), "", ""));
      }
    }
    rows.add(row("429", denied(bare), denied(limited), "0", "25,437 (67.2 %)"));
    rows.add(row("429: mean", mean(bare.limited()), mean(limited.limited()), "-", "3.00 ms"));
    rows.add(row("shed", number(bare, Outcome.SHED), number(limited, Outcome.SHED), "-", "-"));
    String useful = Units.count(bare.usefulPerSecond());
    rows.add(row("useful per second", useful, Units.count(limited.usefulPerSecond()), "-", "-"));
    return rows;
  }

  private static List<String> row(String... cells) {
    return List.of(cells);
  }

  private static String offered(LoadResult result) {
    return Units.count(result.counts().offered());
  }

  private static String perSecond(LoadResult result) {
    return Units.count(result.offeredPerSecond());
  }

  private static String mean(Latency latency) {
    return latency.count() == 0 ? "-" : Units.latency(latency.meanMicros());
  }

  private static String p50(Latency latency) {
    return latency.count() == 0 ? "-" : Units.latency(latency.p50Micros());
  }

  private static String p95(Latency latency) {
    return latency.count() == 0 ? "-" : Units.latency(latency.p95Micros());
  }

  private static String p99(Latency latency) {
    return latency.count() == 0 ? "-" : Units.latency(latency.p99Micros());
  }

  private static String failures(LoadResult result) {
    return Units.percent(result.counts().failures(), result.counts().admitted());
  }

  private static long count(LoadResult result, Outcome outcome) {
    return result.counts().of(outcome);
  }

  private static String number(LoadResult result, Outcome outcome) {
    return Units.count(count(result, outcome));
  }

  private static String denied(LoadResult result) {
    long denied = count(result, Outcome.LIMITED);
    String share = Units.percent(denied, result.counts().offered());
    return denied == 0 ? "0" : Units.count(denied) + " (" + share + ")";
  }
}
