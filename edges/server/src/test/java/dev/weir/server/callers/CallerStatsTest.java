package dev.weir.server.callers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.limiter.Limiter.Outcome;
import dev.weir.limiter.Subject;
import dev.weir.rule.Rule;
import dev.weir.rules.domain.Entry;
import dev.weir.server.rls.RlsListener;
import dev.weir.server.rls.RlsListener.CountedBy;
import dev.weir.server.rls.RlsListener.LimitReport;
import dev.weir.sketch.FrequencySummary;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class CallerStatsTest {
  private static final Limit LIMIT = Limit.fixedWindow(10, Duration.ofMinutes(1));
  private static final Claim CLAIM = new Claim(LIMIT, new LimitKey(7, 8), 1, 0);
  private static final List<String> ANN = List.of("header x-user", "ann");

  private final CallerStats stats = new CallerStats(2, false);
  private final TopCallers top = new TopCallers(stats);

  private record Caller(long caller, int usedPercent) implements Subject {
    @Override
    public List<Claim> claims() {
      return List.of(CLAIM);
    }

    @Override
    public List<String> identity() {
      return ANN;
    }
  }

  private static Rule rule(String name) {
    return Rule.named(name).limit(LIMIT).build();
  }

  private void report(CallerStats to, int times, String rule, Outcome outcome, Subject subject) {
    for (int i = 0; i < times; i++) {
      to.onOutcome(rule(rule), outcome, subject);
    }
  }

  private List<TopCaller> minute(Kind kind) {
    return top.of(stats.rules(), kind, Window.MINUTE, 10);
  }

  @Test
  void callersAreCountedByRuleAndKind() {
    report(stats, 3, "login", Outcome.DENIED, new Caller(1, 100));
    report(stats, 1, "login", Outcome.BLOCKED, new Caller(1, 100));
    report(stats, 2, "search", Outcome.UNANSWERED, new Caller(2, 0));
    report(stats, 5, "search", Outcome.SHADOW_DENIED, new Caller(3, 100));
    report(stats, 6, "search", Outcome.ALLOWED, new Caller(4, 79));
    report(stats, 7, "search", Outcome.UNCOUNTED, new Caller(5, 0));
    report(stats, 8, "search", Outcome.ALLOWED, new Caller(6, 80));
    report(stats, 9, "search", Outcome.DENIED_BY_OTHER, new Caller(7, 0));
    assertThat(minute(Kind.DENIED))
        .extracting(one -> one.rule() + " " + one.caller() + " " + one.count())
        .containsExactly("login 1 4", "search 2 2");
    assertThat(minute(Kind.SHADOW_DENIED)).extracting(TopCaller::caller).containsExactly(3L);
    assertThat(minute(Kind.ALLOWED)).extracting(TopCaller::caller).containsExactly(6L, 5L, 4L);
    assertThat(minute(Kind.NEAR_LIMIT)).extracting(TopCaller::caller).containsExactly(6L);
    assertThat(top.of("login", Kind.DENIED, Window.HOUR, 5)).hasSize(1);
    assertThat(top.of("unknown", Kind.DENIED, Window.HOUR, 5)).isEmpty();
  }

  @Test
  void ruleThatCountsEverybodyTogetherHasUseButNoCallers() {
    report(stats, 3, "all", Outcome.ALLOWED, new Caller(0, 42));
    assertThat(minute(Kind.ALLOWED)).isEmpty();
    assertThat(stats.usedPercent("all")).isEqualTo(42);
  }

  @Test
  void useIsThePeakOfTheLastMinute() {
    report(stats, 1, "all", Outcome.ALLOWED, new Caller(0, 70));
    report(stats, 1, "all", Outcome.ALLOWED, new Caller(0, 30));
    for (int second = 0; second < 60; second++) {
      assertThat(stats.usedPercent("all")).isEqualTo(70);
      stats.tick();
    }
    report(stats, 1, "all", Outcome.ALLOWED, new Caller(0, 10));
    stats.tick();
    assertThat(stats.usedPercent("all")).isEqualTo(10);
    assertThat(stats.usedPercent("unknown")).isZero();
  }

  @Test
  void valuesOfCallersAreRememberedOnlyIfTheOperatorWantsIt() {
    CallerStats revealing = new CallerStats(2, true);
    for (CallerStats each : List.of(stats, revealing)) {
      report(each, 1, "login", Outcome.DENIED, new Caller(1, 100));
      report(each, 1, "login", Outcome.ALLOWED, new Caller(2, 10));
    }
    assertThat(top.find("login", 1).orElseThrow().note()).isNull();
    assertThat(top.find("login", 2).orElseThrow().note()).isNull();
    TopCallers revealed = new TopCallers(revealing);
    assertThat(revealed.find("login", 1).orElseThrow().note()).isEqualTo(CallerNote.ofRule(ANN));
    assertThat(revealed.find("login", 2).orElseThrow().note()).isEqualTo(CallerNote.ofRule(ANN));
    assertThat(revealed.find("login", 3)).isEmpty();
    assertThat(revealed.find("login", 1).orElseThrow().json().encode()).doesNotContain("ann");
    assertThat(stats.identity(1)).isEmpty();
    assertThat(revealing.identity(2)).contains(ANN);
    assertThat(revealing.identity(3)).isEmpty();
  }

  @Test
  void limitsOfDomainsAreCountedByTheirCounters() {
    CountedBy bob = new CountedBy(List.of(new Entry("user", "bob")), 5, false);
    LimitReport within = new LimitReport(RlsListener.Outcome.WITHIN, 1, 10, 3, false);
    LimitReport near = new LimitReport(RlsListener.Outcome.WITHIN, 1, 10, 9, false);
    LimitReport over = new LimitReport(RlsListener.Outcome.OVER, 1, 10, 11, false);
    LimitReport dark = new LimitReport(RlsListener.Outcome.SHADOW_OVER, 1, 10, 11, false);
    LimitReport refund = new LimitReport(RlsListener.Outcome.WITHIN, -1, 10, 2, false);
    for (LimitReport report : List.of(within, near, over, over, dark, refund)) {
      stats.onLimitChecked("shop", "user", null, bob, report);
    }
    stats.onLimitChecked("shop", "user", null, new CountedBy(List.of(), 0, false), over);
    for (Kind kind : Kind.values()) {
      assertThat(minute(kind))
          .as(kind.label())
          .extracting(one -> one.rule() + " " + one.caller() + " " + one.count())
          .containsExactly(
              "shop/override 5 " + (kind == Kind.DENIED || kind == Kind.ALLOWED ? 2 : 1));
    }
  }

  @Test
  void millionCallersAndManyRulesTakeBoundedMemory() {
    for (int i = 0; i < 1_000_000; i++) {
      report(stats, 1, "rule-" + i % 700, Outcome.DENIED, new Caller(i + 1, 100));
    }
    assertThat(stats.rules()).hasSize(CallerStats.MAX_RULES);
    long entries = 0;
    for (String rule : stats.rules()) {
      FrequencySummary summary = stats.callers(rule, Kind.DENIED, Window.MINUTE);
      entries += summary.entries().size();
    }
    assertThat(entries).isLessThan(CallerStats.MAX_RULES * 4 * 16 + 50_000);
  }

  @Test
  void hourOfManyRulesAndCallersTakesBoundedMemory() {
    int caller = 0;
    for (int halfMinute = 0; halfMinute < 100; halfMinute++) {
      for (int i = 0; i < 20_000; i++) {
        report(stats, 1, "rule-" + i % 400, Outcome.DENIED, new Caller(++caller, 100));
      }
      stats.rotate();
    }
    long entries = 0;
    for (String rule : stats.rules()) {
      FrequencySummary summary = stats.callers(rule, Kind.DENIED, Window.HOUR);
      assertThat(summary.total()).isEqualTo(5_000);
      assertThat(summary.floor()).isBetween(1L, 5_000L);
      entries += summary.entries().size();
    }
    assertThat(entries).isLessThan(50_000 + 400 * 2 * 16);
  }

  @Test
  void ruleThatIsIdleForAnHourMakesRoom() {
    report(stats, 1, "old", Outcome.DENIED, new Caller(1, 100));
    for (int i = 0; i < 120; i++) {
      stats.rotate();
      report(stats, 1, "busy", Outcome.DENIED, new Caller(1, 100));
    }
    assertThat(stats.rules()).containsExactly("busy");
  }
}
