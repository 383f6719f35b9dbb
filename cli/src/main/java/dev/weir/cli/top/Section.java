package dev.weir.cli.top;

import dev.weir.cli.terminal.Style;
import java.util.ArrayList;
import java.util.List;

/**
 * A heading and what is below it.
 *
 * @param title in words
 * @param columns the heads of the columns, at their places in the line
 * @param rows the pieces of each row, the most important first
 * @param none why there are no rows
 * @param minRows so many rows belong together
 */
record Section(String title, String columns, List<List<Object>> rows, String none, int minRows) {

  private int least() {
    return Math.min(minRows, rows.size());
  }

  /** The heading; says how many rows there are if not all are shown. */
  private List<Object> heading(int shown) {
    if (rows.isEmpty()) {
      return List.of(Style.BOLD.of(title), "  ", Style.DIM.of(none));
    }
    String name = shown < rows.size() ? title + " (" + shown + " of " + rows.size() + ")" : title;
    // A long title covers the heads of columns, which it never cuts.
    int from = name.length();
    while (from < columns.length() && columns.charAt(from) != ' ') {
      from++;
    }
    String heads = from < columns.length() ? columns.substring(from).stripTrailing() : "";
    return List.of(
        Style.BOLD.of(name),
        " ".repeat(heads.isEmpty() ? 0 : from - name.length()),
        Style.DIM.of(heads));
  }

  /**
   * The sections one below another in at most so many lines.
   *
   * <p>Each section gets its first rows, then all get one more in turn until there is no room; a
   * section whose first rows have no room is left out, the last ones first.
   *
   * @param spaced whether an empty line is above each section
   */
  static List<List<Object>> lines(List<Section> sections, int maxLines, boolean spaced) {
    int above = spaced ? 2 : 1; // an empty line, a heading
    int left = maxLines;
    int shownSections = 0;
    while (shownSections < sections.size() && above + sections.get(shownSections).least() <= left) {
      left -= above + sections.get(shownSections).least();
      shownSections++;
    }
    List<Section> fitting = sections.subList(0, shownSections);
    int[] shown = fitting.stream().mapToInt(Section::least).toArray();
    for (boolean more = true; more && left > 0; ) {
      more = false;
      for (int i = 0; i < shown.length && left > 0; i++) {
        if (shown[i] < fitting.get(i).rows().size()) {
          shown[i]++;
          left--;
          more = true;
        }
      }
    }
    List<List<Object>> lines = new ArrayList<>();
    for (int i = 0; i < shown.length; i++) {
      if (spaced) {
        lines.add(List.of());
      }
      lines.add(fitting.get(i).heading(shown[i]));
      lines.addAll(fitting.get(i).rows().subList(0, shown[i]));
    }
    return lines;
  }
}
