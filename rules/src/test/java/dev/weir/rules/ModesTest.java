package dev.weir.rules;

import static dev.weir.rules.TestRules.errors;
import static dev.weir.rules.TestRules.limitsOf;
import static dev.weir.rules.TestRules.lint;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Mode;
import dev.weir.Mode.Kind;
import dev.weir.rule.book.Match;
import dev.weir.rules.yaml.Problem;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Modes: how exactly servers share the limits of a rule. */
class ModesTest {
  private static final FakeRequest GET = FakeRequest.get("/");

  @Test
  void modeIsStrictByDefault() throws Exception {
    assertThat(mode("limit: 100/s")).isEqualTo(Mode.STRICT);
    Map<Kind, Mode> defaults =
        Map.of(
            Kind.STRICT, Mode.STRICT,
            Kind.LEASED, new Mode(Kind.LEASED, 500),
            Kind.AUTOMATIC, new Mode(Kind.AUTOMATIC, 500),
            Kind.LOCAL, new Mode(Kind.LOCAL, Mode.WHOLE));
    for (Kind kind : Kind.values()) {
      String word = kind.name().toLowerCase(Locale.ROOT);
      assertThat(mode("limit: 100/s, mode: " + word)).as(word).isEqualTo(defaults.get(kind));
    }
  }

  @Test
  void shareHasUpToTwoDecimals() throws Exception {
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
  void claimsHaveTheModeOfTheirRule() throws Exception {
    Match match = rule("limit: [100/s, {concurrent: 5}], mode: leased, share: 7%").match(GET, 1);
    assertThat(match.claims())
        .extracting(Claim::mode)
        .containsExactly(new Mode(Kind.LEASED, 700), Mode.STRICT);
  }

  @Test
  void localLimitIsScaledToTheShareOfAServer() throws Exception {
    assertThat(limitsOf(rule("limit: 100/s, burst: 200, mode: local, share: 25%").match(GET, 0)))
        .containsExactly("a: TOKEN_BUCKET 25/PT1S burst 50");
    assertThat(limitsOf(rule("limit: 100/s, mode: local").match(GET, 0)))
        .containsExactly("a: TOKEN_BUCKET 100/PT1S burst 100");
    assertThat(limitsOf(rule("limit: 9/day in UTC, mode: local, share: 25%").match(GET, 0)))
        .containsExactly("a: FIXED_WINDOW 2/day in UTC");
  }

  @Test
  void leasedModeWithoutLeasableLimitIsRefused() {
    String refusal = "(expected: strict or local, since concurrent permits and queue slots";
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
  void invalidLimitSuppressesTheErrorAboutLeasing() {
    assertThat(errors("rules: [{name: a, mode: leased, limit: often, concurrent: 500}]"))
        .singleElement()
        .asString()
        .contains("limit: often");
  }

  @Test
  void limitThatCannotBeLeasedIsWarnedOfBesideOneThatCan() throws Exception {
    for (String mode : List.of("leased", "automatic")) {
      assertThat(strictWarnings("limit: 900/s, concurrent: 500, mode: " + mode))
          .containsExactly(
              "a: a limit is counted strictly, since a place in flight cannot be leased");
      assertThat(
              strictWarnings(
                  "limit: [900/s, {limit: 900/m, algorithm: leaky-bucket}], mode: " + mode))
          .containsExactly(
              "a: a limit is counted strictly, since a place in a queue cannot be leased");
    }
    assertThat(strictWarnings("limit: 900/s, concurrent: 500, mode: local")).isEmpty();
    assertThat(strictWarnings("limit: 900/s, concurrent: 500")).isEmpty();
  }

  @Test
  void limitTooSmallToLeaseIsWarnedOf() throws Exception {
    assertThat(strictWarnings("limit: 39/s, mode: leased"))
        .containsExactly("a: a limit is counted strictly, since 5% of 39 is less than 2");
    assertThat(strictWarnings("limit: 40/s, mode: leased")).isEmpty();
    assertThat(strictWarnings("limit: 39/s, burst: 40, mode: automatic")).isEmpty();
    assertThat(strictWarnings("limit: 10/s, share: 19.99%, mode: automatic"))
        .containsExactly("a: a limit is counted strictly, since 19.99% of 10 is less than 2");
    assertThat(strictWarnings("limit: 10/s, share: 20%, mode: automatic")).isEmpty();
    assertThat(strictWarnings("limit: [900/s, 30/m, 20/h], mode: leased")).as("once").hasSize(1);
    assertThat(strictWarnings("limit: 1/s, share: 0.01%, mode: local")).isEmpty();
    assertThat(strictWarnings("limit: 900/s, cost: 46, mode: leased"))
        .containsExactly("a: a limit is counted strictly, since 5% of 900 is less than 46");
    assertThat(strictWarnings("limit: 900/s, cost: {from: header X, max: 46}, mode: leased"))
        .isEmpty();
  }

  @Test
  void shareTooLargeToLeaseIsWarnedOf() throws Exception {
    assertThat(strictWarnings("limit: 100/s, share: 50%, mode: leased"))
        .containsExactly(
            "a: a limit is counted strictly, since a lease needs twice its share left, and there is"
                + " never twice 50% of 100");
    assertThat(strictWarnings("limit: 100/s, share: 49%, mode: leased")).isEmpty();
  }

  @Test
  void warningIsAtTheModeAndCanBeIgnored() throws Exception {
    String rule = "rules:\n  - {name: a, limit: 5/s, mode: leased}\n";
    assertThat(lint(rule)).containsExactly("2:27 counted-strictly");
    assertThat(lint("lint-ignore: counted-strictly\n" + rule)).isEmpty();
  }

  @Test
  void costAboveTheLocalShareIsWarnedOf() throws Exception {
    assertThat(lint("rules:\n  - {name: a, limit: 100/s, cost: 20, mode: local, share: 10%}\n"))
        .containsExactly("2:29 burst-below-cost");
    assertThat(lint("rules:\n  - {name: a, limit: 100/s, cost: 20, mode: local, share: 20%}\n"))
        .isEmpty();
  }

  @Test
  void whenStoreFailsIsWarnedOfInLocalMode() throws Exception {
    for (String choice : List.of("allow", "deny", "local")) {
      String rule =
          "rules:\n  - {name: a, limit: 9/s, when-store-fails: " + choice + ", mode: %s}\n";
      assertThat(lint(rule.formatted("local"))).containsExactly("2:27 store-not-asked");
      assertThat(lint(rule.formatted("strict"))).isEmpty();
      assertThat(lint("lint-ignore: store-not-asked\n" + rule.formatted("local"))).isEmpty();
    }
    assertThat(lint("rules: [{name: a, limit: 9/s, mode: local}]")).isEmpty();
  }

  private static RulesSnapshot rule(String rule) throws RulesRejected {
    return TestRules.snapshot("rules: [{name: a, " + rule + "}]\n");
  }

  private static Mode mode(String rule) throws RulesRejected {
    return rule(rule).book().rules().get(0).mode();
  }

  private static List<String> strictWarnings(String rule) throws RulesRejected {
    return TestRules.load("rules: [{name: a, " + rule + "}]\n").warnings().stream()
        .filter(one -> one.code().equals("counted-strictly"))
        .map(Problem::message)
        .toList();
  }
}
