package dev.weir.cli.top;

import dev.weir.cli.terminal.Progress;
import dev.weir.cli.terminal.Style;
import dev.weir.cli.terminal.Wording;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** What {@code weir top} shows, as lines of pieces. */
final class Page {
  private static final int NAME_WIDTH = 32;
  private static final int NUMBER_WIDTH = 14;
  private static final int BAR_WIDTH = 20;
  private static final int SPARKS = 30;
  private static final int NEAR = 80;
  private static final int FULL = 100;
  private static final List<String> PASSED = List.of("allowed", "shadow-denied", "uncounted");
  private static final List<String> REFUSED = List.of("denied", "blocked", "unanswered");
  private static final Duration HOUR = Duration.ofMinutes(61);

  private final String server;
  private final ZoneId zone;

  /**
   * Creates a page.
   *
   * @param server its address
   * @param zone that times are shown in
   */
  Page(String server, ZoneId zone) {
    this.server = server;
    this.zone = zone;
  }

  /**
   * The lines for a state.
   *
   * @param now by the clock of this machine
   * @param problem why there is no newer state; empty if nothing is wrong
   */
  List<List<Object>> lines(LiveState state, Instant now, String problem, int maxLines) {
    List<List<Object>> lines = new ArrayList<>();
    lines.add(List.of(Style.BOLD.of("weir top"), "  " + server, "  ", Style.DIM.of(clock(state))));
    Fields status = state.second().at("status");
    // A page that is late by some seconds is nothing that the server needs to be suspected for.
    boolean late = Duration.between(state.received(), now).toMillis() > TopCommand.LATE.toMillis();
    Verdict verdict = late ? Verdict.unknown(clock(state)) : Verdict.of(status);
    lines.add(
        List.of(
            verdict.style().of("● " + verdict.title() + "."), "  ", Style.DIM.of(verdict.more())));
    if (late && !problem.isEmpty()) {
      lines.add(List.of("  " + problem));
    }
    status.texts("problems").forEach(one -> lines.add(List.of("  ", Style.YELLOW.of("! " + one))));
    lines.add(facts(state, status));
    lines.addAll(Section.lines(sections(state), maxLines - lines.size()));
    return lines;
  }

  private String clock(LiveState state) {
    return Numbers.moment(state.time(), state.time(), zone);
  }

  private List<Object> facts(LiveState state, Fields status) {
    Fields store = status.at("store");
    List<Object> line = new ArrayList<>();
    boolean embedded = store.text("kind").equals("embedded");
    String where = embedded ? "in this process" : store.text("kind") + " " + store.text("address");
    fact(line, "store", where.strip(), store.isTrue("answers") ? "" : "no answer");
    if (!embedded) {
      String breaker = store.text("breaker");
      fact(line, "breaker", breaker, breaker.equals("closed") ? "" : "requests skip the store");
      fact(line, "servers", Numbers.count(Math.max(1, store.count("servers"))), "");
    }
    String p99 = status.has("p99Micros") ? Numbers.latency(status.count("p99Micros")) : "-";
    fact(line, "p99", p99, "");
    String rules = status.text("rules").isEmpty() ? "none" : status.text("rules");
    fact(line, "rules", rules + since(state, status.text("rulesSince")), "");
    long pending = store.count("pendingKeys");
    if (pending > 0) {
      fact(line, "pending charges", "", Wording.count(pending, "key"));
    }
    return line;
  }

  private String since(LiveState state, String instant) {
    try {
      return " since " + Numbers.moment(Instant.parse(instant), state.time(), zone);
    } catch (java.time.format.DateTimeParseException e) {
      return "";
    }
  }

  private static void fact(List<Object> line, String name, String value, String alarm) {
    line.add(Style.DIM.of((line.isEmpty() ? "  " : "   ") + name + " "));
    line.add(value);
    if (!alarm.isEmpty()) {
      line.add(Style.RED.of((value.isEmpty() ? "" : " ") + alarm));
    }
  }

  private List<Section> sections(LiveState state) {
    List<Section> sections = new ArrayList<>();
    Fields second = state.second();
    sections.add(new Section(heading("Requests", "per second", "last 10 s"), requests(second)));
    sections.add(
        new Section(
            heading("Denied, by rule", "per second", "an hour ago", "last minute"),
            denied(second, Duration.ofSeconds(second.count("second")))));
    sections.add(
        new Section(
            heading("Top denied callers, last minute", "requests", "error", "rule"),
            callers(second)));
    sections.add(
        new Section(heading("Use of limits, busiest caller", "percent"), utilisation(second)));
    if (state.actions() != null) {
      sections.add(new Section(heading("Actions in force", "ends in", "who"), actions(state)));
    }
    sections.add(new Section(heading("Events"), events(state)));
    return sections;
  }

  private static List<Object> heading(String name, String... columns) {
    StringBuilder line = new StringBuilder(name(name, 0));
    for (int i = 0; i < columns.length; i++) {
      line.append(i == columns.length - 1 && i > 0 ? "   " + columns[i] : number(columns[i]));
    }
    return List.of(Style.BOLD.of(line.toString().stripTrailing()));
  }

  private static List<List<Object>> requests(Fields second) {
    return List.of(
        requests("passed", PASSED, second, Style.GREEN),
        requests("turned away", REFUSED, second, Style.RED));
  }

