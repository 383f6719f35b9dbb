package dev.weir.yaml;

import static dev.weir.yaml.TestRules.claimed;
import static dev.weir.yaml.TestRules.errors;
import static dev.weir.yaml.TestRules.lint;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Mode;
import dev.weir.Mode.Kind;
import dev.weir.rule.Match;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How exactly servers keep the limits of a rule together. */
class ModesTest {
  private static final FakeRequest GET = FakeRequest.get("/");

  @Test
  void aRuleIsStrictUnlessItSaysOtherwise() throws Exception {
    assertThat(mode("limit: 100/s")).isEqualTo(Mode.STRICT);
    Map<Kind, Mode> usual =
        Map.of(
            Kind.STRICT, Mode.STRICT,
            Kind.LEASED, new Mode(Kind.LEASED, 500),
            Kind.AUTOMATIC, new Mode(Kind.AUTOMATIC, 500),
            Kind.LOCAL, new Mode(Kind.LOCAL, Mode.WHOLE));
    for (Kind kind : Kind.values()) {
      String word = kind.name().toLowerCase(Locale.ROOT);
      assertThat(mode("limit: 100/s, mode: " + word)).as(word).isEqualTo(usual.get(kind));
    }
  }

  @Test
  void aShareHasUpToTwoDecimals() throws Exception {
    Map<String, Integer> hundredths =
        Map.of("5%", 500, "0.01%", 1, "12.5 %", 1_250, "033.30%", 3_330, "100%", 10_000);
    for (var one : hundredths.entrySet()) {
      for (Kind kind : new Kind[] {Kind.LEASED, Kind.AUTOMATIC, Kind.LOCAL}) {
        String word = kind.name().toLowerCase(Locale.ROOT);
        assertThat(mode("limit: 100/s, share: '" + one.getKey() + "', mode: " + word))
            .isEqualTo(new Mode(kind, one.getValue()));
      }
    }
  }

  @Test
  void claimsKnowTheModeOfTheirRule() throws Exception {
    Match match = rule("limit: [100/s, {concurrent: 5}], mode: leased, share: 7%").match(GET, 1);
    assertThat(match.claims())
        .extracting(Claim::mode)
        .containsExactly(new Mode(Kind.LEASED, 700), Mode.STRICT);
  }

  @Test
  void aServerKeepsToItsShareOfALocalLimit() throws Exception {
    assertThat(claimed(rule("limit: 100/s, burst: 200, mode: local, share: 25%").match(GET, 0)))
        .containsExactly("a: TOKEN_BUCKET 25/PT1S burst 50");
    assertThat(claimed(rule("limit: 100/s, mode: local").match(GET, 0)))
        .containsExactly("a: TOKEN_BUCKET 100/PT1S burst 100");
    assertThat(claimed(rule("limit: 9/day in UTC, mode: local, share: 25%").match(GET, 0)))
        .containsExactly("a: FIXED_WINDOW 2/day in UTC");
  }

  @Test
  void whatHasNoLimitThatCanBeLeasedIsRefused() {
    String refusal = "(expected: strict or local, since a place in flight or in a queue";
    for (String mode : List.of("leased", "automatic")) {
      for (String limits :
          List.of(
              "concurrent: 500",
              "limit: 900/s, algorithm: leaky-bucket",
              "limit: 900/s, algorithm: leaky-bucket, concurrent: 500",
              "limit: unlimited, per: ip, overrides: {10.0.0.1: {concurrent: 500}}")) {
        assertThat(errors("rules:\n  - {name: a, mode: " + mode + ", " + limits + "}\n"))
            .singleElement()
            .asString()
            .startsWith("2:21: mode: " + mode + " " + refusal);
      }
    }
    for (String mode : List.of("strict", "local")) {
      assertThat(errors("rules: [{name: a, mode: " + mode + ", concurrent: 500}]")).isEmpty();
    }
    assertThat(errors("rules: [{name: a, mode: leased, limit: blocked}]")).isEmpty();
  }

  @Test
  void whereLimitsAreBrokenNothingIsSaidOfLeasingTheRest() {
    assertThat(errors("rules: [{name: a, mode: leased, limit: often, concurrent: 500}]"))
        .singleElement()
        .asString()
        .contains("limit: often");
  }

