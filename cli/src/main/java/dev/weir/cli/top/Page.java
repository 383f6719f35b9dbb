package dev.weir.cli.top;

import dev.weir.cli.terminal.Screen;
import dev.weir.cli.terminal.Style;
import dev.weir.cli.terminal.TextWidth;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;

/**
 * What {@code weir top} shows, as lines of pieces. Immutable.
 *
 * @param server its address
 * @param zone that times are shown in
 */
record Page(String server, ZoneId zone) {
  /** What is older than this does not look live. */
  private static final Duration LATE = Duration.ofMillis(3_500);

  private static final int SPACED_LINES = 30;
  private static final int MAX_VERDICT_LINES = 3;
  private static final int MAX_PROBLEMS = 4;

  /**
   * The lines for a state.
   *
   * @param now by the clock of this machine
   * @param problem why there is no newer state; empty if nothing is wrong
   */
  List<List<Object>> lines(
      LiveState state, SidePages.Content side, Instant now, String problem, Screen.Size size) {
    boolean late = Duration.between(state.received(), now).compareTo(LATE) > 0;
    List<List<Object>> lines = new ArrayList<>(head(state, late, problem, size.columns()));
    List<List<Object>> body =
        new ArrayList<>(Facts.lines(state, side.actions(), zone, size.columns()));
    boolean spaced = size.lines() >= SPACED_LINES;
    int left = size.lines() - lines.size() - body.size();
    body.addAll(Section.lines(sections(state, side, size.columns()), left, spaced));
    if (late) {
      body.replaceAll(Page::faded);
    }
    lines.addAll(body);
    return lines;
  }

  /** Whether requests are decided as the rules say. */
  static boolean decides(LiveState state) {
    return Verdict.of(state.second().at("status")).decides();
  }

  private List<List<Object>> head(LiveState state, boolean late, String problem, int columns) {
    List<List<Object>> lines = new ArrayList<>();
    String clock = Numbers.moment(state.time(), state.time(), zone);
    String title = "weir top  ";
    int room = Math.max(0, columns - title.length() - clock.length() - 2);
    lines.add(
        List.of(Style.BOLD.of(title), TextWidth.fit(server, room), "  ", Style.DIM.of(clock)));
    Fields status = state.second().at("status");
    // A page that is late by some seconds is nothing that the server needs to be suspected for.
    Verdict verdict = late ? Verdict.unknown(clock) : Verdict.of(status);
    for (String line : TextWidth.wrap(verdict.text(columns), columns, MAX_VERDICT_LINES)) {
      lines.add(List.of(verdict.style().of(line)));
    }
    List<String> problems =
        late ? (problem.isEmpty() ? List.of() : List.of(problem)) : status.texts("problems");
    for (String one : problems.subList(0, Math.min(MAX_PROBLEMS, problems.size()))) {
      for (String line : TextWidth.wrap("- " + one, columns - 2, MAX_VERDICT_LINES)) {
        lines.add(List.of("  ", Style.YELLOW.of(line)));
      }
    }
    return lines;
  }

  private List<Section> sections(LiveState state, SidePages.Content side, int columns) {
    Lists lists = new Lists(columns, zone);
    List<Section> sections = new ArrayList<>();
    sections.add(new Chart(columns).section(state));
    sections.add(lists.denied(state.second(), side.query()));
    sections.add(lists.callers(state.second(), side));
    sections.add(lists.utilisation(state.second(), side.query()));
    sections.add(lists.events(state));
    if (side.actions() != null) {
      sections.add(lists.actions(side.actions()));
    }
    return sections;
  }

  /** Grey, since it is not of now. */
  private static List<Object> faded(List<Object> line) {
    StringBuilder text = new StringBuilder();
    line.forEach(text::append);
    return List.of(Style.DIM.of(text.toString()));
  }
}
