package dev.weir.rules.syntax;

import static dev.weir.rules.TestRules.errors;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rules.RulesRejected;
import dev.weir.rules.TestRules;
import dev.weir.rules.yaml.RulesText;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** The errors of {@code calls}. */
class CallSyntaxTest {
  private static final String KEYS =
      "one of algorithm, burst, concurrent, expires, limit, mode, name, note, queue, shadow, share,"
          + " when-store-fails";

  @Test
  void keysOfRulesAreRefusedWithWhatToDoInstead() {
    assertThat(
            errors(
                """
                calls:
                  - name: a
                    limit: 1/s
                    match: {path: /a}
                    per: ip
                    cost: 5
                    tier: header X
                    allow: ops
                    rollout: 5%
                    path: /b
                """))
        .containsExactly(
            "4:5: key: match (expected: a rule under rules, which is for requests; did you mean"
                + " that?)",
            "5:5: key: per (expected: the key that the code gives with each call; did you mean"
                + " that?)",
            "6:5: key: cost (expected: the cost that the code gives with each call; did you mean"
                + " that?)",
            "7:5: key: tier (expected: a call for each plan, of which the code names one; did you"
                + " mean that?)",
            "8:5: key: allow (expected: a check in the code, before the call; did you mean that?)",
            "9:5: key: rollout (expected: shadow: true, until the limit is enforced for all"
                + " callers; did you mean that?)",
            "10:5: key: path (expected: a rule under rules, which is for requests; did you mean"
                + " that?)");
  }

  @Test
  void everyKeyThatOnlyRulesHaveIsExplained() {
    Set<String> onlyOfRules = new HashSet<>(RuleSyntax.KEYS);
    onlyOfRules.removeAll(CallSyntax.KEYS);
    assertThat(onlyOfRules).hasSize(12);
    for (String key : onlyOfRules) {
      assertThat(errors("calls:\n  - {name: a, limit: 1/s, " + key + ": x}"))
          .as(key)
          .singleElement()
          .asString()
          .startsWith("2:27: key: " + key + " (expected: ")
          .doesNotContain("one of");
    }
    assertThat(RuleSyntax.KEYS).containsAll(CallSyntax.KEYS);
  }

  @Test
  void unknownAndMisspeltKeysAreRefused() {
    assertThat(errors("calls:\n  - {name: a, limit: 1/s, colour: red, brust: 5}"))
        .containsExactly(
            "2:27: key: colour (expected: " + KEYS + ")",
            "2:40: key: brust (expected: burst; did you mean that?)");
    assertThat(errors("call: [{name: a, limit: 1/s}]"))
        .containsExactly("1:1: key: call (expected: calls; did you mean that?)");
  }

  @Test
  void wrongTypesAreRefused() {
    assertThat(errors("calls: export"))
        .containsExactly("1:8: calls: export (expected: a list of calls)");
    assertThat(errors("calls: {name: a, limit: 1/s}"))
        .containsExactly("1:8: calls: a mapping (expected: a list of calls)");
    assertThat(errors("calls:"))
        .singleElement()
        .asString()
        .endsWith(": calls: nothing (expected: a list of calls)");
    assertThat(errors("calls: [export, [a], 7]"))
        .containsExactly(
            "1:9: call: export (expected: a mapping)",
            "1:17: call: a list (expected: a mapping)",
            "1:22: call: 7 (expected: a mapping)");
    assertThat(errors("calls:\n  - {name: [a], limit: {x: 1}, shadow: perhaps, mode: 7}"))
        .containsExactly(
            "2:12: name: a list (expected: a word or a number)",
            "2:24: limit: neither limit nor concurrent (expected: one of them in each mapping)",
            "2:25: key: x (expected: one of algorithm, burst, concurrent, expires, limit, queue)",
            "2:40: shadow: perhaps (expected: one of false, true)",
            "2:55: mode: 7 (expected: one of automatic, leased, local, strict)");
    assertThat(errors("calls:\n  - {name: a, limit: 1/s, note: {a: b}, when-store-fails: panic}"))
        .containsExactly(
            "2:33: note: a mapping (expected: a word or a number)",
            "2:59: when-store-fails: panic (expected: one of allow, deny, local)");
  }

