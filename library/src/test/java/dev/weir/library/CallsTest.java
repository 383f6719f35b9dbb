package dev.weir.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Limit;
import dev.weir.rules.yaml.RulesText;
import dev.weir.testkit.time.ManualScheduler;
import dev.weir.testkit.time.ManualTicker;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Limiters whose limits are under {@code calls} in a rules file. */
@SuppressWarnings("NullAway") // what careless callers do
class CallsTest {
  private final ManualTicker ticker = new ManualTicker(1_800_000_000_000_000L);
  private final Weir weir = Weir.builder().ticker(ticker).build();

  @AfterEach
  void close() {
    weir.close();
  }

  private RulesLimiter rules(String yaml) {
    return weir.rules(RulesText.of("rules.yaml", yaml));
  }

  @Test
  void limiterHasTheLimitsOfTheFile() {
    RateLimiter api = rules("calls: [{name: api, limit: [2/minute, 3/hour]}]").limiter("api");
    assertThat(api.name()).isEqualTo("api");
    assertThat(api.tryAcquire("acme").remaining()).isEqualTo(1);
    assertThat(api.cost(2).tryAcquireAsync("acme").join().allowed()).isFalse();
    assertThat(api.tryAcquire("acme").allowed()).isTrue();
    Denial denial = api.tryAcquire("acme").denial().orElseThrow();
    assertThat(denial.name()).isEqualTo("api");
    assertThat(denial.limit().orElseThrow().window()).isEqualTo(Duration.ofMinutes(1));
    assertThat(api.tryAcquire("other").allowed()).isTrue();
    ticker.advance(Duration.ofMinutes(1));
    assertThat(api.tryAcquire("acme").allowed()).isTrue();
    assertThat(api.tryAcquire("acme").denial().orElseThrow().limit().orElseThrow().window())
        .isEqualTo(Duration.ofHours(1));
  }

  @Test
  void sameNameIsTheSameLimiter() {
    RulesLimiter rules = rules("calls: [{name: a, limit: 1/s}, {name: b, concurrent: 1}]");
    assertThat(rules.limiter("a")).isSameAs(rules.limiter("a"));
    assertThat(rules.concurrency("b")).isSameAs(rules.concurrency("b"));
  }

  @Test
  void limiterOfTheSameNameInCodeSharesTheCounter() {
    RateLimiter file = rules("calls: [{name: api, limit: 2/minute}]").limiter("api");
    RateLimiter code = weir.limiter("api", Limit.tokenBucket(2, Duration.ofMinutes(1), 2));
    file.tryAcquire("acme");
    assertThat(code.peek("acme").remaining()).isEqualTo(1);
  }

