package dev.weir.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.replay.result.Comparison.Change;
import dev.weir.replay.result.Comparison.RuleDisagreement;
import dev.weir.replay.result.DeniedSeries;
import dev.weir.replay.result.GroupOutcomes;
import dev.weir.replay.result.Grouping;
import dev.weir.replay.result.HurtCallers.HurtCaller;
import dev.weir.replay.result.LimitDemand;
import dev.weir.replay.result.Note;
import dev.weir.replay.result.ReplayResult;
import dev.weir.replay.result.RuleOutcomes;
import dev.weir.replay.result.RunResult;
import dev.weir.replay.result.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a replay finds in short logs. */
class ReplayTest {
  private static final long START = TestLog.START;
  private static final long SECOND = 1_000_000;
  private static final String PER_ADDRESS =
      """
      rules:
        - {name: each, per: ip, limit: 3/minute, algorithm: fixed-window}
      """;

  private static List<TestEntry> requests(int count, long apart, String peer) {
    List<TestEntry> log = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      log.add(TestEntry.at(START + i * apart, "GET", "/items/" + i, peer).with(":line", "" + i));
    }
    return log;
  }

  private static RunResult only(ReplayResult result) {
    assertThat(result.proposed().runs()).hasSize(1);
    return result.proposed().runs().get(0);
  }

  @Test
  void denialsAreCountedByRuleRouteAndKindAndOverTime() {
    List<TestEntry> log = requests(5, SECOND, "192.0.2.1");
    log.add(TestEntry.at(START + 5 * SECOND, "GET", "/", "192.0.2.2"));
    ReplayResult result = TestLog.replay(PER_ADDRESS, log);
    RunResult run = only(result);
    assertThat(run.requests()).isEqualTo(6);
    assertThat(run.denied()).isEqualTo(2);
    RuleOutcomes rule = run.rules().get(0);
    assertThat(rule.matched()).isEqualTo(6);
    assertThat(rule.denied()).isEqualTo(2);
    assertThat(rule.firstDenial().orElseThrow().line()).isEqualTo(3);
    assertThat(rule.firstDenial().orElseThrow().micros()).isEqualTo(START + 3 * SECOND);
    assertThat(run.groups())
        .containsExactly(
            new GroupOutcomes(Grouping.ROUTE, "GET /items/*", 5, 2),
            new GroupOutcomes(Grouping.ROUTE, "GET /", 1, 0),
            new GroupOutcomes(Grouping.KIND, "ip", 6, 2));
    assertThat(result.log().timeline().counts()).containsExactly(1L, 1L, 1L, 1L, 1L, 1L);
    assertThat(run.deniedOverTime())
        .contains(
            new DeniedSeries(Grouping.ALL, "", List.of(0L, 0L, 0L, 1L, 1L, 0L)),
            new DeniedSeries(Grouping.RULE, "each", List.of(0L, 0L, 0L, 1L, 1L, 0L)));
  }

  @Test
  void hurtCallersAreThoseWithMoreThanAShareDenied() {
    List<TestEntry> log = requests(5, SECOND, "192.0.2.1");
    log.addAll(requests(3, SECOND, "192.0.2.2"));
    log.sort((a, b) -> Long.compare(a.arrivalMicros(), b.arrivalMicros()));
    RunResult run = only(TestLog.replay(PER_ADDRESS, log));
    assertThat(run.hurt().count()).isEqualTo(1);
    HurtCaller caller = run.hurt().worst().get(0);
    assertThat(caller.identity()).isEqualTo("ip 192.0.2.1");
    assertThat(caller.requests()).isEqualTo(5);
    assertThat(caller.denied()).isEqualTo(2);
    assertThat(caller.usualPerMinute()).isEqualTo(5);
    assertThat(caller.percentile()).isEqualTo(100);
    ReplaySettings half = TestLog.settings().withHurtShare(0.5);
    assertThat(only(TestLog.replay(PER_ADDRESS, Optional.empty(), log, half)).hurt().count())
        .isZero();
  }

  @Test
  void demandIsThatOfCallersPerWindowOfTheLimit() {
    List<TestEntry> log = requests(5, SECOND, "192.0.2.1");
    log.add(TestEntry.at(START + 61 * SECOND, "GET", "/", "192.0.2.1"));
    LimitDemand demand =
        TestLog.replay(PER_ADDRESS, log).proposed().demand().get(0).limits().get(0);
    assertThat(demand.limit()).isEqualTo("3/minute");
    assertThat(demand.rates().orElseThrow().windows()).isEqualTo(2);
    assertThat(demand.rates().orElseThrow().p50()).isEqualTo(1);
    assertThat(demand.rates().orElseThrow().peak().permits()).isEqualTo(5);
    assertThat(demand.rates().orElseThrow().peak().at().line()).isEqualTo(4);
    assertThat(demand.rates().orElseThrow().deniesOnePercent()).isEqualTo(5);
  }

  @Test
  void logInSecondsIsReplayedUnderEachSpread() {
    List<TestEntry> log = new ArrayList<>();
    requests(40, SECOND / 4, "192.0.2.1").forEach(entry -> log.add(entry.inSeconds()));
    String rules = "rules:\n  - {name: even, limit: 4/second, burst: 1}\n";
    ReplayResult result = TestLog.replay(rules, log);
    assertThat(result.log().timestamps().spreads()).containsExactly(Spread.values());
    assertThat(result.proposed().runs())
        .extracting(RunResult::spread)
        .containsExactly(Spread.values());
    assertThat(result.proposed().runs().get(0).denied()).as("at the start").isEqualTo(30);
    assertThat(result.proposed().runs().get(1).denied()).as("evenly").isZero();
    assertThat(result.proposed().runs().get(2).denied()).as("at random").isBetween(1L, 29L);
    assertThat(result.proposed().worst().spread()).isEqualTo(Spread.START);
    assertThat(result.proposed().best().spread()).isEqualTo(Spread.EVEN);
    ReplaySettings even = TestLog.settings().withSpread(Optional.of(Spread.EVEN));
    assertThat(TestLog.replay(rules, Optional.empty(), log, even).proposed().runs()).hasSize(1);
    assertThat(TestLog.replay(rules, log)).as("with the same seed").isEqualTo(result);
  }

  @Test
  void busierSecondsThanAreKeptAtOnceStillEndInTheirSecond() {
    List<TestEntry> log = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      log.add(TestEntry.at(START, "GET", "/", "192.0.2.1").inSeconds());
    }
    log.add(TestEntry.at(START + SECOND, "GET", "/", "192.0.2.1").inSeconds());
    String rules = "rules:\n  - {name: all, limit: 60000/second, algorithm: fixed-window}\n";
    for (RunResult run : TestLog.replay(rules, log).proposed().runs()) {
      assertThat(run.denied()).as(run.spread().toString()).isEqualTo(40_000);
    }
  }

  @Test
  void permitsAreHeldForTheLoggedDuration() {
    String rules =
        """
        rules:
          - {name: held, per: ip, concurrent: 2}
        lint-ignore: needs-release
        """;
    List<TestEntry> log = new ArrayList<>();
    for (TestEntry entry : requests(6, SECOND, "192.0.2.1")) {
      log.add(entry.lasting(3 * SECOND));
    }
    assertThat(only(TestLog.replay(rules, log)).denied()).isEqualTo(2);
    ReplayResult without = TestLog.replay(rules, requests(6, SECOND, "192.0.2.1"));
    assertThat(only(without).denied()).isZero();
    assertThat(without.proposed().notes())
        .contains(
            new Note(
                Note.Severity.NOT_REPLAYED,
                "held",
                "never matched: no request met its conditions"));
  }

  @Test
  void rulesOnWhatTheLogDoesNotHaveAreReported() {
    String rules =
        """
        identity: {key: header X-API-Key, subject: jwt sub}
        jwt: {jwks: "https://id.example.com/keys"}
        rules:
          - {name: keys, per: key, when-absent: skip, limit: 1/second}
          - {name: users, per: [subject], limit: 1/second, when-absent: skip}
          - {name: mobile, match: {host: m.example.com}, limit: 1/second}
          - {name: either, per: [key, ip], limit: 100/second}
        lint-ignore: forgeable-key
        """;
    ReplayResult result = TestLog.replay(rules, requests(3, SECOND, "192.0.2.1"));
    assertThat(result.proposed().notes())
        .extracting(note -> note.severity() + " " + note.rule() + ": " + note.text())
        .containsExactly(
            "NOT_REPLAYED keys: never matched: the log has no header x-api-key",
            "NOT_REPLAYED users: never matched: the claim jwt sub is not replayed: a log has no"
                + " token to verify",
            "NOT_REPLAYED mobile: never matched: the log has no host",
            "ASSUMED either: the log has no header x-api-key");
  }

  @Test
  void logOfAProxyIsReadAsTheServerBehindItWould() {
    String rules =
        """
        identity: {user: trusted-header X-User}
        trusted-proxies: [10.0.0.0/8]
        rules:
          - {name: each, per: ip, limit: 1/minute, algorithm: fixed-window}
          - {name: user, per: user, when-absent: skip, limit: 1/minute, algorithm: fixed-window}
        lint-ignore: [proxy-must-set, counted-twice]
        """;
    List<TestEntry> log =
        List.of(
            TestEntry.at(START, "GET", "/", "192.0.2.1"),
            TestEntry.at(START + 1, "GET", "/", "10.1.1.1").with("X-Forwarded-For", "192.0.2.1"),
            TestEntry.at(START + 2, "GET", "/", "192.0.2.2").with("X-Forwarded-For", "192.0.2.1"),
            TestEntry.at(START + 3, "GET", "/", "192.0.2.3").with("X-User", "ann"),
            TestEntry.at(START + 4, "GET", "/", "192.0.2.4").with("X-User", "ann"));
    RunResult run = only(TestLog.replay(rules, log));
    assertThat(run.rules()).extracting(RuleOutcomes::denied).containsExactly(1L, 1L);
    assertThat(run.hurt().worst())
        .extracting(HurtCaller::identity)
        .containsExactlyInAnyOrder("ip 192.0.2.1", "trusted-header x-user ann");
  }

  @Test
  void retriesAfterPastDenialsAreCountedAndCanBeLeftOut() {
    List<TestEntry> log = new ArrayList<>(requests(1, SECOND, "192.0.2.1"));
    TestEntry denied =
        TestEntry.at(START + SECOND, "GET", "/a", "192.0.2.1").with(":status", "429");
    log.add(denied);
    log.add(TestEntry.at(START + 2 * SECOND, "GET", "/a", "192.0.2.1"));
    log.add(TestEntry.at(START + 3 * SECOND, "GET", "/a", "192.0.2.1"));
    ReplayResult kept = TestLog.replay(PER_ADDRESS, log);
    assertThat(kept.log().pastDenials().denied()).isEqualTo(1);
    assertThat(kept.log().pastDenials().retries()).isEqualTo(1);
    assertThat(only(kept).requests()).isEqualTo(4);
    ReplaySettings drop = TestLog.settings().withDropRetries(true);
    ReplayResult dropped = TestLog.replay(PER_ADDRESS, Optional.empty(), log, drop);
    assertThat(only(dropped).requests()).isEqualTo(3);
    assertThat(only(dropped).denied()).isZero();
  }

  @Test
  void disagreementsAreCountedWithExamples() {
    String today = PER_ADDRESS.replace("3/minute", "1/minute").replace("each", "old");
    String path =
        """
          - {name: items, match: {path: /items/0}, limit: blocked}
        """;
    ReplayResult result =
        TestLog.replay(
            PER_ADDRESS + path,
            Optional.of(today),
            requests(6, SECOND, "192.0.2.1"),
            TestLog.settings());
    var comparison = result.comparison().orElseThrow();
    assertThat(comparison.newlyDenied()).isEqualTo(1);
    assertThat(comparison.newlyAllowed()).isEqualTo(3);
    assertThat(comparison.bothDeny()).isEqualTo(2);
    assertThat(comparison.bothAllow()).isZero();
    assertThat(comparison.byRule())
        .containsExactly(
            new RuleDisagreement(Change.NEWLY_DENIED, "items", 1),
            new RuleDisagreement(Change.NEWLY_ALLOWED, "old", 3));
    assertThat(comparison.examples()).hasSize(4);
    assertThat(comparison.examples().get(0).target()).isEqualTo("/items/0");
    assertThat(comparison.examples().get(0).caller()).isEqualTo("ip 192.0.2.1");
  }

  @Test
  void emptyLogHasAnEmptyResult() {
    ReplayResult result = TestLog.replay(PER_ADDRESS, List.of());
    assertThat(only(result).requests()).isZero();
    assertThat(only(result).deniedShare()).isZero();
    assertThat(result.proposed().notes()).isEmpty();
  }
}