  @Test
  void missingPartsAreRefused() {
    assertThat(errors("calls:\n  - {limit: 1/s}"))
        .containsExactly("2:5: name: nothing (expected: a name for the call)");
    assertThat(errors("calls:\n  - {name: a}"))
        .containsExactly("2:5: call: a (expected: a limit or concurrent)");
    assertThat(errors("calls:\n  - {name: a, concurrent: 5, burst: 5}"))
        .containsExactly("2:5: call: a (expected: a limit beside burst, queue or algorithm)");
    assertThat(errors("calls:\n  - {name: a, limit: 1/s, expires: 5s}"))
        .containsExactly("2:27: expires: without concurrent (expected: both)");
  }

  @Test
  void extremesAreAcceptedAndWhatIsBeyondThemRefused() {
    String call = "calls:\n  - {name: %s, %s}";
    assertThat(
            errors(
                call.formatted(
                    "x".repeat(100), "limit: 2251799813685248/day, algorithm: fixed-window")))
        .isEmpty();
    assertThat(errors(call.formatted("x".repeat(101), "limit: 1/s")))
        .singleElement()
        .asString()
        .startsWith("2:12: name: xxx");
    assertThat(errors(call.formatted("a b", "limit: 1/s")))
        .containsExactly(
            "2:12: name: a b (expected: letters, digits, dots, dashes, underscores; at most 100)");
    assertThat(errors(call.formatted("a", "limit: 0/s")))
        .containsExactly("2:22: limit: 0/s: permits: 0 (expected: between 1 and 2251799813685248)");
    assertThat(errors(call.formatted("a", "concurrent: 0")))
        .singleElement()
        .asString()
        .startsWith("2:27: concurrent: 0 (expected: a whole number between 1 and ");
    assertThat(errors(call.formatted("a", "limit: blocked, concurrent: 5")))
        .containsExactly("2:31: concurrent: beside blocked (expected: one of them)");
    assertThat(errors(call.formatted("a", "concurrent: 5, mode: leased")))
        .containsExactly(
            "2:36: mode: leased (expected: strict or local, since concurrent permits and queue"
                + " slots cannot be leased)");
    assertThat(errors(call.formatted("a", "limit: 5/s, share: 5%")))
        .singleElement()
        .asString()
        .startsWith("2:34: share: 5% (expected: mode leased, automatic or local beside it");
  }

  @Test
  void numberOfCallsIsBounded() {
    StringBuilder calls = new StringBuilder("calls:\n");
    for (int i = 0; i < CallSyntax.MAX_CALLS; i++) {
      calls.append("  - {name: c").append(i).append(", limit: 1/s}\n");
    }
    assertThat(errors(calls.toString())).isEmpty();
    calls.append("  - {name: more, limit: 1/s}\n");
    assertThat(errors(calls.toString()))
        .containsExactly("2:3: calls: 10001 calls (expected: at most 10000)");
  }

  @Test
  void nameIsUniqueAmongRulesAndCalls() {
    assertThat(errors("calls:\n  - {name: a, limit: 1/s}\n  - {name: a, limit: 1/s}"))
        .containsExactly("3:6: name: a (expected: each name once; the first is at rules.yaml:2:6)");
    assertThat(errors("calls:\n  - {name: a, limit: 1/s}\nrules:\n  - {name: a, limit: 1/s}"))
        .containsExactly("2:6: name: a (expected: each name once; the first is at rules.yaml:4:6)");
  }

  @Test
  void nameIsUniqueAcrossFiles() {
    Assertions.assertThatThrownBy(
            () ->
                TestRules.loader()
                    .load(
                        List.of(
                            RulesText.of("a.yaml", "rules: [{name: one, limit: 1/s}]"),
                            RulesText.of("b.yaml", "calls: [{name: one, limit: 1/s}]"))))
        .isInstanceOf(RulesRejected.class)
        .hasMessageContaining(
            "b.yaml:1:10: name: one (expected: each name once; the first is at a.yaml:1:10)");
  }
}