  @Test
  void aLimitThatCannotBeLeasedBesideOneThatCanIsTold() throws Exception {
    for (String mode : List.of("leased", "automatic")) {
      assertThat(strictly("limit: 900/s, concurrent: 500, mode: " + mode))
          .containsExactly(
              "a: a limit is counted strictly, since a place in flight cannot be leased");
      assertThat(strictly("limit: [900/s, {limit: 900/m, algorithm: leaky-bucket}], mode: " + mode))
          .containsExactly(
              "a: a limit is counted strictly, since a place in a queue cannot be leased");
    }
    assertThat(strictly("limit: 900/s, concurrent: 500, mode: local")).isEmpty();
    assertThat(strictly("limit: 900/s, concurrent: 500")).isEmpty();
  }

  @Test
  void aLimitTooSmallToBeSharedOutIsTold() throws Exception {
    assertThat(strictly("limit: 39/s, mode: leased"))
        .containsExactly("a: a limit is counted strictly, since 5% of 39 is less than 2");
    assertThat(strictly("limit: 40/s, mode: leased")).isEmpty();
    assertThat(strictly("limit: 39/s, burst: 40, mode: automatic")).isEmpty();
    assertThat(strictly("limit: 10/s, share: 19.99%, mode: automatic"))
        .containsExactly("a: a limit is counted strictly, since 19.99% of 10 is less than 2");
    assertThat(strictly("limit: 10/s, share: 20%, mode: automatic")).isEmpty();
    assertThat(strictly("limit: [900/s, 30/m, 20/h], mode: leased")).as("once").hasSize(1);
    assertThat(strictly("limit: 1/s, share: 0.01%, mode: local")).isEmpty();
    assertThat(strictly("limit: 900/s, cost: 46, mode: leased"))
        .containsExactly("a: a limit is counted strictly, since 5% of 900 is less than 46");
    assertThat(strictly("limit: 900/s, cost: {from: header X, max: 46}, mode: leased")).isEmpty();
  }

  @Test
  void aShareTooLargeForALeaseToBeginIsTold() throws Exception {
    assertThat(strictly("limit: 100/s, share: 50%, mode: leased"))
        .containsExactly(
            "a: a limit is counted strictly, since leases begin while twice the share is left, and"
                + " never is twice 50% of 100");
    assertThat(strictly("limit: 100/s, share: 49%, mode: leased")).isEmpty();
  }

  @Test
  void theWarningStandsAtTheModeAndCanBeIgnored() throws Exception {
    String rule = "rules:\n  - {name: a, limit: 5/s, mode: leased}\n";
    assertThat(lint(rule)).containsExactly("2:27 counted-strictly");
    assertThat(lint("lint-ignore: counted-strictly\n" + rule)).isEmpty();
  }

  @Test
  void aCostAboveWhatAServerKeepsToIsTold() throws Exception {
    assertThat(lint("rules:\n  - {name: a, limit: 100/s, cost: 20, mode: local, share: 10%}\n"))
        .containsExactly("2:29 burst-below-cost");
    assertThat(lint("rules:\n  - {name: a, limit: 100/s, cost: 20, mode: local, share: 20%}\n"))
        .isEmpty();
  }

  @Test
  void whatToDoWithoutTheStoreIsNoQuestionWhereItIsNeverAsked() throws Exception {
    for (String way : List.of("allow", "deny", "local")) {
      String rule = "rules:\n  - {name: a, limit: 9/s, when-store-fails: " + way + ", mode: %s}\n";
      assertThat(lint(rule.formatted("local"))).containsExactly("2:27 store-not-asked");
      assertThat(lint(rule.formatted("strict"))).isEmpty();
      assertThat(lint("lint-ignore: store-not-asked\n" + rule.formatted("local"))).isEmpty();
    }
    assertThat(lint("rules: [{name: a, limit: 9/s, mode: local}]")).isEmpty();
  }

  private static LiveRules rule(String rule) throws RulesRefused {
    return TestRules.live("rules: [{name: a, " + rule + "}]\n");
  }

  private static Mode mode(String rule) throws RulesRefused {
    return rule(rule).book().rules().get(0).mode();
  }

  private static List<String> strictly(String rule) throws RulesRefused {
    return TestRules.load("rules: [{name: a, " + rule + "}]\n").warnings().stream()
        .filter(one -> one.code().equals("counted-strictly"))
        .map(Problem::message)
        .toList();
  }
}
