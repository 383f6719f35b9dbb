package dev.weir.rules;

import static dev.weir.rules.TestRules.errors;
import static dev.weir.rules.TestRules.key;
import static dev.weir.rules.TestRules.limitsOf;
import static dev.weir.rules.TestRules.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.LimitKey;
import dev.weir.rules.yaml.Problem;
import dev.weir.rules.yaml.RulesText;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rules on the authenticated user of an application. */
class PrincipalRulesTest {
  private static final FakeRequest REQUEST = FakeRequest.get("/");
  private static final String TOO_LONG = "x".repeat(8193);

  @Test
  void ruleMatchesThePrincipal() throws Exception {
    RulesSnapshot rules =
        snapshot("rules: [{name: a, match: {principal: [alice, \"b*\"]}, limit: 1/s}]");
    assertThat(limitsOf(rules.match(REQUEST.by("alice"), 0))).hasSize(1);
    assertThat(limitsOf(rules.match(REQUEST.by("bob"), 0))).hasSize(1);
    assertThat(limitsOf(rules.match(REQUEST.by("Alice"), 0))).isEmpty();
    assertThat(limitsOf(rules.match(REQUEST, 0))).isEmpty();
    assertThat(limitsOf(rules.match(REQUEST.by(TOO_LONG), 0))).as("unusable").hasSize(1);
  }

  @Test
  void callerIsThePrincipalElseTheAddress() throws Exception {
    RulesSnapshot rules =
        snapshot(
            """
            identity: {caller: [principal, ip]}
            rules: [{name: a, per: caller, limit: 1/s}]
            """);
    LimitKey alice = key(rules.match(REQUEST.by("alice"), 0));
    assertThat(key(rules.match(REQUEST.by("alice").from("192.0.2.9"), 0))).isEqualTo(alice);
    assertThat(key(rules.match(REQUEST.by("bob"), 0))).isNotEqualTo(alice);
    LimitKey address = key(rules.match(REQUEST, 0));
    assertThat(address).isNotEqualTo(alice);
    assertThat(key(rules.match(REQUEST.by("203.0.113.7"), 0)))
        .as("a user who is called like an address")
        .isNotEqualTo(address);
  }

  @Test
  void identityOfThePrincipalAloneIsACondition() throws Exception {
    RulesSnapshot rules =
        snapshot(
            """
            identity: {user: principal}
            rules: [{name: a, match: {user: alice}, limit: 1/s}]
            """);
    assertThat(limitsOf(rules.match(REQUEST.by("alice"), 0))).hasSize(1);
    assertThat(limitsOf(rules.match(REQUEST.by("bob"), 0))).isEmpty();
    assertThat(rules.readsPrincipal()).isTrue();
  }

  @Test
  void exceptionsNameThePrincipal() throws Exception {
    RulesSnapshot rules =
        snapshot(
            """
            identity: {caller: [principal, header X-Key, ip]}
            rules:
              - {name: a, per: caller, limit: 1/s, overrides: [{for: {principal: alice}, limit: 9/s}]}
            """);
    assertThat(limitsOf(rules.match(REQUEST.by("alice"), 0))).first().asString().contains(" 9/");
    assertThat(limitsOf(rules.match(REQUEST.with("X-Key", "alice"), 0)))
        .first()
        .asString()
        .contains(" 1/");
  }

  @Test
  void principalIsNotForgeableButANameOfItMayBeClaimed() throws Exception {
    assertThat(lint(application(), "rules: [{name: a, per: principal, limit: 1/s}]")).isEmpty();
    String tier = "tiers: {t: 1/s}\nrules: [{name: a, tier: principal, default-tier: t}]";
    assertThat(lint(application(), tier)).isEmpty();
    String claimable =
        """
        lint-ignore: forgeable-key
        rules: [{name: a, per: [[principal, header K]], limit: 1/s, allow: ops}]
        """;
    assertThat(lint(application(), claimable)).containsExactly("2:68 claimable-name");
  }

  @Test
  void rulesThatReadThePrincipalAreWarnedToNeedAnApplication() throws Exception {
    String rule = "tiers: {t: 1/s}\nrules:\n  - {name: a, %s}\n";
    for (String one :
        List.of(
            "match: {principal: a}, limit: 1/s",
            "per: principal, limit: 1/s",
            "per: principal, limit: 1/s, when-absent: skip",
            "per: [[principal, ip]], limit: 1/s",
            "tier: principal, default-tier: t")) {
      String yaml = rule.formatted(one);
      assertThat(lint(TestRules.loader(), yaml)).as(one).containsExactly("3:15 needs-application");
      assertThat(lint(TestRules.loader().forGateway(false), yaml)).as(one).hasSize(1);
      assertThat(lint(TestRules.loader().forAnyService(), yaml)).as(one).hasSize(1);
      assertThat(lint(application(), yaml)).as(one).isEmpty();
    }
    String cost = rule.formatted("limit: 9/s, cost: {from: principal, max: 5, otherwise: 2}");
    assertThat(lint(TestRules.loader(), cost)).containsExactly("3:27 needs-application");
    String priority =
        """
        shedding: {capacity: 9, priorities: [{match: {principal: a}, priority: 0}]}
        rules: [{name: a, limit: 1/s}]
        """;
    assertThat(lint(TestRules.loader(), priority)).containsExactly("1:39 needs-application");
  }

