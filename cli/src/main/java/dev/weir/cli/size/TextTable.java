package dev.weir.cli.size;

import dev.weir.cli.terminal.Style;
import dev.weir.cli.terminal.Terminal;
import java.util.ArrayList;
import java.util.List;

/** A table whose first column is on the left, and whose columns are as wide as their cells. */
final class TextTable {
  private static final int GAP = 3;
  private static final int MAX_NAME = 40;

  private final List<List<String>> rows = new ArrayList<>();

  /** A table with these headings. */
  TextTable(String... headings) {
    row(headings);
  }

  /** Adds a row of as many cells as there are headings. */
  TextTable row(String... cells) {
    rows.add(List.of(cells));
    return this;
  }

  /** Prints the headings and all rows, indented. */
  void print(Terminal out) {
    int columns = rows.get(0).size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], shown(row, i).length());
      }
    }
    for (int i = 0; i < rows.size(); i++) {
      String line = line(rows.get(i), widths);
      out.line(i == 0 ? Style.DIM.of(line) : line);
    }
  }

  private static String line(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder("  ").append(shown(row, 0));
    line.append(" ".repeat(widths[0] - shown(row, 0).length()));
    for (int i = 1; i < row.size(); i++) {
      line.append(" ".repeat(GAP + widths[i] - row.get(i).length())).append(row.get(i));
    }
    return line.toString().stripTrailing();
  }

  private static String shown(List<String> row, int column) {
    String cell = row.get(column);
    return column == 0 && cell.length() > MAX_NAME ? cell.substring(0, MAX_NAME - 1) + "…" : cell;
  }
}
