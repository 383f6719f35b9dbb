package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.guard.GuardSettings;
import dev.weir.guard.Places;
import dev.weir.key.KeySpace;
import dev.weir.memory.MemoryStore;
import dev.weir.operation.Operation;
import dev.weir.operation.UniformStore;
import dev.weir.rule.Limiter;
import dev.weir.rule.Rule;
import dev.weir.rule.Rule.WhenStoreFails;
import dev.weir.rule.RuleBook;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A server that stops before the store has heard what was granted without it. */
class StoppedInDebtTest {
  private static final String STOPPED =
      "WARNING Stopped before the store heard all that was granted without it; callers of whom it"
          + " will not hear: %d, permits of which it may not have heard: %d, callers of whom it was"
          + " being told: %d";

  private final LogLines log = new LogLines(StoreLog.class);
  private final RuleBook rules =
      RuleBook.of(
          List.of(
              Rule.named("here")
                  .limit(Limit.fixedWindow(9, Duration.ofDays(1)))
                  .whenStoreFails(WhenStoreFails.LOCAL)
                  .build()),
          KeySpace.random());

  @AfterEach
  void stop() {
    log.close();
  }

  /** A store that grants nothing, and says this to those who pay. */
  private static final class Deaf extends UniformStore {
    private final Answer toDebts;

    Deaf(Answer toDebts) {
      this.toDebts = toDebts;
    }

    @Override
    protected Answer ask(Operation operation, List<Claim> claims) {
      return operation == Operation.CHARGE ? toDebts : failed(Effect.NONE);
    }
  }

  private static Answer failed(Effect effect) {
    return Answer.failed(new StoreFailure(effect, "gone", null));
  }

  /** Three requests pass without the store, and then the server stops. */
  private void stopsAfterThree(Answer toDebts) {
    StoreInUse inUse =
        new StoreInUse(
            "deaf",
            new Deaf(toDebts),
            new MemoryStore(),
            Optional.empty(),
            Places.ONE,
            GuardSettings.DEFAULT,
            () -> 0,
            List::of);
    try (SharedStore store = new SharedStore(inUse)) {
      Limiter limiter = new Limiter(store.asked(), store.standby(), (rule, outcome) -> {});
      for (int i = 0; i < 3; i++) {
        assertThat(limiter.take(rules.match(Descriptor.of(Map.of()))).join().allowed()).isTrue();
      }
    }
  }

  @Test
  void whatTheStoreRefusesToHearIsTold() {
    stopsAfterThree(failed(Effect.NONE));
    assertThat(log.lines).containsExactly(STOPPED.formatted(1, 0, 0));
  }

  @Test
  void whatItMayHaveHeardIsTold() {
    stopsAfterThree(failed(Effect.UNKNOWN));
    assertThat(log.lines).containsExactly(STOPPED.formatted(0, 3, 0));
  }

  @Test
  void whatIsOnItsWayIsTold() {
    stopsAfterThree(Answer.later(new CompletableFuture<>()));
    assertThat(log.lines).containsExactly(STOPPED.formatted(0, 0, 1));
  }

  @Test
  void whoHasPaidSaysNothing() {
    stopsAfterThree(new MemoryStore().charge(rules.match(Descriptor.of(Map.of())).claims()));
    assertThat(log.lines).isEmpty();
  }
}
