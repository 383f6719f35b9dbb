package dev.weir.replay.report;

import java.util.ArrayList;
import java.util.List;

/**
 * Lines of a table: the first column is aligned to the left, as are those marked so; all others to
 * the right. For one thread.
 */
final class Table {
  private static final String GAP = "  ";
  private static final int MAX_WIDTH = 100;

  private final List<List<String>> rows = new ArrayList<>();
  private final int leftColumns;
  private final boolean lastLeft;

  /**
   * A table with a heading.
   *
   * @param lastLeft whether the last column is aligned to the left
   */
  Table(boolean lastLeft, String... heading) {
    this.leftColumns = 1;
    this.lastLeft = lastLeft;
    rows.add(List.of(heading));
  }

  void row(String... cells) {
    rows.add(List.of(cells));
  }

  boolean isEmpty() {
    return rows.size() == 1;
  }

  /** The lines; the first column is cut where they would be too long. */
  List<String> lines() {
    int columns = rows.get(0).size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    int total = GAP.length() * (columns - 1);
    for (int width : widths) {
      total += width;
    }
    widths[0] = Math.max(12, Math.min(widths[0], widths[0] - (total - MAX_WIDTH)));
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      lines.add(line(row, widths));
    }
    return lines;
  }

  private String line(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < row.size(); i++) {
      String cell = cut(row.get(i), widths[i]);
      String padding = " ".repeat(widths[i] - cell.length());
      boolean left = i < leftColumns || (lastLeft && i == row.size() - 1);
      line.append(i == 0 ? "" : GAP).append(left ? cell + padding : padding + cell);
    }
    return cut(line.toString().stripTrailing(), MAX_WIDTH);
  }

  private static String cut(String text, int width) {
    return text.length() <= width ? text : text.substring(0, width - 1) + "…";
  }
}
