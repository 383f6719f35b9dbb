package dev.weir.rules.syntax;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Descriptor;
import dev.weir.rule.Cost;
import dev.weir.rule.PriceTable;
import dev.weir.rule.ResponseCost;
import dev.weir.rule.ResponseCost.LlmUsage;
import dev.weir.rule.ResponseCost.Unit;
import dev.weir.rules.RulesLoader;
import dev.weir.rules.RulesRejected;
import dev.weir.rules.RulesSnapshot;
import dev.weir.rules.TestRules;
import dev.weir.rules.yaml.RulesText;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Costs that the response states, prices, and the model as a value. */
class CostSyntaxTest {
  private static final String PRICES =
      """
      prices:
        gpt-4o-mini*: {input: 0.15, output: 0.60}
        gpt-4o*: {input: 2.50, output: 10}
      """;

  private static String rule(String fields) {
    return "rules:\n  - {name: a, limit: 5000/minute, " + fields + "}\n";
  }

  private static Cost cost(String yaml) throws RulesRejected {
    return TestRules.load(yaml).book().rules().get(0).cost();
  }

  private static List<String> errors(String yaml) {
    return TestRules.errors(yaml);
  }

  @Test
  void headerStatesTheCostInAnyCase() throws RulesRejected {
    Cost cost = cost(rule("cost: {response-header: X-Cost, estimate: 7}"));
    assertThat(cost.response()).isEqualTo(new ResponseCost.Header("x-cost"));
    assertThat(cost.defaultCost()).isEqualTo(7);
    assertThat(cost(rule("cost: {response-header: X-Cost}")).defaultCost()).isEqualTo(1);
  }

  @Test
  void memberOfTheJsonBodyStatesTheCost() throws RulesRejected {
    Cost cost = cost(rule("cost: {response-json: usage.total, estimate: 100}"));
    assertThat(cost.response()).isEqualTo(new ResponseCost.Json(List.of("usage", "total")));
    assertThat(cost.defaultCost()).isEqualTo(100);
  }

  @Test
  void usageIsCountedInTokensOrMicroDollars() throws RulesRejected {
    assertThat(cost(rule("cost: {llm: output-tokens}")).response())
        .isEqualTo(new LlmUsage(Unit.OUTPUT_TOKENS, PriceTable.EMPTY));
    assertThat(cost(rule("cost: {llm: tokens}")).defaultCost()).isEqualTo(1_000);
    Cost dollars = cost(PRICES + rule("cost: {llm: micro-dollars}"));
    assertThat(dollars.defaultCost()).isEqualTo(12_500);
    LlmUsage usage = (LlmUsage) dollars.settled().orElseThrow();
    assertThat(usage.of("gpt-4o-mini-2026", 1_000, 100)).isEqualTo(150 + 60);
    assertThat(usage.of("gpt-4o", 1_000, 100)).isEqualTo(2_500 + 1_000);
    assertThat(usage.of("unheard-of", 1_000, 100)).isEqualTo(2_500 + 1_000);
    assertThat(usage.of("gpt-4o-mini", 1, 0)).as("rounded up").isEqualTo(1);
    assertThat(usage.of("gpt-4o", Long.MAX_VALUE, Long.MAX_VALUE)).isEqualTo(Claim.MAX_COST);
  }

  @Test
  void wrongCostsAreRefusedWithTheirLocation() {
    assertThat(errors(rule("cost: {llm: token}")))
        .containsExactly("2:47: llm: token (expected: tokens; did you mean that?)");
    assertThat(errors(rule("cost: {llm: micro-dollars}")))
        .containsExactly(
            "2:42: llm: micro-dollars (expected: prices in the file, such as prices: {gpt-4o*:"
                + " {input: 2.5, output: 10}})");
    assertThat(errors(rule("cost: {llm: tokens, response-header: X-Cost}")))
        .containsExactly(
            "2:42: llm: beside response-header (expected: one of response-header, llm)");
    assertThat(errors(rule("cost: {llm: tokens, max: 5}")))
        .containsExactly(
            "2:55: max: in this cost (expected: only beside from; beside llm write estimate)");
    assertThat(errors(rule("cost: {from: ip, max: 5, estimate: 5}")))
        .containsExactly(
            "2:60: estimate: in this cost (expected: only beside response-header, response-json"
                + " or llm)");
    assertThat(errors(rule("cost: {response-json: usage..total}")))
        .containsExactly(
            "2:57: response-json: usage..total (expected: names of members with dots between them,"
                + " such as usage.total; at most 8)");
    assertThat(errors(rule("cost: {response-header: Content-Length}")))
        .containsExactly(
            "2:59: response-header: Content-Length (expected: a header of the response that only"
                + " states its cost, such as X-Cost)");
    assertThat(errors(rule("concurrent: 5, cost: {llm: tokens}")))
        .containsExactly(
            "2:50: cost: beside concurrent (expected: a rule of its own for concurrent, whose"
                + " permits are given back whole)");
    assertThat(errors(rule("cost: {llm: tokens, estimate: 0}")))
        .containsExactly(
            "2:65: estimate: 0 (expected: a whole number between 1 and 2251799813685248)");
  }

