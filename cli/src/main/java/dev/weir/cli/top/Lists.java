package dev.weir.cli.top;

import dev.weir.cli.terminal.Progress;
import dev.weir.cli.terminal.Style;
import dev.weir.cli.terminal.TextWidth;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The lists of the page: rules, callers, events, actions. */
final class Lists {
  private static final int NUMBER = 11;
  private static final int BAR = 20;
  private static final int MINUTE = 60;
  private static final int MIN_SPARKS = 10;
  private static final int NEAR = 80;
  private static final int FULL = 100;
  private static final int KIND = 14;
  private static final Duration HOUR = Duration.ofMinutes(61);

  private final int columns;
  private final int nameWidth;
  private final ZoneId zone;

  /**
   * Creates lists.
   *
   * @param columns of the terminal
   * @param zone that times are shown in
   */
  Lists(int columns, ZoneId zone) {
    this.columns = columns;
    this.nameWidth = Math.max(14, Math.min(40, columns * 2 / 5));
    this.zone = zone;
  }

  Section denied(Fields second, CallerQuery query) {
    boolean known = Duration.ofSeconds(second.count("second")).compareTo(HOUR) >= 0;
    int room = Math.min(MINUTE, columns - nameWidth - 2 * NUMBER - 2);
    List<List<Object>> rows = new ArrayList<>();
    for (Fields one : only(second.objects("denials"), query)) {
      List<Double> seconds = Numbers.grouped(one.numbers("seconds"), room);
      rows.add(
          List.of(
              name(one.text("rule")),
              number(Numbers.rate(one.number("perSecond"))),
              number(known ? Numbers.rate(one.number("hourAgo")) : "-"),
              Style.RED.of(room < MIN_SPARKS ? "" : "  " + Numbers.sparkline(seconds))));
    }
    String heads =
        head("per second") + number("hour ago") + (room < MIN_SPARKS ? "" : "  last minute");
    return new Section("Denied by rule", heads, rows, "none", 1);
  }

  Section callers(Fields second, SidePages.Content side) {
    SidePages.Rows other = side.callers();
    List<Fields> callers =
        other == null ? only(second.objects("callers"), side.query()) : other.rows();
    List<List<Object>> rows = new ArrayList<>();
    for (Fields one : callers) {
      long error = one.count("error");
      rows.add(
          List.of(
              name(one.text("caller")),
              number(Numbers.count(one.count("count"))),
              number(error == 0 ? "" : "± " + Numbers.count(error)),
              "  " + one.text("rule")));
    }
    String range = side.query().range();
    String heads = head("requests") + number("error") + "  rule, " + range;
    String none = other == null || other.problem().isEmpty() ? "none " + range : other.problem();
    return new Section(side.query().title(), heads, rows, none, 1);
  }

  Section utilisation(Fields second, CallerQuery query) {
    List<List<Object>> rows = new ArrayList<>();
    for (Fields one : only(second.objects("utilisation"), query)) {
      long percent = one.count("percent");
      Style style = percent >= FULL ? Style.RED : percent >= NEAR ? Style.YELLOW : Style.GREEN;
      String word = percent >= FULL ? " full" : percent >= NEAR ? " near" : "";
      rows.add(
          List.of(
              name(one.text("rule")),
              number(percent + " %"),
              style.of("  " + Progress.bar(Math.max(0, percent), FULL, BAR) + word)));
    }
    String heads = head("used") + "  by its busiest caller, last minute";
    return new Section("Limits", heads, rows, "none", 1);
  }

  Section events(LiveState state) {
    List<List<Object>> rows = new ArrayList<>();
    for (Fields one : state.events()) {
      String level = one.text("level");
      Style style =
          level.equals("error") ? Style.RED : level.equals("warning") ? Style.YELLOW : Style.DIM;
      String kind = one.text("kind") + (level.equals("info") ? "" : " " + level);
      Instant time = Numbers.instant(one.count("time"));
      rows.add(
          List.of(
              Style.DIM.of("  " + Numbers.moment(time, state.time(), zone) + "  "),
              style.of(TextWidth.fit(kind, KIND)),
              " " + one.text("text")));
    }
    Collections.reverse(rows);
    return new Section("Events", "", rows, "none", 1);
  }

  Section actions(SidePages.Rows actions) {
    List<List<Object>> rows = new ArrayList<>();
    for (Fields one : actions.rows()) {
      String left = Numbers.duration(Duration.ofMillis(one.count("remainingMillis")));
      String idle = one.text("noEffectBecause");
      rows.add(
          List.of(
              name(words(one)),
              number(left),
              "  " + one.at("taken").text("by") + ": " + one.text("why"),
              Style.YELLOW.of(idle.isEmpty() ? "" : "  no effect: " + idle)));
    }
    String heads = head("ends in") + "  by: why";
    String none = actions.problem().isEmpty() ? "none" : actions.problem();
    return new Section("Actions in force", heads, rows, none, 1);
  }

  /** What an action does: {@code multiply login by 2}, {@code block 1f0e… in all rules}. */
  private static String words(Fields action) {
    String rule = action.text("rule");
    String what = action.text("action");
    if (action.has("caller")) {
      String where = rule.isEmpty() ? " in all rules" : " in " + rule;
      return what + " " + action.text("caller") + where;
    }
    return what + " " + rule + (action.has("factor") ? " by " + action.text("factor") : "");
  }

  private static List<Fields> only(List<Fields> rows, CallerQuery query) {
    return rows.stream().filter(one -> query.includes(one.text("rule"))).toList();
  }

  private String name(String name) {
    return "  " + TextWidth.fit(name, nameWidth - 2);
  }

  private String head(String head) {
    return " ".repeat(nameWidth) + number(head);
  }

  private static String number(String number) {
    return " ".repeat(Math.max(1, NUMBER - number.length())) + number;
  }
}
