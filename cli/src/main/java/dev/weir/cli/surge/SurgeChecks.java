package dev.weir.cli.surge;

import dev.weir.cli.load.Units;
import dev.weir.load.measure.Latency;
import dev.weir.load.measure.LoadResult;
import java.util.List;

/** What a surge is to show: the service collapses alone, and does not behind Weir. */
final class SurgeChecks {
  private static final long COLLAPSED_P99_MICROS = 10_000_000;
  private static final long COLLAPSED_FAILURES_PERCENT = 15;
  private static final int USEFUL_PERCENT = 90;
  private static final int FAILURES_PER_THOUSAND = 1;
  private static final int FASTER = 30;
  private static final long LIMITED_MICROS = 3_000;

  private SurgeChecks() {}

  /**
   * One line.
   *
   * @param claim what must hold
   * @param measured what was measured
   */
  record Check(String claim, String measured, boolean holds) {}

  static List<Check> of(SurgeComparison comparison) {
    LoadResult bare = comparison.bare().surge();
    LoadResult limited = comparison.limited().surge();
    long capacity = comparison.settings().capacity().perSecond();
    return List.of(
        new Check(
            "bare: useful requests fall below half of the capacity",
            Units.count(bare.usefulPerSecond()) + " of " + Units.count(capacity) + " per second",
            bare.usefulPerSecond() * 2 < capacity),
        collapse(bare),
        new Check(
            "behind Weir: useful requests are at least 90 % of the capacity",
            Units.count(limited.usefulPerSecond()) + " of " + Units.count(capacity) + " per second",
            limited.usefulPerSecond() * 100 >= capacity * USEFUL_PERCENT),
        new Check(
            "behind Weir: at most 0.1 % of admitted requests fail",
            Units.percent(limited.counts().failures(), limited.counts().admitted()),
            limited.counts().failures() * 1_000
                <= limited.counts().admitted() * FAILURES_PER_THOUSAND),
        faster(bare.admitted().summary(), limited.admitted().summary()),
        new Check(
            "behind Weir: a 429 takes at most 3 ms on average",
            Units.latency(limited.limited().meanMicros())
                + " for "
                + Units.count(limited.limited().count()),
            limited.limited().count() > 0 && limited.limited().meanMicros() <= LIMITED_MICROS));
  }

  private static Check collapse(LoadResult bare) {
    long failures = bare.counts().failures();
    long p99 = bare.admitted().summary().p99Micros();
    boolean fails = failures * 100 > bare.counts().admitted() * COLLAPSED_FAILURES_PERCENT;
    return new Check(
        "bare: p99 is above 10 s, or over 15 % of requests fail",
        Units.latency(p99) + ", " + Units.percent(failures, bare.counts().admitted()),
        fails || p99 > COLLAPSED_P99_MICROS);
  }

  private static Check faster(Latency bare, Latency limited) {
    String measured =
        Units.latency(bare.p99Micros()) + " and " + Units.latency(limited.p99Micros());
    return new Check(
        "behind Weir: p99 of admitted requests is at least 30 times lower",
        measured,
        limited.count() > 0 && limited.p99Micros() * FASTER <= bare.p99Micros());
  }
}