  private static List<Object> requests(
      String name, List<String> outcomes, Fields second, Style style) {
    double now = 0;
    List<Double> recent = new ArrayList<>(Collections.nCopies(10, 0.0));
    List<Object> kinds = new ArrayList<>();
    for (String outcome : outcomes) {
      long count = second.at("decisions").count(outcome);
      now += count;
      List<Double> values = second.at("recent").numbers(outcome);
      for (int i = 1; i <= Math.min(recent.size(), values.size()); i++) {
        int at = recent.size() - i;
        recent.set(at, recent.get(at) + values.get(values.size() - i));
      }
      if (count > 0 && !outcome.equals("allowed") && !outcome.equals("denied")) {
        kinds.add(Numbers.count(count) + " " + outcome);
      }
    }
    String more = kinds.isEmpty() ? "" : "   " + kinds.toString().replaceAll("[\\[\\]]", "");
    String sparks = String.format(Locale.ROOT, "   %-10s", Numbers.sparkline(recent));
    return List.of(name(name, 2), number(Numbers.rate(now)), style.of(sparks), more);
  }

  private static List<List<Object>> denied(Fields second, Duration age) {
    List<List<Object>> rows = new ArrayList<>();
    for (Fields one : second.objects("denials")) {
      boolean known = age.compareTo(HOUR) >= 0;
      String before = known ? Numbers.rate(one.number("hourAgo").orElse(0)) : "-";
      rows.add(
          List.of(
              name(one.text("rule"), 2),
              number(Numbers.rate(one.number("perSecond").orElse(0))),
              number(before),
              Style.RED.of(
                  "   " + Numbers.sparkline(Numbers.grouped(one.numbers("seconds"), SPARKS)))));
    }
    return orNone(rows, "No rule denies anybody.");
  }

  private static List<List<Object>> callers(Fields second) {
    List<List<Object>> rows = new ArrayList<>();
    for (Fields one : second.objects("callers")) {
      long error = one.count("error");
      rows.add(
          List.of(
              name(one.text("caller"), 2),
              number(Numbers.count(one.count("count"))),
              number(error == 0 ? "" : "± " + Numbers.count(error)),
              "   " + one.text("rule")));
    }
    return orNone(rows, "Nobody was denied.");
  }

  private static List<List<Object>> utilisation(Fields second) {
    List<List<Object>> rows = new ArrayList<>();
    for (Fields one : second.objects("utilisation")) {
      long percent = one.count("percent");
      Style style = percent >= FULL ? Style.RED : percent >= NEAR ? Style.YELLOW : Style.GREEN;
      String word = percent >= FULL ? " full" : percent >= NEAR ? " near" : "";
      rows.add(
          List.of(
              name(one.text("rule"), 2),
              number(percent + " %"),
              style.of("   " + Progress.bar(percent, FULL, BAR_WIDTH) + word)));
    }
    return orNone(rows, "No rule has decided in the last hour.");
  }

  private static List<List<Object>> actions(LiveState state) {
    List<List<Object>> rows = new ArrayList<>();
    for (Fields one : state.actions() == null ? List.<Fields>of() : state.actions()) {
      String left = Numbers.duration(Duration.ofMillis(one.count("remainingMillis")));
      String idle = one.text("noEffectBecause");
      rows.add(
          List.of(
              name(words(one), 2),
              number(left),
              "   " + one.at("taken").text("by") + ": " + one.text("why"),
              Style.YELLOW.of(idle.isEmpty() ? "" : "   no effect: " + idle)));
    }
    return orNone(rows, "No action is in force.");
  }

  /** What an action does: {@code multiply login by 2}, {@code block 1f0e… in all rules}. */
  private static String words(Fields action) {
    String rule = action.text("rule");
    String what = action.text("action");
    if (action.has("caller")) {
      return what
          + " "
          + action.text("caller")
          + (rule.isEmpty() ? " in all rules" : " in " + rule);
    }
    return what + " " + rule + (action.has("factor") ? " by " + action.text("factor") : "");
  }

  private List<List<Object>> events(LiveState state) {
    List<List<Object>> rows = new ArrayList<>();
    for (Fields one : state.events()) {
      Instant time = Instant.ofEpochMilli(one.count("time"));
      String level = one.text("level");
      Style style =
          level.equals("error") ? Style.RED : level.equals("warning") ? Style.YELLOW : Style.DIM;
      String kind = one.text("kind") + (level.equals("info") ? "" : ", " + level);
      rows.add(
          List.of(
              Style.DIM.of("  " + Numbers.moment(time, state.time(), zone) + "  "),
              style.of(String.format(Locale.ROOT, "%-16s", kind)),
              " " + one.text("text")));
    }
    Collections.reverse(rows);
    return orNone(rows, "Nothing has happened.");
  }

  private static List<List<Object>> orNone(List<List<Object>> rows, String none) {
    return rows.isEmpty() ? List.of(List.of(Style.DIM.of("  " + none))) : rows;
  }

  private static String name(String name, int indent) {
    int width = NAME_WIDTH - indent;
    String cut = name.length() <= width ? name : name.substring(0, width - 1) + "…";
    return " ".repeat(indent) + cut + " ".repeat(width - cut.length());
  }

  private static String number(String number) {
    return " ".repeat(Math.max(1, NUMBER_WIDTH - number.length())) + number;
  }
}
