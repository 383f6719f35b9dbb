package dev.weir.replay.report;

import dev.weir.replay.log.BadLines;
import dev.weir.replay.result.DeniedSeries;
import dev.weir.replay.result.GroupOutcomes;
import dev.weir.replay.result.Grouping;
import dev.weir.replay.result.HurtCallers;
import dev.weir.replay.result.LimitDemand;
import dev.weir.replay.result.LogPosition;
import dev.weir.replay.result.LogResult;
import dev.weir.replay.result.Note;
import dev.weir.replay.result.ReplayResult;
import dev.weir.replay.result.RuleDemand;
import dev.weir.replay.result.RuleOutcomes;
import dev.weir.replay.result.RulesResult;
import dev.weir.replay.result.RunResult;
import dev.weir.replay.result.Spread;
import dev.weir.replay.result.WindowRates;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The report as lines of text, at most 100 characters wide. For one thread. */
public final class ReportText {
  private static final int BARS = 80;
  private static final int MAX_GROUPS = 10;
  private static final int MAX_CALLERS = 20;
  private static final int MAX_BAD_LINES = 3;

  private final ReplayResult result;
  private final RunResult run;
  private final Page page = new Page();

  private ReportText(ReplayResult result) {
    this.result = result;
    this.run = result.proposed().worst();
  }

  /** The lines of the report; the first one is the verdict. */
  public static List<String> of(ReplayResult result) {
    ReportText text = new ReportText(result);
    text.page.line(verdict(result));
    text.addRange();
    text.page.line("");
    text.addLog();
    text.addNotes();
    text.addRules();
    text.addLimits();
    text.addGroups(Grouping.ROUTE, "Route");
    text.addGroups(Grouping.KIND, "Kind of caller");
    text.addHurt();
    text.addTimeline();
    result
        .comparison()
        .ifPresent(
            found ->
                new ComparisonText(text.page)
                    .add(found, result.proposed().name(), result.rules().get(1).name()));
    return text.page.lines();
  }

  /** What would have happened, in one sentence. */
  public static String verdict(ReplayResult result) {
    RunResult worst = result.proposed().worst();
    long hurt = worst.hurt().count();
    return Numbers.percent(worst.deniedShare())
        + " of "
        + Numbers.count(worst.requests(), "request")
        + " would have been denied; "
        + (hurt == 0 ? "no caller" : Numbers.count(hurt, "caller"))
        + " would be hurt.";
  }

  private void addRange() {
    RulesResult rules = result.proposed();
    if (rules.runs().size() > 1) {
      page.wrapped(
          "Between "
              + Numbers.percent(rules.best().deniedShare())
              + " and "
              + Numbers.percent(rules.worst().deniedShare())
              + ", because the log does not say when in a second requests came; below is the worst"
              + " case ("
              + spread(run.spread())
              + "; seed "
              + result.log().timestamps().seed()
              + ").");
    }
  }

  private static String spread(Spread spread) {
    return switch (spread) {
      case START -> "all at its start";
      case EVEN -> "spread evenly";
      case RANDOM -> "at random moments";
    };
  }

  private void addLog() {
    LogResult log = result.log();
    LogResult.Timestamps times = log.timestamps();
    RulesResult rules = result.proposed();
    page.wrapped(
        rules.name()
            + " (version "
            + rules.version()
            + ") on "
            + String.join(", ", log.files())
            + ": "
            + Numbers.moment(times.firstMicros())
            + " to "
            + Numbers.moment(times.lastMicros())
            + " UTC, "
            + Numbers.count(rules.callers().count(), "caller")
            + " by "
            + String.join(", ", rules.callers().identities()));
    LogResult.PastDenials past = log.pastDenials();
    if (past.denied() > 0) {
      page.wrapped(
          "The log has "
              + Numbers.count(past.denied(), "request")
              + " answered with 429 and "
              + Numbers.of(past.retries())
              + " probable retries, which were "
              + (past.dropped() ? "left out." : "kept (--past-denials drop-retries)."));
    }
    if (log.lines().late() > 0) {
      page.wrapped(
          Numbers.count(log.lines().late(), "request")
              + " came too late in the log to be put into order: they count as later than they were.");
    }
    BadLines bad = log.lines().bad();
    if (bad.count() > 0) {
      page.line(Numbers.count(bad.count(), "line") + " could not be read:");
      bad.examples().stream()
          .limit(MAX_BAD_LINES)
          .forEach(one -> page.wrapped("  " + one.file() + ":" + one.line() + ": " + one.reason()));
    }
  }

  private void addNotes() {
    addNotes(Note.Severity.NOT_REPLAYED, "Not replayed");
    addNotes(Note.Severity.ASSUMED, "Assumed");
  }

