package dev.weir.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.Store;
import dev.weir.memory.MemoryStore;
import dev.weir.operation.CallerFuture;
import dev.weir.operation.Continuations;
import dev.weir.operation.Operation;
import dev.weir.operation.UniformStore;
import dev.weir.testkit.ManualTicker;
import dev.weir.testkit.ManualTimers;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What callers of a guarded store do with their answers. */
class GuardedCallersTest {
  private static final Limit HUNDRED = Limit.fixedWindow(100, Duration.ofDays(1));
  private static final List<Claim> ONE = List.of(Claim.of(HUNDRED, new LimitKey(1, 2)));

  private final ManualTicker ticker = ManualTicker.at(Duration.ofDays(20_000));
  private final ManualTimers timers = new ManualTimers(ticker);
  private final MemoryStore memory = new MemoryStore(100, ticker);
  private final FarStore far = new FarStore(memory, timers);
  private final Deque<Runnable> executor = new ArrayDeque<>();
  private final Guarded guarded =
      new Guarded(far, Places.ONE, GuardSettings.DEFAULT, new WithExecutor(), new Quiet());

  /** Timers on which nobody goes on who waited for them. */
  private final class WithExecutor implements Timers {
    @Override
    public long nanos() {
      return timers.nanos();
    }

    @Override
    public void after(long nanos, Runnable work) {
      timers.after(nanos, work);
    }

    @Override
    public Executor continuations() {
      return executor::add;
    }
  }

  private static final class Quiet implements Guarded.Watcher {
    @Override
    public void told(@Nullable Throwable failure) {}

    @Override
    public void opened(String place, Throwable failure) {}

    @Override
    public CompletionStage<?> answering() {
      return CompletableFuture.completedStage(null);
    }

    @Override
    public void closed(String place) {}
  }

  private long used() {
    return 100 - memory.look(List.of(ONE.get(0).costing(0))).remaining();
  }

  @Test
  void aGrantToWhoeverHasCancelledIsGivenBack() {
    Answer cancelled = guarded.take(ONE);
    Answer kept = guarded.take(ONE);
    assertThat(cancelled.stage().toCompletableFuture().cancel(true)).isTrue();
    timers.advance(Duration.ofSeconds(1));
    assertThat(far.asked).containsExactly("take 1", "take 1", "refund 1");
    assertThat(kept.join().allowed()).isTrue();
    assertThat(used()).isEqualTo(1);
  }

  @Test
  void whoeverCancelsAChargeIsChargedAllTheSame() {
    assertThat(guarded.charge(ONE).stage().toCompletableFuture().cancel(true)).isTrue();
    timers.advance(Duration.ofSeconds(1));
    assertThat(used()).isEqualTo(1);
  }

  /** So that it gives back a permit which nobody knows of. */
  @Test
  void atTheDeadlineTheStoreIsToldThatNobodyWaits() {
    AtomicInteger expired = new AtomicInteger();
    Store silent =
        new UniformStore() {
          @Override
          protected Answer ask(Operation operation, List<Claim> claims) {
            return new CallerFuture(Continuations.DIRECT) {
              @Override
              public void expire() {
                expired.incrementAndGet();
              }
            };
          }
        };
    Guarded watched = new Guarded(silent, Places.ONE, GuardSettings.DEFAULT, timers, new Quiet());
    Answer answer = watched.take(ONE);
    timers.advance(Duration.ofSeconds(2));
    assertThat(answer.stage().toCompletableFuture()).isCompletedExceptionally();
    assertThat(expired).hasValue(1);
  }

  @Test
  void atTheDeadlineCallersGoOnInTheExecutor() {
    far.losesAnswers = true;
    AtomicInteger gone = new AtomicInteger();
    for (int i = 0; i < 3; i++) {
      guarded.take(ONE).stage().exceptionally(failure -> null).thenRun(gone::incrementAndGet);
    }
    timers.advance(Duration.ofSeconds(1));
    assertThat(gone).hasValue(0);
    assertThat(executor).hasSize(3);
    executor.forEach(Runnable::run);
    assertThat(gone).hasValue(3);
  }
}
