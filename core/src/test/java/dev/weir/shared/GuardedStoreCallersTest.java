package dev.weir.shared;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.Operation;
import dev.weir.Store;
import dev.weir.async.CallerFuture;
import dev.weir.async.Continuations;
import dev.weir.async.Scheduler;
import dev.weir.memory.MemoryStore;
import dev.weir.testkit.time.ManualScheduler;
import dev.weir.testkit.time.ManualTicker;
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

/** Cancellation and continuations of the callers of a guarded store. */
class GuardedStoreCallersTest {
  private static final Limit HUNDRED = Limit.fixedWindow(100, Duration.ofDays(1));
  private static final List<Claim> ONE = List.of(Claim.of(HUNDRED, new LimitKey(1, 2)));

  private final ManualTicker ticker = ManualTicker.at(Duration.ofDays(20_000));
  private final ManualScheduler scheduler = new ManualScheduler(ticker);
  private final MemoryStore memory = new MemoryStore(100, ticker);
  private final RemoteStore remote = new RemoteStore(memory, scheduler);
  private final Deque<Runnable> executor = new ArrayDeque<>();
  private final GuardedStore guarded =
      new GuardedStore(
          remote, Shards.ONE, GuardSettings.DEFAULT, new WithExecutor(), new IgnoringListener());

  /** A scheduler whose continuations run in the executor of the test. */
  private final class WithExecutor implements Scheduler {
    @Override
    public long nanos() {
      return scheduler.nanos();
    }

    @Override
    public void schedule(long nanos, Runnable work) {
      scheduler.schedule(nanos, work);
    }

    @Override
    public Executor continuations() {
      return executor::add;
    }
  }

  private static final class IgnoringListener implements GuardedStore.Listener {
    @Override
    public void onAnswer(@Nullable Throwable failure) {}

    @Override
    public void onOpened(String shard, Throwable failure) {}

    @Override
    public CompletionStage<?> onProbeAnswered() {
      return CompletableFuture.completedStage(null);
    }

    @Override
    public void onClosed(String shard) {}
  }

  private long used() {
    return 100 - memory.peek(List.of(ONE.get(0).withCost(0))).remaining();
  }

  @Test
  void grantToACancelledCallerIsRefunded() {
    Answer cancelled = guarded.take(ONE);
    Answer kept = guarded.take(ONE);
    assertThat(cancelled.stage().toCompletableFuture().cancel(true)).isTrue();
    scheduler.advance(Duration.ofSeconds(1));
    assertThat(remote.received).containsExactly("take 1", "take 1", "refund 1");
    assertThat(kept.join().allowed()).isTrue();
    assertThat(used()).isEqualTo(1);
  }

  @Test
  void cancelledChargeIsExecuted() {
    assertThat(guarded.charge(ONE).stage().toCompletableFuture().cancel(true)).isTrue();
    scheduler.advance(Duration.ofSeconds(1));
    assertThat(used()).isEqualTo(1);
  }

  /** So that the store refunds a concurrency permit that is granted later and has no holder. */
  @Test
  void atTheDeadlineTheAnswerOfTheStoreIsExpired() {
    AtomicInteger expired = new AtomicInteger();
    Store silent =
        new Store() {
          @Override
          public Answer apply(Operation operation, List<Claim> claims) {
            return new CallerFuture(Continuations.DIRECT) {
              @Override
              public void expire() {
                expired.incrementAndGet();
              }
            };
          }
        };
    GuardedStore watched =
        new GuardedStore(
            silent, Shards.ONE, GuardSettings.DEFAULT, scheduler, new IgnoringListener());
    Answer answer = watched.take(ONE);
    scheduler.advance(Duration.ofSeconds(2));
    assertThat(answer.stage().toCompletableFuture()).isCompletedExceptionally();
    assertThat(expired).hasValue(1);
  }

  @Test
  void continuationsAfterTheDeadlineRunInTheExecutor() {
    remote.losesAnswers = true;
    AtomicInteger continued = new AtomicInteger();
    for (int i = 0; i < 3; i++) {
      guarded.take(ONE).stage().exceptionally(failure -> null).thenRun(continued::incrementAndGet);
    }
    scheduler.advance(Duration.ofSeconds(1));
    assertThat(continued).hasValue(0);
    assertThat(executor).hasSize(3);
    executor.forEach(Runnable::run);
    assertThat(continued).hasValue(3);
  }
}