  private void addNotes(Note.Severity severity, String heading) {
    boolean first = true;
    for (RulesResult rules : result.rules()) {
      for (Note note : rules.notes()) {
        if (note.severity() == severity) {
          if (first) {
            page.heading(heading);
            first = false;
          }
          String where = result.rules().size() == 1 ? "" : rules.name() + ": ";
          page.wrapped(
              "  " + where + (note.rule().isEmpty() ? "" : note.rule() + ": ") + note.text());
        }
      }
    }
  }

  private void addRules() {
    Table table = new Table(true, "Rule", "matched", "denied", "share", "first denial");
    for (RuleOutcomes rule : run.rules()) {
      table.row(
          rule.rule() + (rule.shadow() ? " (shadow)" : ""),
          Numbers.of(rule.matched()),
          Numbers.of(rule.denied()),
          Numbers.percent(rule.deniedShare()),
          rule.firstDenial().map(ReportText::position).orElse(""));
    }
    page.add(table);
  }

  private static String position(LogPosition at) {
    return Numbers.moment(at.micros()) + " " + at.file() + ":" + at.line();
  }

  private void addLimits() {
    Table table =
        new Table(
            false,
            "Asked of a limit",
            "limit",
            "p50",
            "p95",
            "p99",
            "peak",
            "of limit",
            "denies 0.1 %",
            "1 %");
    boolean buckets = false;
    for (RuleDemand rule : result.proposed().demand()) {
      for (LimitDemand limit : rule.limits()) {
        if (limit.rates().isPresent()) {
          WindowRates rates = limit.rates().get();
          buckets |= limit.algorithm().endsWith("bucket");
          table.row(
              limit.policy(),
              limit.limit(),
              Numbers.of(rates.p50()),
              Numbers.of(rates.p95()),
              Numbers.of(rates.p99()),
              Numbers.of(rates.peak().permits()),
              Numbers.percent((double) rates.peak().permits() / limit.permits()),
              Numbers.of(rates.deniesOnePerMille()),
              Numbers.of(rates.deniesOnePercent()));
        }
      }
    }
    page.add(table);
    if (!table.isEmpty()) {
      page.wrapped(
          "Permits per caller and window of the limit; the last columns are the limits that would"
              + " deny so much, in fixed windows"
              + (buckets ? " (a bucket's burst moves them)." : "."));
    }
  }

  private void addGroups(Grouping grouping, String heading) {
    Table table = new Table(false, heading, "requests", "denied", "share");
    run.groups().stream()
        .filter(group -> group.grouping() == grouping)
        .sorted(
            Comparator.comparingLong(GroupOutcomes::denied)
                .reversed()
                .thenComparing(GroupOutcomes::requests, Comparator.reverseOrder()))
        .limit(MAX_GROUPS)
        .forEach(
            group ->
                table.row(
                    group.name(),
                    Numbers.of(group.requests()),
                    Numbers.of(group.denied()),
                    Numbers.percent((double) group.denied() / Math.max(1, group.requests()))));
    page.add(table);
  }

  private void addHurt() {
    HurtCallers hurt = run.hurt();
    page.heading(
        "Hurt: "
            + Numbers.count(hurt.count(), "caller")
            + " with more than "
            + Numbers.percent(hurt.moreThan())
            + " denied; "
            + Numbers.of(hurt.deniedAny())
            + " with any");
    if (hurt.worst().isEmpty()) {
      return;
    }
    Table table =
        new Table(
            false, "  Caller", "requests", "denied", "share", "usual/min", "percentile", "peak");
    for (HurtCallers.HurtCaller caller : hurt.worst()) {
      table.row(
          "  " + caller.identity(),
          Numbers.of(caller.requests()),
          Numbers.of(caller.denied()),
          Numbers.percent(caller.deniedShare()),
          Numbers.rate(caller.usualPerMinute()),
          String.format(Locale.ROOT, "%.1f", caller.percentile()),
          Numbers.of(caller.peakPerMinute()));
    }
    List<String> all = table.lines();
    page.lines().addAll(all.subList(0, Math.min(all.size(), MAX_CALLERS + 1)));
    if (hurt.count() > MAX_CALLERS) {
      page.line("  and " + Numbers.of(hurt.count() - MAX_CALLERS) + " more");
    }
  }

  private void addTimeline() {
    List<Long> requests = result.log().timeline().counts();
    if (requests.size() < 2) {
      return;
    }
    long micros = result.log().timeline().bucketMicros() * requests.size();
    page.heading("Over " + Numbers.length(micros));
    page.line("  requests  " + Numbers.bars(requests, BARS));
    for (DeniedSeries series : run.deniedOverTime()) {
      if (series.grouping() == Grouping.ALL && run.denied() > 0) {
        page.line("  denied    " + Numbers.bars(series.denied(), BARS));
      }
    }
  }
}
