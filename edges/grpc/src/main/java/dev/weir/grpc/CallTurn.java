package dev.weir.grpc;

import dev.weir.async.Continuations;
import dev.weir.async.Scheduler;
import dev.weir.library.LimitExceededException;
import dev.weir.library.Permit;
import dev.weir.library.RateLimitDecision;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The wait of one outgoing call: for what its server asked, for a concurrency permit, then for the
 * rate. The permit comes before the rate, because it can be given back.
 *
 * <p>The future completes once the call may start; it fails with a {@link StatusRuntimeException}
 * if the call is denied. Whoever cancels it, or closes the turn, releases the permit. Thread-safe.
 */
final class CallTurn extends CompletableFuture<Boolean> implements AutoCloseable {
  private final ClientLimits limits;
  private final String paused;
  private final String key;
  private final long untilNanos;
  private volatile @Nullable CompletableFuture<?> current;
  private volatile @Nullable Permit permit;

  /** Whether this call is one of those that wait for the end of a pause. */
  private final AtomicBoolean held = new AtomicBoolean();

  CallTurn(ClientLimits limits, String paused, String key, Duration atMost) {
    this.limits = limits;
    this.paused = paused;
    this.key = key;
    this.untilNanos = limits.scheduler().nanos() + atMost.toNanos();
  }

  /** Begins to wait. */
  CallTurn begin() {
    var unused =
        whenComplete(
            (done, failure) -> {
              endHold();
              if (failure != null) {
                close();
              }
            });
    attempt(this::awaitPause);
    return this;
  }

  private long leftNanos() {
    return Math.max(0, untilNanos - limits.scheduler().nanos());
  }

  private void awaitPause() {
    if (isDone()) {
      return; // cancelled, perhaps while it waited
    }
    long pause = limits.pauses().remainingNanos(paused);
    if (pause <= 0) {
      enter();
      return;
    }
    long left = leftNanos();
    if (pause > left || !limits.tryHold()) {
      deny(DenialStatus.pausedFor(Duration.ofNanos(pause)));
      return;
    }
    held.set(true);
    if (isDone()) {
      endHold(); // cancelled meanwhile
      return;
    }
    // Not all at once, or the server would have to send them away again.
    after(
        Math.min(left, limits.withJitter(pause)),
        () -> {
          endHold();
          awaitPause();
        });
  }

  private void endHold() {
    if (held.compareAndSet(true, false)) {
      limits.endHold();
    }
  }

  private void enter() {
    if (limits.concurrency() == null) {
      acquire();
    } else {
      follow(
          limits.concurrency().enterAsync(key, Duration.ofNanos(leftNanos())),
          entered -> {
            permit = entered;
            acquire();
          });
    }
  }

  private void acquire() {
    if (isDone()) {
      close(); // cancelled while the permit came
    } else if (limits.rate() == null) {
      complete(true);
    } else {
      follow(limits.rate().acquireAsync(key, Duration.ofNanos(leftNanos())), this::onDecision);
    }
  }

  private void onDecision(RateLimitDecision decision) {
    if (decision.denial().isPresent()) {
      deny(DenialStatus.of(decision.denial().get()));
    } else if (decision.delay().isZero()) {
      complete(true);
    } else {
      after(decision.delay().toNanos(), () -> complete(true));
    }
  }

  private <T> void follow(CompletableFuture<T> step, Consumer<T> then) {
    current = step;
    if (isDone()) {
      step.cancel(false);
    }
    var unused =
        step.whenComplete(
            (value, failure) -> {
              if (failure == null) {
                attempt(() -> then.accept(value));
              } else {
                fail(failure);
              }
            });
  }

  private void after(long nanos, Runnable task) {
    Scheduler scheduler = limits.scheduler();
    scheduler.schedule(
        nanos, () -> Continuations.run(scheduler.continuations(), () -> attempt(task)));
  }

  private void attempt(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      fail(e);
    }
  }

  private void fail(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof LimitExceededException exceeded) {
      deny(DenialStatus.of(exceeded.denial()));
    } else {
      completeExceptionally(cause);
    }
  }

  private void deny(DenialStatus denial) {
    completeExceptionally(new StatusRuntimeException(denial.status(), denial.trailers()));
  }

  @Override
  public boolean cancel(boolean mayInterrupt) {
    boolean cancelled = super.cancel(mayInterrupt);
    CompletableFuture<?> step = current;
    if (cancelled && step != null) {
      step.cancel(mayInterrupt);
    }
    return cancelled;
  }

  /** Releases the permit; a second time, nothing happens. */
  @Override
  public void close() {
    Permit held = permit;
    if (held != null) {
      held.close();
    }
  }
}
