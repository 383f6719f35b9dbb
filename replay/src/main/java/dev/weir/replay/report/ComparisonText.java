package dev.weir.replay.report;

import dev.weir.replay.result.Comparison;

/** Writes where two rule sets disagree. */
final class ComparisonText {
  private final Page page;

  ComparisonText(Page page) {
    this.page = page;
  }

  /** Adds the matrix, the disagreements by rule, and the examples. */
  void add(Comparison comparison, String proposed, String today) {
    page.heading("Against " + today);
    Table table = new Table(false, "", today + " allows", today + " denies");
    table.row(
        "  " + proposed + " allows",
        Numbers.of(comparison.bothAllow()),
        Numbers.of(comparison.newlyAllowed()));
    table.row(
        "  " + proposed + " denies",
        Numbers.of(comparison.newlyDenied()),
        Numbers.of(comparison.bothDeny()));
    page.lines().addAll(table.lines());
    for (Comparison.RuleDisagreement one : comparison.byRule()) {
      page.line("  " + change(one.change()) + one.rule() + ": " + Numbers.of(one.requests()));
    }
    for (Comparison.Example one : comparison.examples()) {
      page.cut(
          "    "
              + change(one.change())
              + one.rule()
              + ": "
              + one.at().file()
              + ":"
              + one.at().line()
              + " "
              + one.method()
              + " "
              + one.target()
              + " of "
              + one.caller());
    }
  }

  private static String change(Comparison.Change change) {
    return change == Comparison.Change.NEWLY_DENIED ? "newly denied by " : "no longer denied by ";
  }
}