  @Test
  void unknownNameIsRefusedWithTheKnownOnes() {
    assertThatThrownBy(
            () -> rules("calls: [{name: a, limit: 1/s}, {name: b, limit: 1/s}]").limiter("c"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "name: c (expected: one of a, b, or a new entry of this name under calls in the rules)");
    RulesLimiter none = rules("rules: [{name: a, limit: 1/s}]");
    String remedy = "name: a (expected: a new entry of this name under calls in the rules)";
    assertThatThrownBy(() -> none.limiter("a")).hasMessage(remedy);
    assertThatThrownBy(() -> none.concurrency("a")).hasMessage(remedy);
    assertThatThrownBy(() -> none.limiter(null)).hasMessage("name: null (expected: a value)");
    assertThatThrownBy(() -> none.concurrency(null)).hasMessage("name: null (expected: a value)");
    StringBuilder many = new StringBuilder("calls:\n");
    for (int i = 0; i < 30; i++) {
      many.append("  - {name: c").append(i).append(", limit: 1/s}\n");
    }
    assertThatThrownBy(() -> rules(many.toString()).limiter("absent"))
        .hasMessageContaining("c19 and 10 others, or a new entry");
  }

  @Test
  void kindOfLimiterMustFit() {
    RulesLimiter rules =
        rules(
            """
            calls:
              - {name: rate, limit: 1/s}
              - {name: permits, concurrent: 2}
              - {name: both, limit: 9/hour, concurrent: 2}
              - {name: closed, limit: blocked}
            """);
    for (String name : new String[] {"permits", "both"}) {
      assertThatThrownBy(() -> rules.limiter(name))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "name: %s (expected: limits without concurrent; ask concurrency(\"%s\") for this one)",
              name, name);
    }
    assertThatThrownBy(() -> rules.concurrency("rate"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "name: rate (expected: limits with concurrent; ask limiter(\"rate\") for this one)");
    assertThat(rules.limiter("closed").tryAcquire("acme").denial().orElseThrow().reason())
        .isEqualTo(Denial.Reason.BLOCKED);
    assertThat(rules.concurrency("closed").tryEnter("acme")).isEmpty();
  }

  @Test
  void permitIsReleasedAndItsRateStaysCharged() {
    ConcurrencyLimiter export =
        rules("calls: [{name: export, limit: 3/hour, concurrent: 1, expires: 1 minute}]")
            .concurrency("export");
    try (Permit held = export.tryEnter("acme").orElseThrow()) {
      assertThat(export.tryEnter("acme")).as("one at a time").isEmpty();
      for (int i = 0; i < 5; i++) {
        ticker.advance(Duration.ofSeconds(40));
        assertThat(held.renew()).as("renewing costs no rate").isTrue();
      }
    }
    try (Permit second = export.tryEnter("acme").orElseThrow()) {
      assertThat(second.key()).isEqualTo("acme");
    }
    export.tryEnter("acme").orElseThrow().close();
    assertThat(export.tryEnter("acme")).as("three an hour").isEmpty();
  }

  @Test
  void shadowCallDeniesNothingAndStillCounts() throws InterruptedException {
    RulesLimiter rules =
        rules(
            """
            calls:
              - {name: rate, limit: 1/hour, shadow: true}
              - {name: permits, concurrent: 1, shadow: true}
              - {name: closed, limit: blocked, shadow: true}
              - {name: free, limit: unlimited}
              - {name: strict, limit: 1/hour}
            """);
    for (String name : new String[] {"rate", "closed", "free"}) {
      RateLimiter limiter = rules.limiter(name);
      for (int i = 0; i < 3; i++) {
        assertThat(limiter.acquire("acme", Duration.ZERO).allowed()).as(name).isTrue();
      }
      limiter.cost(5).charge("acme");
      limiter.refund("acme");
      limiter.reset("acme");
      assertThat(limiter.peek("acme").allowed()).isTrue();
      try (Reservation reserved = limiter.reserve("acme", 10)) {
        reserved.settle(20);
      }
    }
    for (int i = 0; i < 3; i++) {
      Permit permit = rules.concurrency("permits").enter("acme", Duration.ZERO);
      assertThat(permit.renew()).isTrue();
    }
    assertThat(
            weir.all(rules.limiter("rate").request("a"), rules.limiter("strict").request("a"))
                .allowed())
        .isTrue();
    assertThat(weir.all(rules.limiter("free").request("a")).allowed()).isTrue();
    assertThat(
            weir.all(rules.limiter("rate").request("a"), rules.limiter("strict").request("a"))
                .denial()
                .orElseThrow()
                .name())
        .isEqualTo("strict");
  }

  @Test
  void blockedCallBlocksAllOfSeveralRequests() {
    RulesLimiter rules =
        rules("calls: [{name: closed, limit: blocked}, {name: open, limit: 1/hour}]");
    RateLimiter open = rules.limiter("open");
    RateLimitDecision decision =
        weir.all(open.request("acme"), rules.limiter("closed").request("acme"));
    assertThat(decision.denial().orElseThrow().reason()).isEqualTo(Denial.Reason.BLOCKED);
    assertThat(decision.denial().orElseThrow().name()).isEqualTo("closed");
    assertThat(open.tryAcquire("acme").allowed()).as("not charged").isTrue();
  }

  @Test
  void waitingCallerGetsThePermitThatIsReleased() {
    ManualScheduler scheduler = new ManualScheduler(ticker);
    try (Weir waiting = Weir.builder().ticker(ticker).scheduler(scheduler).build()) {
      ConcurrencyLimiter export =
          waiting
              .rules(RulesText.of("r.yaml", "calls: [{name: export, limit: 9/s, concurrent: 1}]"))
              .concurrency("export");
      Permit first = export.tryEnter("acme").orElseThrow();
      CompletableFuture<Permit> second = export.enterAsync("acme", Duration.ofMinutes(1));
      assertThat(second).isNotDone();
      first.close();
      assertThat(second).succeedsWithin(Duration.ofSeconds(30));
      Optional<Permit> third = export.tryEnter("acme");
      assertThat(third).isEmpty();
      second.join().close();
      assertThat(export.tryEnter("acme")).isPresent();
    }
  }

  @Test
  void closedWeirMakesNoLimiter() {
    RulesLimiter rules = rules("calls: [{name: a, limit: 1/s}, {name: b, concurrent: 1}]");
    RateLimiter a = rules.limiter("a");
    weir.close();
    assertThatThrownBy(() -> rules.limiter("a")).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> rules.concurrency("b")).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> a.tryAcquire("acme")).isInstanceOf(IllegalStateException.class);
  }
}
