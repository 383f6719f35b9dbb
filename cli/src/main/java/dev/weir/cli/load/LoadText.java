package dev.weir.cli.load;

import dev.weir.cli.terminal.Style;
import dev.weir.cli.terminal.Terminal;
import dev.weir.load.measure.Latency;
import dev.weir.load.measure.LoadResult;
import dev.weir.load.measure.Outcome;

/** Prints the result of a run as tables. */
final class LoadText {
  private static final int NAME_WIDTH = 30;
  private static final int WIDTH = 12;

  private final Terminal out;

  LoadText(Terminal out) {
    this.out = out;
  }

  void print(String title, LoadResult result) {
    LoadResult.Counts counts = result.counts();
    out.line(Style.BOLD.of(title));
    out.line();
    row(Style.DIM.of(padded("requests")), "number", "share", "per second");
    row(counts, "due", counts.offered(), result);
    for (Outcome outcome : Outcome.values()) {
      if (counts.of(outcome) > 0) {
        row(counts, outcome.label(), counts.of(outcome), result);
      }
    }
    counts
        .statuses()
        .forEach((status, number) -> row(counts, "  status " + status, number, result));
    out.line();
    row(Style.DIM.of(padded("latency")), "mean", "p50", "p95", "p99", "max");
    row("admitted", result.admitted().summary());
    row(Outcome.LIMITED.label(), result.limited());
    row("sent late by", result.sendDelay());
  }

  private void row(LoadResult.Counts counts, String name, long number, LoadResult result) {
    long perSecond = Math.round(number * 1e9 / Math.max(1, result.offerNanos()));
    String share = Units.percent(number, counts.offered());
    row(padded(name), Units.count(number), share, Units.count(perSecond));
  }

  private void row(String name, Latency latency) {
    if (latency.count() > 0) {
      row(
          padded(name),
          Units.latency(latency.meanMicros()),
          Units.latency(latency.p50Micros()),
          Units.latency(latency.p95Micros()),
          Units.latency(latency.p99Micros()),
          Units.latency(latency.maxMicros()));
    }
  }

  private void row(Object name, String... cells) {
    StringBuilder line = new StringBuilder();
    for (String cell : cells) {
      line.append(" ".repeat(Math.max(1, WIDTH - cell.length()))).append(cell);
    }
    out.line("  ", name, line);
  }

  private static String padded(String name) {
    return name + " ".repeat(Math.max(0, NAME_WIDTH - name.length()));
  }
}
