package dev.weir.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What happened, line by line, for those who want to read it. */
final class Story {
  private final boolean wanted;
  private final List<Line> lines = new ArrayList<>();

  private record Line(long nanos, String text) {
    @Override
    public String toString() {
      return String.format(Locale.ROOT, "%12.6f s  %s", nanos / 1e9, text);
    }
  }

  private Story(boolean wanted) {
    this.wanted = wanted;
  }

  static Story untold() {
    return new Story(false);
  }

  static Story told() {
    return new Story(true);
  }

  boolean isWanted() {
    return wanted;
  }

  void add(long nanos, String text) {
    lines.add(new Line(nanos, text));
  }

  /** All of it. */
  List<String> all() {
    return lines.stream().map(Line::toString).toList();
  }

  /** The last lines up to a moment about a counter, or about everybody. */
  List<String> about(String account, long untilNanos, int most) {
    List<String> about =
        lines.stream()
            .filter(line -> line.nanos <= untilNanos)
            .filter(line -> line.text.startsWith("!") || line.text.contains(account))
            .map(Line::toString)
            .toList();
    return about.subList(Math.max(0, about.size() - most), about.size());
  }
}
