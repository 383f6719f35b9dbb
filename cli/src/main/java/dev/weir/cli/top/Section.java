package dev.weir.cli.top;

import java.util.ArrayList;
import java.util.List;

/**
 * A heading and what is below it.
 *
 * @param heading the pieces of its line
 * @param rows the pieces of each row, the most important first
 */
record Section(List<Object> heading, List<List<Object>> rows) {
  /**
   * The sections one below another in at most so many lines.
   *
   * <p>Each section gets its first row, then all get one more in turn until there is no room; a
   * section whose first row has no room is left out, the last ones first.
   */
  static List<List<Object>> lines(List<Section> sections, int maxLines) {
    int[] shown = new int[sections.size()];
    int left = maxLines;
    for (int i = 0; i < shown.length; i++) {
      int first = 2 + Math.min(1, sections.get(i).rows().size()); // an empty line, a heading
      if (left < first) {
        shown[i] = -1;
        left = 0;
      } else {
        shown[i] = first - 2;
        left -= first;
      }
    }
    boolean more = true;
    while (more && left > 0) {
      more = false;
      for (int i = 0; i < shown.length && left > 0; i++) {
        if (shown[i] >= 0 && shown[i] < sections.get(i).rows().size()) {
          shown[i]++;
          left--;
          more = true;
        }
      }
    }
    List<List<Object>> lines = new ArrayList<>();
    for (int i = 0; i < shown.length; i++) {
      if (shown[i] >= 0) {
        lines.add(List.of());
        lines.add(sections.get(i).heading());
        lines.addAll(sections.get(i).rows().subList(0, shown[i]));
      }
    }
    return lines;
  }
}
