package dev.weir.gateway.cost;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.memory.MemoryStore;
import dev.weir.rule.PriceTable;
import dev.weir.rule.PriceTable.Price;
import dev.weir.rule.ResponseCost;
import dev.weir.rule.ResponseCost.LlmUsage;
import dev.weir.rule.ResponseCost.Unit;
import dev.weir.rule.Rule;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Estimates of requests. */
class CostsTest {
  private static final Limit LARGE = Limit.fixedWindow(1_000_000_000, Duration.ofDays(3_000));

  private static CostFixture fixture(Rule... rules) {
    return new CostFixture(new MemoryStore(), rules);
  }

  private static long cost(CostFixture fixture, LlmRequest request) {
    return fixture.match(request).claims().get(0).cost();
  }

  private static void answer(CostFixture fixture, String model, long tokens) {
    fixture.costs.onUsage(
        CostFixture.request("{\"model\":\"" + model + "\"}"), new Usage(1, tokens));
  }

  @Test
  void estimateIsPromptAndMaximum() {
    CostFixture fixture = fixture(CostFixture.tokens(LARGE));
    String body = "{\"model\":\"m\",\"max_tokens\":50,\"n\":3}";
    assertThat(cost(fixture, CostFixture.request(body)))
        .isEqualTo(Usage.tokens(body.length()) + 150);
  }

  @Test
  void modelsRecentAnswersReplaceAMissingMaximum() {
    CostFixture fixture = fixture(CostFixture.tokens(LARGE));
    LlmRequest request = CostFixture.request("{\"model\":\"m1\"}"); // 14 bytes
    assertThat(cost(fixture, request)).isEqualTo(4 + Costs.USUAL_OUTPUT_TOKENS);
    for (int i = 1; i <= 100; i++) {
      answer(fixture, "m1", 10L * i);
      answer(fixture, "m2", 5_000);
    }
    assertThat(cost(fixture, request)).isEqualTo(4 + 950);
    for (int i = 0; i < ModelOutputs.MAX_ANSWERS; i++) {
      answer(fixture, "m1", 7);
    }
    assertThat(cost(fixture, request)).as("old answers are forgotten").isEqualTo(4 + 7);
    LlmRequest two = CostFixture.request("{\"n\":2, \"model\":\"m1\"}");
    assertThat(cost(fixture, two)).isEqualTo(two.inputTokens() + 14);
  }

  @Test
  void unreadableRequestIsAsDearAsTheDearestModel() {
    CostFixture fixture = fixture(CostFixture.tokens(LARGE));
    assertThat(cost(fixture, CostFixture.request("oops"))).isEqualTo(1 + Costs.USUAL_OUTPUT_TOKENS);
    for (int i = 0; i < ModelOutputs.MIN_ANSWERS; i++) {
      answer(fixture, "short", 3);
      answer(fixture, "long", 9_000);
    }
    assertThat(cost(fixture, CostFixture.request("oops"))).isEqualTo(1 + 9_000);
    assertThat(cost(fixture, LlmRequest.unreadable(4_000_000))).isEqualTo(1_000_000 + 9_000);
  }

  @Test
  void requestWithoutBodyCostsNothing() {
    assertThat(cost(fixture(CostFixture.tokens(LARGE)), LlmRequest.NONE)).isZero();
  }

  @Test
  void estimateIsClampedToTheCapacitySoThatARequestCanPass() {
    CostFixture fixture =
        fixture(CostFixture.tokens(Limit.tokenBucket(500, Duration.ofMinutes(1))));
    LlmRequest request = CostFixture.request("{\"max_tokens\":100000}");
    assertThat(cost(fixture, request)).isEqualTo(500);
    assertThat(fixture.take(request)).isPresent();
  }

  @Test
  void priceIsThatOfTheModelOrTheHighest() {
    PriceTable prices =
        new PriceTable(
            List.of(
                new PriceTable.Entry("cheap*", new Price(1_000_000, 2_000_000)),
                new PriceTable.Entry("dear", new Price(3_000_000, 30_000_000))));
    LlmUsage unit = new LlmUsage(Unit.MICRO_DOLLARS, prices);
    CostFixture fixture = fixture(CostFixture.rule("dollars", LARGE, unit, 1));
    String body = "{\"model\":\"cheap1\",\"max_tokens\":100}";
    long input = Usage.tokens(body.length());
    assertThat(cost(fixture, CostFixture.request(body))).isEqualTo(input + 200);
    assertThat(cost(fixture, CostFixture.request(body.replace("cheap1", "others"))))
        .isEqualTo(3 * input + 3_000);
    assertThat(cost(fixture, CostFixture.request(body + "x")))
        .isEqualTo(3 * Usage.tokens(body.length() + 1) + 30 * Costs.USUAL_OUTPUT_TOKENS);
  }

  @Test
  void otherCostsStayAsTheyAre() {
    CostFixture fixture =
        fixture(
            CostFixture.rule("header", LARGE, new ResponseCost.Header("x-cost"), 5),
            Rule.named("plain").limit(LARGE).build());
    var match = fixture.match(CostFixture.request("{\"max_tokens\":100}"));
    assertThat(match.claims()).extracting(claim -> claim.cost()).containsExactly(5L, 1L);
    var plain = fixture(Rule.named("plain").limit(LARGE).build());
    assertThat(plain.take(LlmRequest.NONE)).as("nothing to settle").isEmpty();
  }

  @Test
  void tableOfModelsIsBounded() {
    ModelOutputs outputs = new ModelOutputs();
    for (int i = 0; i < 10 * ModelOutputs.MAX_MODELS; i++) {
      outputs.record("model-" + i, i);
    }
    assertThat(outputs.size()).isEqualTo(ModelOutputs.MAX_MODELS);
    assertThat(outputs.p95("model-0")).isEmpty();
  }
}
