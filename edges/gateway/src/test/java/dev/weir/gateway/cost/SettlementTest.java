package dev.weir.gateway.cost;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.gateway.cost.Settled.Outcome;
import dev.weir.memory.MemoryStore;
import dev.weir.rule.ResponseCost;
import dev.weir.testkit.Seeds;
import dev.weir.testkit.time.ManualTicker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SettlementTest {
  private static final Limit BUDGET = Limit.fixedWindow(10_000, Duration.ofDays(3_000));

  /** 17 tokens of input, 100 of output. */
  private static final String BODY =
      "{\"model\":\"m\",\"stream\":true,\"max_tokens\":100,\"messages\":\"01234567\"}  ";

  private static final String USAGE =
      "data: {\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":20}}\n\ndata: [DONE]\n\n";
  private static final String WORD =
      "data: {\"choices\":[{\"delta\":{\"content\":\"0123456789ab\"}}]}\n\n";

  private final ManualTicker ticker = ManualTicker.at(Duration.ofDays(20_000));
  private final CostFixture fixture =
      new CostFixture(new MemoryStore(100, ticker), CostFixture.tokens(BUDGET));

  private static List<String> noHeaders(String name) {
    return List.of();
  }

  private Settlement taken() {
    LlmRequest request = CostFixture.request(BODY);
    assertThat(request.inputTokens()).isEqualTo(17);
    return fixture.take(request).orElseThrow();
  }

  private static Settled settled(Settlement settlement) {
    return settlement.settled().toCompletableFuture().join();
  }

  private long used() {
    return fixture.used().get(0);
  }

  @Test
  void estimateIsReplacedByTheStatedUsage() {
    Settlement settlement = taken();
    assertThat(used()).isEqualTo(117);
    assertThat(settlement.readsUsage()).isTrue();
    settlement.onHead(200, SettlementTest::noHeaders);
    CostFixture.feed(settlement, WORD + USAGE);
    settlement.onEnd();
    assertThat(used()).isEqualTo(29);
    assertThat(settled(settlement).outcome()).isEqualTo(Outcome.STATED);
    assertThat(settled(settlement).usage()).contains(new Usage(9, 20));
    assertThat(settled(settlement).amounts().get(0).reserved()).isEqualTo(117);
    assertThat(settled(settlement).amounts().get(0).refunded()).isEqualTo(88);
  }

  @Test
  void usageBeyondTheEstimateIsCharged() {
    Settlement settlement = taken();
    CostFixture.feed(settlement, USAGE.replace("20", "30000"));
    settlement.onEnd();
    assertThat(used()).isEqualTo(30_009);
    assertThat(fixture.take(CostFixture.request(BODY))).as("in debt").isEmpty();
  }

  @Test
  void abortedStreamPaysForWhatWasSeen() {
    Settlement settlement = taken();
    CostFixture.feed(settlement, WORD + WORD);
    settlement.onAborted();
    assertThat(used()).isEqualTo(17 + 6);
    assertThat(settled(settlement).outcome()).isEqualTo(Outcome.ABORTED);
  }

  @Test
  void clientThatLeavesBehindTheLastEventPaysTheStatedUsage() {
    Settlement settlement = taken();
    CostFixture.feed(settlement, WORD.repeat(50) + USAGE);
    settlement.onAborted();
    assertThat(used()).isEqualTo(29);
    assertThat(settled(settlement).outcome()).isEqualTo(Outcome.STATED);
  }

  @Test
  void abortedAnswerThatIsNoStreamKeepsItsReservation() {
    LlmRequest request = CostFixture.request(BODY.replace("true", "false"));
    Settlement settlement = fixture.take(request).orElseThrow();
    settlement.onAborted();
    assertThat(used()).isEqualTo(117 + 1);
  }

  @Test
  void endWithoutUsageKeepsTheReservation() {
    Settlement settlement = taken();
    settlement.onHead(200, SettlementTest::noHeaders);
    CostFixture.feed(settlement, WORD);
    settlement.onEnd();
    assertThat(used()).isEqualTo(117);
    assertThat(settled(settlement).outcome()).isEqualTo(Outcome.UNSTATED);
  }

  @Test
  void contentBeyondTheReservationIsChargedWithoutUsage() {
    Settlement settlement = taken();
    CostFixture.feed(settlement, WORD.repeat(100));
    settlement.onEnd();
    assertThat(used()).isEqualTo(17 + 300);
  }

  @Test
  void compressedStreamKeepsItsReservation() {
    Settlement settlement = taken();
    Map<String, List<String>> headers = Map.of("content-encoding", List.of("gzip"));
    settlement.onHead(200, name -> headers.getOrDefault(name, List.of()));
    CostFixture.feed(settlement, WORD);
    settlement.onAborted();
    assertThat(used()).isEqualTo(117);
  }

  @Test
  void failureBeforeAnAnswerIsRefunded() {
    Settlement settlement = taken();
    settlement.onUpstreamFailed();
    assertThat(used()).isZero();
    assertThat(settled(settlement).outcome()).isEqualTo(Outcome.FAILED);
  }

  @Test
  void refusalByTheProviderIsRefunded() {
    Settlement settlement = taken();
    settlement.onHead(429, SettlementTest::noHeaders);
    CostFixture.feed(settlement, "{\"error\":{\"message\":\"slow down\"}}");
    settlement.onEnd();
    assertThat(used()).isZero();
    assertThat(settled(settlement).outcome()).isEqualTo(Outcome.FAILED);
  }

  @Test
  void onlyTheFirstEndCounts() {
    Seeds.run(
        random -> {
          for (int i = 0; i < 200; i++) {
            long before = used();
            Settlement settlement = taken();
            List<Runnable> events =
                List.of(
                    settlement::onEnd,
                    settlement::onAborted,
                    settlement::onUpstreamFailed,
                    () -> CostFixture.feed(settlement, WORD),
                    () -> settlement.onHead(200, SettlementTest::noHeaders));
            for (int j = 0; j < 20; j++) {
              events.get(random.nextInt(events.size())).run();
            }
            settlement.onEnd();
            assertThat(used() - before).isEqualTo(settled(settlement).amounts().get(0).actual());
            settlement.onUpstreamFailed();
            assertThat(used() - before).isEqualTo(settled(settlement).amounts().get(0).actual());
            fixture.limiter.reset(fixture.match(LlmRequest.NONE)).join();
          }
        });
  }

  @Test
  void headersAndJsonFieldsStateCosts() {
    CostFixture stated =
        new CostFixture(
            new MemoryStore(100, ticker),
            CostFixture.rule("header", BUDGET, new ResponseCost.Header("x-cost"), 5),
            CostFixture.rule("json", BUDGET, new ResponseCost.Json(List.of("usage", "total")), 7));
    Settlement settlement = stated.take(LlmRequest.NONE).orElseThrow();
    assertThat(stated.used()).containsExactly(5L, 7L);
    assertThat(settlement.costHeaders()).containsExactly("x-cost");
    assertThat(settlement.readsUsage()).isFalse();
    assertThat(settlement.readsBody()).isTrue();
    settlement.onHead(
        200, Map.of("x-cost", List.of("42"), "content-encoding", List.<String>of())::get);
    CostFixture.feed(settlement, "{\"usage\":{\"total\":3}}");
    settlement.onEnd();
    assertThat(stated.used()).containsExactly(42L, 3L);
  }

  @Test
  void estimateStaysIfNothingOrNonsenseIsStated() {
    CostFixture stated =
        new CostFixture(
            new MemoryStore(100, ticker),
            CostFixture.rule("header", BUDGET, new ResponseCost.Header("x-cost"), 5));
    for (String value : List.of("", "-1", "abc", "1 2", "0x10")) {
      Settlement settlement = stated.take(LlmRequest.NONE).orElseThrow();
      settlement.onHead(200, name -> name.equals("x-cost") ? List.of(value) : List.of());
      settlement.onEnd();
      assertThat(settled(settlement).outcome()).isEqualTo(Outcome.UNSTATED);
    }
    assertThat(stated.used()).containsExactly(25L);
  }

  @Test
  void refundDoesNotReachTheNextWindow() {
    Limit minute = Limit.fixedWindow(1_000, Duration.ofMinutes(1));
    CostFixture windows = new CostFixture(new MemoryStore(100, ticker), CostFixture.tokens(minute));
    Settlement first = windows.take(CostFixture.request(BODY)).orElseThrow();
    ticker.advance(Duration.ofMinutes(1));
    windows.nanos.addAndGet(Duration.ofMinutes(1).toNanos());
    Settlement second = windows.take(CostFixture.request(BODY)).orElseThrow();
    first.onUpstreamFailed();
    assertThat(windows.used()).containsExactly(117L);
    second.onUpstreamFailed();
    assertThat(windows.used()).containsExactly(0L);
  }
}