  @Test
  void warningSaysWhatHappensAndWhatToDo() throws Exception {
    String rule = "rules: [{name: a, limit: 9/s, %s}]";
    String head = "rules.yaml:1:31: warning: a: ";
    String known =
        " reads principal, which only an application with Weir inside it knows; in weir serve and"
            + " weir gateway ";
    String remedy = " (use jwt sub there) [needs-application]";
    assertThat(warnings(rule.formatted("match: {principal: a}")))
        .containsExactly(head + "match" + known + "the rule applies to no request" + remedy);
    assertThat(warnings(rule.formatted("per: principal")))
        .containsExactly(head + "per" + known + "all requests share one counter" + remedy);
    assertThat(warnings(rule.formatted("per: [[principal, ip]]")))
        .containsExactly(
            head + "per" + known + "only the other alternatives identify callers" + remedy);
    assertThat(warnings(rule.formatted("cost: {from: principal, max: 5, otherwise: 2}")))
        .containsExactly(head + "cost" + known + "every request costs 2" + remedy);
  }

  @Test
  void applicationsSeeTheEndOfRequestsButNoBodies() throws Exception {
    String yaml = "rules:\n  - {name: a, match: {model: x}, concurrent: 5}\n";
    assertThat(lint(TestRules.loader(), yaml))
        .containsExactly("2:15 needs-gateway", "2:34 needs-release");
    assertThat(lint(application(), yaml)).containsExactly("2:15 needs-gateway");
  }

  @Test
  void snapshotTellsWhetherRulesReadThePrincipal() throws Exception {
    String rule = "tiers: {t: 1/s}\nrules: [{name: a, %s}]";
    for (String one :
        List.of(
            "match: {principal: a}, limit: 1/s",
            "per: [[ip, {all: [principal, path]}]], limit: 1/s",
            "tier: principal, default-tier: t",
            "limit: 9/s, cost: {from: principal, max: 5}")) {
      assertThat(snapshot(rule.formatted(one)).readsPrincipal()).as(one).isTrue();
    }
    assertThat(snapshot(rule.formatted("per: header principal, limit: 1/s")).readsPrincipal())
        .isFalse();
    assertThat(snapshot("identity: {user: principal}\nrules: []").readsPrincipal())
        .as("an identity that no rule uses")
        .isFalse();
  }

  @Test
  void misuseOfThePrincipalIsRefused() {
    assertThat(errors("identity: {principal: header X}\nrules: []"))
        .containsExactly(
            "1:12: identity: principal (expected: a name of letters, digits and dashes that is not"
                + " taken, as ip is)");
    assertThat(errors("rules:\n  - {name: a, per: pricipal, limit: 1/s}"))
        .containsExactly("2:20: per: pricipal (expected: principal; did you mean that?)");
    assertThat(errors("rules:\n  - {name: a, principal: alice, limit: 1/s}"))
        .containsExactly(
            "2:15: key: principal (expected: match: {principal: …}; did you mean that?)");
    assertThat(errors("rules:\n  - {name: a, match: {principal: {x: y}}, limit: 1/s}"))
        .containsExactly("2:34: principal: a mapping (expected: a word or a number)");
    assertThat(errors("rules:\n  - {name: a, match: {principal: \"\"}, limit: 1/s}"))
        .containsExactly("2:34: principal: an empty value (expected: a value, or \"*\" for any)");
    assertThat(
            errors(
                """
                upstreams: {u: "http://127.0.0.1:1"}
                routes: [{match: {principal: alice}, upstream: u}]
                rules: []
                """))
        .containsExactly(
            "2:11: match: principal (expected: host, path, method, header, trusted-header, cookie or"
                + " ip)");
  }

  private static RulesLoader application() {
    return TestRules.loader().forApplication();
  }

  private static List<String> lint(RulesLoader loader, String yaml) throws RulesRejected {
    return loader.load(List.of(RulesText.of("rules.yaml", yaml))).warnings().stream()
        .map(one -> one.location().line() + ":" + one.location().column() + " " + one.code())
        .toList();
  }

  private static List<String> warnings(String yaml) throws RulesRejected {
    return TestRules.load(yaml).warnings().stream().map(Problem::toString).toList();
  }
}