  @Test
  void wrongPricesAreRefusedWithTheirLocation() {
    String rule = rule("cost: {llm: micro-dollars}");
    assertThat(errors("prices: {a: {input: 2.5e3, output: 1}}\n" + rule))
        .containsExactly(
            "1:21: input: 2.5e3 (expected: dollars for a million tokens, such as 2.50, with at most"
                + " 6 decimals)");
    assertThat(errors("prices: {a: {input: 2.5}}\n" + rule))
        .containsExactly("1:13: a: no output (expected: a price for input and for output)");
    assertThat(errors("prices: {a: 5}\n" + rule))
        .containsExactly(
            "1:13: a: 5 (expected: dollars for a million tokens, such as {input: 2.50, output:"
                + " 10.00})");
    assertThat(errors("prices: 5\n" + rule))
        .containsExactly("1:9: prices: 5 (expected: a mapping)");
  }

  @Test
  void onlyTheGatewayIsSpareOfWarnings() throws RulesRejected {
    String yaml =
        """
        rules:
          - {name: a, match: {model: "gpt-4*"}, limit: 5/minute}
          - {name: b, per: [ip, model], limit: 5/minute}
          - {name: c, limit: 5/hour, cost: {response-header: X-Cost}}
        """;
    assertThat(TestRules.lint(yaml))
        .containsExactly("2:15 needs-gateway", "3:15 needs-gateway", "4:30 needs-gateway");
    RulesLoader gateway = TestRules.loader().forGateway(false);
    assertThat(gateway.load(List.of(RulesText.of("f", yaml))).warnings()).isEmpty();
  }

  @Test
  void filesWithUpstreamsAreForAGateway() throws RulesRejected {
    String yaml =
        "rules: [{name: a, concurrent: 5}, {name: b, limit: 5/hour, cost: {llm: tokens}}]\n";
    String routed = "upstreams: {up: http://127.0.0.1:9000}\n" + yaml;
    RulesLoader any = TestRules.loader().forAnyService();
    assertThat(any.load(List.of(RulesText.of("f", routed))).warnings()).isEmpty();
    assertThat(any.load(List.of(RulesText.of("f", yaml))).warnings()).hasSize(2);
    assertThat(TestRules.lint(routed))
        .as("in weir serve")
        .containsExactly("2:19 needs-release", "2:60 needs-gateway");
  }

  @Test
  void estimateIsNeverAboveTheCapacity() throws RulesRejected {
    var book = TestRules.load("rules: [{name: a, limit: 50/minute, cost: {llm: tokens}}]").book();
    assertThat(book.match(Descriptor.of(Map.of())).claims().get(0).cost()).isEqualTo(50);
  }

  @Test
  void bodyIsNeededOnlyWhereARuleMayReadIt() throws RulesRejected {
    RulesSnapshot rules =
        RulesSnapshot.of(
            TestRules.load(
                """
                rules:
                  - {name: a, match: {path: /v1/**}, limit: 5000/minute, cost: {llm: tokens}}
                  - {name: b, match: {path: /chat, model: "gpt*"}, limit: 5/minute}
                  - {name: c, limit: 5/minute}
                """));
    assertThat(rules.needsModel(Descriptor.of(Map.of("path", "/v1/x")))).isTrue();
    assertThat(rules.needsModel(Descriptor.of(Map.of("path", "/chat")))).isTrue();
    assertThat(rules.needsModel(Descriptor.of(Map.of("path", "/other")))).isFalse();
  }

  @Test
  void modelIsMatchedAndCounted() throws RulesRejected {
    var book =
        TestRules.load("rules: [{name: a, match: {model: 'gpt-4*'}, per: model, limit: 5/minute}]")
            .book();
    var first = book.match(Descriptor.of(Map.of("model", "gpt-4o")));
    var second = book.match(Descriptor.of(Map.of("model", "gpt-4.1")));
    assertThat(first.claims()).hasSize(1);
    assertThat(second.claims().get(0).key()).isNotEqualTo(first.claims().get(0).key());
    assertThat(book.match(Descriptor.of(Map.of("model", "claude"))).claims()).isEmpty();
    assertThat(book.match(Descriptor.of(Map.of())).claims()).isEmpty();
    assertThat(book.match(Descriptor.of(Map.of("model", Descriptor.UNUSABLE))).claims()).hasSize(1);
  }
}
