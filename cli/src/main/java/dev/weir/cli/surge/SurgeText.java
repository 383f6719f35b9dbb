package dev.weir.cli.surge;

import dev.weir.cli.load.Units;
import dev.weir.cli.terminal.Style;
import dev.weir.cli.terminal.Terminal;
import java.util.List;

/** Prints both runs and the checks. */
final class SurgeText {
  private static final int NAME_WIDTH = 32;
  private static final int WIDTH = 20;

  private final Terminal out;

  SurgeText(Terminal out) {
    this.out = out;
  }

  /** Prints everything, and returns whether all checks hold. */
  boolean print(SurgeComparison comparison) {
    SurgeSettings settings = comparison.settings();
    String capacity = Units.count(settings.capacity().perSecond());
    String offered = Units.count(settings.offeredPerSecond());
    out.line(
        Style.BOLD.of(offered + " requests per second to a service for " + capacity),
        ", for "
            + settings.surge().toSeconds()
            + " s; clients wait "
            + settings.patience().toSeconds()
            + " s, and have at most "
            + Units.count(settings.maxConnections())
            + " connections");
    out.line();
    out.line(Style.DIM.of(cells(SurgeTable.COLUMNS)));
    SurgeTable.rows(comparison).forEach(row -> out.line(cells(row)));
    out.line();
    out.line("published: " + SurgeTable.SOURCE);
    out.line();
    boolean all = true;
    for (SurgeChecks.Check check : SurgeChecks.of(comparison)) {
      Style.Piece verdict = check.holds() ? Style.GREEN.of("ok   ") : Style.RED.of("SHORT");
      out.line("  ", verdict, "  ", check.claim(), ": ", check.measured());
      all &= check.holds();
    }
    return all;
  }

  private static String cells(List<String> row) {
    StringBuilder line = new StringBuilder("  ").append(row.get(0));
    line.append(" ".repeat(Math.max(0, NAME_WIDTH - row.get(0).length())));
    for (String cell : row.subList(1, row.size())) {
      line.append(" ".repeat(Math.max(1, WIDTH - cell.length()))).append(cell);
    }
    return line.toString();
  }
}
