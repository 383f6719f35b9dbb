package dev.weir.cli.top;

import dev.weir.cli.terminal.Printable;
import dev.weir.cli.terminal.Style;
import dev.weir.cli.terminal.TextWidth;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Decisions per second by outcome over 15 minutes, a row each, and what happened below them.
 *
 * @param columns of the terminal
 */
record Chart(int columns) {
  private static final int[] SECONDS_PER_COLUMN = {
    5, 6, 9, 10, 12, 15, 18, 20, 25, 30, 36, 45, 50, 60, 75, 90, 100, 150, 180, 300, 450
  };
  private static final int NAME = 16;
  private static final int NUMBER = 8;
  private static final int NOW_SECONDS = 5;
  private static final int ROOMY = 60;
  private static final Set<String> PASSED = Set.of("allowed");
  private static final Set<String> REFUSED = Set.of("denied", "blocked", "unanswered");

  Section section(LiveState state) {
    Timeline timeline = state.timeline();
    int size = secondsPerColumn();
    List<List<Object>> rows = new ArrayList<>();
    for (String outcome : timeline.outcomes()) {
      Style style =
          PASSED.contains(outcome)
              ? Style.GREEN
              : REFUSED.contains(outcome) ? Style.RED : Style.YELLOW;
      String peak = isRoomy() ? number(Numbers.rate(timeline.peak(outcome, size))) : "";
      rows.add(
          List.of(
              "  " + TextWidth.fit(outcome, NAME - 2),
              number(Numbers.rate(timeline.mean(outcome, NOW_SECONDS))),
              peak + "  ",
              style.of(Numbers.sparkline(timeline.columns(outcome, size)))));
    }
    String marks = marks(state, size);
    if (!marks.isBlank()) {
      String margin = "  " + TextWidth.fit("events", before() - 2);
      rows.add(List.of(Style.DIM.of(margin + marks.stripTrailing())));
    }
    return new Section("Decisions/s", heads(size), rows, "none", 2);
  }

  private boolean isRoomy() {
    return columns >= ROOMY;
  }

  private int before() {
    return NAME + NUMBER * (isRoomy() ? 2 : 1) + 2;
  }

  private int secondsPerColumn() {
    for (int size : SECONDS_PER_COLUMN) {
      if (Timeline.SECONDS / size <= columns - before()) {
        return size;
      }
    }
    return Timeline.SECONDS;
  }

  private String heads(int size) {
    int width = Timeline.SECONDS / size;
    String heads = " ".repeat(NAME) + number("now") + (isRoomy() ? number("peak") : "") + "  ";
    String left = width < 20 ? "15 min" : "15 min ago";
    String middle = width < 40 ? "" : "one column is " + size + " s";
    int gap = width - left.length() - middle.length() - "now".length();
    if (gap < 2) {
      return heads + left;
    }
    return heads + left + " ".repeat(gap / 2) + middle + " ".repeat(gap - gap / 2) + "now";
  }

  /** The first letter of what happened, in its column; a plus if several things did. */
  private static String marks(LiveState state, int size) {
    StringBuilder marks = new StringBuilder(" ".repeat(Timeline.SECONDS / size));
    for (Fields event : state.events()) {
      Duration age = Duration.between(Numbers.instant(event.count("time")), state.time());
      int column = state.timeline().column(Math.max(0, age.toSeconds()), size);
      String kind = event.text("kind");
      if (column >= 0 && !kind.isEmpty()) {
        char before = marks.charAt(column);
        char mark = Printable.of(kind).charAt(0);
        marks.setCharAt(column, before == ' ' || before == mark ? mark : '+');
      }
    }
    return marks.toString();
  }

  private static String number(String number) {
    return " ".repeat(Math.max(1, NUMBER - number.length())) + number;
  }
}
