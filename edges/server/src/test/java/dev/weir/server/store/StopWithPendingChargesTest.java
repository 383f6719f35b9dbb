package dev.weir.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.Operation;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.key.KeySpace;
import dev.weir.limiter.Limiter;
import dev.weir.memory.MemoryStore;
import dev.weir.rule.FailureMode;
import dev.weir.rule.Rule;
import dev.weir.rule.book.RuleBook;
import dev.weir.server.LogLines;
import dev.weir.shared.GuardSettings;
import dev.weir.shared.Shards;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A server that stops before its local grants are charged to the store. */
class StopWithPendingChargesTest {
  private static final String STOPPED =
      "WARNING Stopped with pending charges to the store; callers never charged: %d, permits that"
          + " may not have been charged: %d, callers whose charges were in flight: %d";

  private final LogLines log = new LogLines(StoreLog.class);
  private final RuleBook rules =
      RuleBook.of(
          List.of(
              Rule.named("here")
                  .limit(Limit.fixedWindow(9, Duration.ofDays(1)))
                  .failureMode(FailureMode.LOCAL)
                  .build()),
          KeySpace.random());

  @AfterEach
  void stop() {
    log.close();
  }

  /** A store that fails all takes, and gives this answer to charges. */
  private static final class FailingStore implements Store {
    private final Answer toCharges;

    FailingStore(Answer toCharges) {
      this.toCharges = toCharges;
    }

    @Override
    public Answer apply(Operation operation, List<Claim> claims) {
      return operation == Operation.CHARGE ? toCharges : failed(Effect.NONE);
    }
  }

  private static Answer failed(Effect effect) {
    return Answer.failed(new StoreFailure(effect, "gone", null));
  }

  /** Three requests are granted locally, and then the server stops. */
  private void stopAfterThree(Answer toCharges) {
    StoreConfig config =
        new StoreConfig(
            "failing",
            new FailingStore(toCharges),
            new MemoryStore(),
            Optional.empty(),
            Shards.ONE,
            GuardSettings.DEFAULT,
            () -> 0,
            List::of);
    try (StoreMonitor store = new StoreMonitor(config)) {
      Limiter limiter =
          new Limiter(store.store(), store.fallback(), (rule, outcome, subject) -> {});
      for (int i = 0; i < 3; i++) {
        assertThat(limiter.take(rules.match(Descriptor.of(Map.of()))).join().allowed()).isTrue();
      }
    }
  }

  @Test
  void rejectedChargesAreLogged() {
    stopAfterThree(failed(Effect.NONE));
    assertThat(log.lines).last().isEqualTo(STOPPED.formatted(1, 0, 0));
  }

  @Test
  void unansweredChargesAreLogged() {
    stopAfterThree(failed(Effect.UNKNOWN));
    assertThat(log.lines).containsExactly(STOPPED.formatted(0, 3, 0));
  }

  @Test
  void chargesInFlightAreLogged() {
    stopAfterThree(Answer.later(new CompletableFuture<>()));
    assertThat(log.lines).containsExactly(STOPPED.formatted(0, 0, 1));
  }

  @Test
  void nothingIsLoggedOnceAllIsCharged() {
    stopAfterThree(new MemoryStore().charge(rules.match(Descriptor.of(Map.of())).claims()));
    assertThat(log.lines).isEmpty();
  }
}
