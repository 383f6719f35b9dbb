package dev.weir.replay.report;

import java.util.ArrayList;
import java.util.List;

/** The lines of a report, at most 100 characters wide. For one thread. */
final class Page {
  private static final int WIDTH = 100;

  private final List<String> lines = new ArrayList<>();

  /** The lines so far. */
  List<String> lines() {
    return lines;
  }

  void line(String text) {
    lines.add(text);
  }

  /** Adds a heading, after an empty line. */
  void heading(String text) {
    lines.add("");
    wrapped(text);
  }

  /** Adds a table, after an empty line, unless it is empty. */
  void add(Table table) {
    if (!table.isEmpty()) {
      lines.add("");
      lines.addAll(table.lines());
    }
  }

  /** Adds a text, cut where it is too long. */
  void cut(String text) {
    lines.add(text.length() <= WIDTH ? text : text.substring(0, WIDTH - 1) + "…");
  }

  /** Adds a text, broken between words where it is too long. */
  void wrapped(String text) {
    String rest = text;
    while (rest.length() > WIDTH) {
      int space = rest.lastIndexOf(' ', WIDTH);
      int end = space < WIDTH / 2 ? WIDTH : space;
      lines.add(rest.substring(0, end).stripTrailing());
      rest = "    " + rest.substring(end).stripLeading();
    }
    lines.add(rest);
  }
}
