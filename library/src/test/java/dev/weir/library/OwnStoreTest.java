package dev.weir.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Operation;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.key.KeySecret;
import dev.weir.memory.MemoryStore;
import dev.weir.rule.FailureMode;
import dev.weir.shared.GuardSettings;
import dev.weir.testkit.time.ManualScheduler;
import dev.weir.testkit.time.ManualTicker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A Weir on a store of the application's own. */
@Timeout(60)
class OwnStoreTest {
  private static final Limit THREE_AN_HOUR = Limit.fixedWindow(3, Duration.ofHours(1));
  private static final KeySecret SECRET = KeySecret.random();

  private final ManualTicker ticker = ManualTicker.at(Duration.ofDays(20_000));
  private final ManualScheduler scheduler = new ManualScheduler(ticker);
  private final MemoryStore counters = new MemoryStore(1_000, ticker);

  /** Answers, fails or does neither. */
  private final class OwnStore implements Store {
    private boolean fails;
    private boolean hangs;

    @Override
    public Answer apply(Operation operation, List<Claim> claims) {
      if (fails) {
        return Answer.failed(new StoreFailure(Effect.NONE, "no connection", null));
      }
      return hangs
          ? Answer.later(new CompletableFuture<Decision>())
          : counters.apply(operation, claims);
    }

    @Override
    public String toString() {
      return "own";
    }
  }

  private final OwnStore store = new OwnStore();

  private WeirBuilder on(WeirBuilder builder) {
    return builder.store(store).ticker(ticker).scheduler(scheduler).executor(Runnable::run);
  }

  @Test
  void processesWithOneSecretCountTogether() {
    try (Weir one = on(Weir.builder()).keySecret(SECRET).build();
        Weir other = on(Weir.builder()).keySecret(SECRET).build()) {
      assertThat(one.limiter("api", THREE_AN_HOUR).tryAcquire("acme").remaining()).isEqualTo(2);
      assertThat(other.limiter("api", THREE_AN_HOUR).tryAcquire("acme").remaining()).isEqualTo(1);
    }
  }

  @Test
  void failureModeDecidesWhileItFails() {
    for (FailureMode mode : FailureMode.values()) {
      store.fails = false;
      try (Weir weir = on(Weir.builder()).onStoreFailure(mode).build()) {
        RateLimiter api = weir.limiter(mode.name(), THREE_AN_HOUR);
        store.fails = true;
        RateLimitDecision decision = api.tryAcquire("acme");
        assertThat(decision.degraded()).as("%s", mode).isTrue();
        assertThat(decision.allowed()).as("%s", mode).isEqualTo(mode != FailureMode.DENY);
      }
    }
  }

  @Test
  void statusFollowsHealthProbes() {
    try (Weir weir = on(Weir.builder()).build()) {
      assertThat(weir.store()).hasToString("own");
      assertThat(weir.store().shared()).isTrue();
      store.fails = true;
      scheduler.advance(Duration.ofSeconds(3));
      assertThat(weir.store()).hasToString("own (not answering)");
      store.fails = false;
      scheduler.advance(Duration.ofSeconds(1));
      assertThat(weir.store()).hasToString("own");
    }
  }

  @Test
  void deadlineIsThatOfTheGuard() {
    Duration deadline = Duration.ofMillis(40);
    GuardSettings guard = GuardSettings.DEFAULT.withDeadline(deadline);
    try (Weir weir = on(Weir.builder()).guard(guard).build()) {
      assertThatHangingCallFailsAfter(deadline, weir);
    }
  }

  /** As in the tests of an application that is configured for Redis: nothing connects to it. */
  @Test
  void ofTheSettingsOfRedisOnlyTheDeadlineStays() {
    Duration deadline = Duration.ofMillis(70);
    WeirBuilder builder = Weir.redis("redis://127.0.0.1:1").deadline(deadline).storeRequired();
    try (Weir weir = on(builder).build()) {
      assertThatHangingCallFailsAfter(deadline, weir);
    }
  }

  private void assertThatHangingCallFailsAfter(Duration deadline, Weir weir) {
    store.hangs = true;
    CompletableFuture<RateLimitDecision> pending =
        weir.limiter("api", THREE_AN_HOUR).tryAcquireAsync("acme");
    scheduler.advance(deadline.minusMillis(1));
    assertThat(pending).isNotDone();
    scheduler.advance(Duration.ofMillis(1));
    assertThat(pending.join().degraded()).isTrue();
    store.hangs = false;
  }

  @SuppressWarnings("NullAway")
  @Test
  void noStoreIsRejected() {
    assertThatThrownBy(() -> Weir.builder().store(null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("store: ");
  }
}
