package dev.weir.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Limit;
import dev.weir.testkit.time.ManualTicker;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class RateLimiterTest {
  private static final Limit TWO_A_MINUTE = Limit.fixedWindow(2, Duration.ofMinutes(1));

  private final ManualTicker ticker = new ManualTicker(1_800_000_000_000_000L);
  private final Weir weir = Weir.builder().ticker(ticker).build();

  @Test
  void keysAreCountedApart() {
    RateLimiter api = weir.limiter("api", TWO_A_MINUTE);
    assertThat(api.tryAcquire("acme").remaining()).isEqualTo(1);
    assertThat(api.tryAcquire("acme").allowed()).isTrue();
    assertThat(api.tryAcquire("acme").allowed()).isFalse();
    assertThat(api.tryAcquire("other").allowed()).isTrue();
  }

  @Test
  void denialNamesTheLimiterTheLimitAndTheWait() {
    RateLimiter api =
        weir.limiter("api", TWO_A_MINUTE, Limit.fixedWindow(100, Duration.ofHours(1)));
    api.tryAcquire("acme");
    api.tryAcquire("acme");
    Denial denial = api.tryAcquire("acme").denial().orElseThrow();
    assertThat(denial.name()).isEqualTo("api");
    assertThat(denial.limit().orElseThrow().window()).isEqualTo(Duration.ofMinutes(1));
    assertThat(denial.reason()).isEqualTo(Denial.Reason.LIMIT_REACHED);
    assertThat(denial.retryAfter()).isPresent();
    assertThat(api.cost(3).tryAcquire("new").denial().orElseThrow().reason())
        .isEqualTo(Denial.Reason.COST_ABOVE_LIMIT);
  }

  @Test
  void limitersWithDifferentNamesShareNoCounterEvenForOneKey() {
    RateLimiter one = weir.limiter("one", TWO_A_MINUTE);
    RateLimiter other = weir.limiter("other", TWO_A_MINUTE);
    one.cost(2).tryAcquire("acme");
    assertThat(one.tryAcquire("acme").allowed()).isFalse();
    assertThat(other.tryAcquire("acme").remaining()).isEqualTo(1);
  }

  @Test
  void nameStandsForOneLimiterOnly() {
    RateLimiter api = weir.limiter("api", TWO_A_MINUTE);
    assertThat(weir.limiter("api", TWO_A_MINUTE)).isSameAs(api);
    assertThatThrownBy(() -> weir.limiter("api", Limit.fixedWindow(3, Duration.ofMinutes(1))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("name: api (expected: a new name");
    assertThatThrownBy(() -> weir.concurrency("api", 1, Duration.ofSeconds(1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> weir.limiter("no spaces", TWO_A_MINUTE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("name: no spaces");
    assertThatThrownBy(() -> weir.limiter("none"))
        .hasMessage("limits: none (expected: at least one)");
  }

  @Test
  void allRequestsAreGrantedOrNoneIsCharged() {
    RateLimiter tenant = weir.limiter("tenant", TWO_A_MINUTE);
    RateLimiter user = weir.limiter("user", Limit.fixedWindow(1, Duration.ofMinutes(1)));
    assertThat(weir.all(tenant.request("acme"), user.request("ann")).allowed()).isTrue();
    RateLimitDecision denied = weir.all(tenant.request("acme"), user.request("ann"));
    assertThat(denied.denial().orElseThrow().name()).isEqualTo("user");
    assertThat(tenant.peek("acme").remaining()).as("not charged").isEqualTo(1);
  }

  @Test
  void reservationIsSettledToTheTrueCost() {
    RateLimiter tokens = weir.limiter("tokens", Limit.fixedWindow(1_000, Duration.ofMinutes(1)));
    try (Reservation reserved = tokens.reserve("acme", 100)) {
      assertThat(reserved.decision().remaining()).isEqualTo(900);
      reserved.settle(30);
    }
    assertThat(tokens.peek("acme").remaining()).isEqualTo(970);
    try (Reservation reserved = tokens.reserve("acme", 100)) {
      reserved.settle(270);
      reserved.settle(1);
    }
    assertThat(tokens.peek("acme").remaining()).isEqualTo(700);
    tokens.reserve("acme", 100).close();
    assertThat(tokens.peek("acme").remaining()).as("given back").isEqualTo(700);
    try (Reservation denied = tokens.reserve("acme", 701)) {
      assertThat(denied.decision().allowed()).isFalse();
      denied.settle(5);
    }
    assertThat(tokens.peek("acme").remaining()).isEqualTo(700);
  }

  @Test
  void refundChargeAndReset() {
    RateLimiter api = weir.limiter("api", TWO_A_MINUTE);
    api.tryAcquire("acme");
    api.refund("acme");
    assertThat(api.peek("acme").remaining()).isEqualTo(2);
    api.cost(5).charge("acme");
    assertThat(api.tryAcquire("acme").allowed()).isFalse();
    api.reset("acme");
    assertThat(api.peek("acme").remaining()).isEqualTo(2);
  }

  @Test
  void decoratedSupplierRunsOnlyWithAPermit() {
    RateLimiter api = weir.limiter("api", TWO_A_MINUTE);
    var limited = api.decorate("acme", () -> "done");
    assertThat(limited.get()).isEqualTo("done");
    assertThat(limited.get()).isEqualTo("done");
    assertThatThrownBy(limited::get)
        .isInstanceOf(LimitExceededException.class)
        .hasMessage("denied by api: LIMIT_REACHED");
    var stage = api.decorateStage("acme", () -> CompletableFuture.completedStage("done"));
    assertThatThrownBy(() -> stage.get().toCompletableFuture().join())
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(LimitExceededException.class);
    assertThat(
            api.decorateStage("new", () -> CompletableFuture.completedStage("done"))
                .get()
                .toCompletableFuture()
                .join())
        .isEqualTo("done");
  }

  @Test
  void callerThatWouldWaitTooLongIsDeniedAtOnce() throws InterruptedException {
    RateLimiter api = weir.limiter("api", TWO_A_MINUTE);
    api.cost(2).tryAcquire("acme");
    assertThat(api.acquire("acme", Duration.ofSeconds(1)).denial().orElseThrow().name())
        .isEqualTo("api");
    assertThat(api.acquire("new", Duration.ZERO).allowed()).isTrue();
  }

  @Test
  void wrongCostsAreRejected() {
    RateLimiter api = weir.limiter("api", TWO_A_MINUTE);
    String message = "cost: -1 (expected: between 0 and 2251799813685248)";
    assertThatThrownBy(() -> api.cost(-1)).hasMessage(message);
    try (Reservation reserved = api.reserve("acme", 1)) {
      assertThatThrownBy(() -> reserved.settle(-1)).hasMessage(message);
    }
  }
}
