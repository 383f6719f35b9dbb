package dev.weir.rules;

import static dev.weir.rules.TestRules.errors;
import static dev.weir.rules.TestRules.limitsOf;
import static dev.weir.rules.TestRules.lint;
import static dev.weir.rules.TestRules.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.Mode;
import dev.weir.rule.FailureMode;
import dev.weir.rule.Identity;
import dev.weir.rule.Rule;
import dev.weir.rule.book.Match;
import dev.weir.rule.book.RuleBook;
import dev.weir.rules.yaml.RulesText;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Limits that code asks for by name. */
class CallsTest {
  private static final String CALLS =
      """
      calls:
        - name: export
          note: asked for by the reports
          limit: [10/second, 100/day in UTC]
          concurrent: 3
          expires: 9s
          when-store-fails: deny
        - {name: mail, limit: 9/s, burst: 30, shadow: true, mode: leased, share: 10%}
        - {name: drip, limit: 3/s, algorithm: leaky-bucket, queue: 5}
        - {name: closed, limit: blocked}
      """;

  @Test
  void callHasTheLimitsThatItsRuleWouldHave() throws Exception {
    RulesSnapshot rules = snapshot(CALLS);
    assertThat(rules.callNames()).containsExactly("export", "mail", "drip", "closed");
    assertThat(limitsOf(match(rules, "export", "acme", 7)))
        .containsExactlyInAnyOrder(
            "export: TOKEN_BUCKET 10/PT1S burst 10",
            "export: FIXED_WINDOW 100/day in UTC",
            "export: CONCURRENCY 3/PT9S");
    assertThat(limitsOf(match(rules, "export", "acme", 0))).hasSize(2);
    assertThat(rule(rules, "export").failureMode()).isEqualTo(FailureMode.DENY);
    assertThat(rule(rules, "mail").allowance().limits())
        .containsExactly(Limit.tokenBucket(9, Duration.ofSeconds(1), 30));
    assertThat(rule(rules, "mail").enforced()).isZero();
    assertThat(rule(rules, "mail").mode()).isEqualTo(new Mode(Mode.Kind.LEASED, 1_000));
    assertThat(limitsOf(match(rules, "drip", "acme", 0)))
        .containsExactly("drip: LEAKY_BUCKET 3/PT1S queue 5");
    assertThat(rule(rules, "closed").allowance().blocked()).isTrue();
    assertThat(rule(rules, "drip").failureMode()).isEqualTo(FailureMode.LOCAL);
  }

  @Test
  void callCountsByItsKeyLikeALimiterOfTheSameName() throws Exception {
    RulesSnapshot rules = snapshot("calls: [{name: api, limit: 10/s}]");
    Rule same =
        Rule.named("api")
            .per(Identity.of("key"))
            .limit(Limit.tokenBucket(10, Duration.ofSeconds(1), 10))
            .build();
    Descriptor acme = Descriptor.of(Map.of("key", "acme"));
    assertThat(TestRules.key(match(rules, "api", "acme", 0)))
        .isEqualTo(TestRules.key(RuleBook.of(List.of(same), TestRules.KEYS).match(acme)))
        .isNotEqualTo(TestRules.key(match(rules, "api", "globex", 0)));
  }

  @Test
  void callsAreNeverAppliedToRequests() throws Exception {
    RulesSnapshot rules = snapshot(CALLS + "rules: [{name: a, limit: 1/s}]");
    assertThat(limitsOf(rules.match(FakeRequest.get("/"), 1)))
        .containsExactly("a: TOKEN_BUCKET 1/PT1S burst 1");
    assertThat(rules.book().rules()).hasSize(1);
    assertThat(rules.book().names().contains("key")).isFalse();
    assertThat(rules.call("a")).as("a rule is no call").isEmpty();
    assertThat(rules.call("absent")).isEmpty();
    assertThat(rules.withDomains(rules.rules().domains()).callNames()).hasSize(4);
  }

  @Test
  void callIsCompiledOnce() throws Exception {
    RulesSnapshot rules = snapshot(CALLS);
    assertThat(rules.call("export").orElseThrow()).isSameAs(rules.call("export").orElseThrow());
  }

  @Test
  void callsOfSeveralFilesAreReadTogether() throws Exception {
    RuleSet rules =
        TestRules.loader()
            .load(
                List.of(
                    RulesText.of("a.yaml", "calls: [{name: one, limit: 1/s}]"),
                    RulesText.of("b.yaml", "rules: [{name: two, limit: 1/s}]"),
                    RulesText.of("c.yaml", "calls: [{name: three, limit: 1/s}]")));
    assertThat(rules.calls()).extracting(Rule::name).containsExactly("one", "three");
  }

  @Test
  void anchorMayBeSharedByRulesAndCalls() {
    assertThat(
            errors(
                """
                rules: [{name: a, limit: &often 5/s}]
                calls: [{name: b, limit: *often}]
                """))
        .isEmpty();
  }

  @Test
  void callsAreWarnedToNeedAnApplication() throws Exception {
    String yaml = "rules: [{name: a, limit: 1/s}]\ncalls: [{name: b, limit: 1/s, concurrent: 2}]";
    List<RulesText> texts = List.of(RulesText.of("rules.yaml", yaml));
    assertThat(TestRules.load(yaml).warnings())
        .singleElement()
        .hasToString(
            "rules.yaml:2:1: warning: calls: only code in an application asks for these limits by"
                + " name; weir serve and weir gateway never do (limit requests with rules there)"
                + " [needs-application]");
    assertThat(TestRules.loader().forGateway(false).load(texts).warnings()).hasSize(1);
    assertThat(TestRules.loader().forAnyService().load(texts).warnings()).hasSize(1);
    assertThat(TestRules.loader().forApplication().load(texts).warnings()).isEmpty();
    assertThat(lint("lint-ignore: needs-application\n" + yaml)).isEmpty();
  }

  @Test
  void callsThatHardlyWorkAreWarnedOf() throws Exception {
    String call = "lint-ignore: needs-application\ncalls:\n  - {name: a, %s}\n";
    assertThat(lint(call.formatted("limit: unlimited"))).containsExactly("3:15 no-limit");
    assertThat(lint(call.formatted("limit: [5/m, 9/60s]"))).containsExactly("3:15 counted-twice");
    assertThat(lint(call.formatted("mode: local, limit: 5/m, when-store-fails: deny")))
        .containsExactly("3:40 store-not-asked");
    assertThat(lint(call.formatted("mode: leased, limit: 5/m")))
        .containsExactly("3:15 counted-strictly");
    assertThat(lint("lint-ignore: needs-application\ncalls: []")).containsExactly("2:1 no-limit");
    assertThat(lint(call.formatted("limit: 5/m") + "rules: []\n"))
        .as("something is limited")
        .isEmpty();
    assertThat(lint(call.formatted("limit: 5/m") + "  - {name: b, limit: 5/m}\n"))
        .as("two calls count different things")
        .isEmpty();
  }

  private static Rule rule(RulesSnapshot rules, String name) {
    return rules.call(name).orElseThrow().rules().get(0);
  }

  private static Match match(RulesSnapshot rules, String name, String key, long holder) {
    RuleBook book = rules.call(name).orElseThrow();
    return book.match(Descriptor.of(book.names(), key), holder);
  }
}
