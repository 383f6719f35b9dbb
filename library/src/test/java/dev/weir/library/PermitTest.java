package dev.weir.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.testkit.time.ManualScheduler;
import dev.weir.testkit.time.ManualTicker;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Permits that are entered at once, and renewed in the background. */
class PermitTest {
  private final ManualTicker ticker = ManualTicker.at(Duration.ofDays(20_000));
  private final ManualScheduler time = new ManualScheduler(ticker);
  private final Weir weir =
      Weir.builder().ticker(ticker).scheduler(time).executor(Runnable::run).build();
  private final ConcurrencyLimiter exports = weir.concurrency("export", 1, Duration.ofMinutes(1));

  @AfterEach
  void close() {
    weir.close();
  }

  @Test
  void enteringWithoutWaitingSaysWhyThereIsNoPermit() {
    try (Permit permit = exports.enter("acme")) {
      assertThat(permit.key()).isEqualTo("acme");
      LimitExceededException denied =
          catchThrowableOfType(LimitExceededException.class, () -> exports.enter("acme"));
      assertThat(denied.denial().name()).isEqualTo("export");
      assertThat(denied.denial().reason()).isEqualTo(Denial.Reason.LIMIT_REACHED);
      CompletableFuture<Permit> async = exports.enterAsync("acme");
      assertThatThrownBy(async::join).hasCauseInstanceOf(LimitExceededException.class);
    }
    exports.enterAsync("acme").join().close();
    assertThat(exports.tryEnter("acme")).isPresent();
  }

  /** Whoever waits has no right before those who do not, if there is room. */
  @Test
  void enteringWithoutWaitingDoesNotQueue() {
    Permit taken = exports.enter("acme");
    CompletableFuture<Permit> waiting = exports.enterAsync("acme", Duration.ofHours(1));
    assertThatThrownBy(() -> exports.enter("acme")).isInstanceOf(LimitExceededException.class);
    taken.close();
    waiting.join().close();
    exports.enter("acme").close();
  }

  @Test
  void permitIsRenewedUntilItIsClosed() {
    Permit permit = exports.enter("acme").autoRenew();
    for (int i = 0; i < 20; i++) {
      time.advance(Duration.ofSeconds(30));
      assertThat(exports.tryEnter("acme")).isEmpty();
    }
    permit.autoRenew(); // a second time, nothing happens
    permit.close();
    Permit next = exports.enter("acme");
    time.advance(Duration.ofSeconds(61));
    assertThat(exports.tryEnter("acme")).isPresent();
    next.close();
  }

  @Test
  void closedPermitIsNotRenewed() {
    Permit permit = exports.enter("acme");
    permit.close();
    permit.autoRenew();
    time.advance(Duration.ofMinutes(2));
    assertThat(exports.tryEnter("acme")).isPresent();
  }

  @Test
  void renewalEndsWithTheWeir() {
    Permit permit = exports.enter("acme").autoRenew();
    weir.close();
    time.advance(Duration.ofMinutes(2));
    permit.close();
    assertThatThrownBy(() -> exports.enter("acme")).isInstanceOf(IllegalStateException.class);
  }
}
