package dev.weir.spring.webflux;

import dev.weir.library.web.Admission;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * An admission that a shared store has yet to answer, for a request that may be cancelled
 * meanwhile.
 *
 * <p>Whatever comes first decides, exactly once: either the request starts with the admission, or
 * the admission is given back, be it granted before or after the request was cancelled.
 */
final class PendingAdmission {
  private enum State {
    WAITING,
    DELIVERED,
    STARTED,
    CANCELLED
  }

  private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
  private final CompletableFuture<Admission> future;
  private volatile @Nullable Admission admission;

  PendingAdmission(CompletableFuture<Admission> future) {
    this.future = future;
  }

  /** The admission, on the thread that completes the future. */
  Mono<Admission> mono() {
    return Mono.create(
        sink -> {
          sink.onCancel(this::cancel);
          var unused = future.whenComplete((granted, failure) -> deliver(sink, granted, failure));
        });
  }

  private void deliver(
      MonoSink<Admission> sink, @Nullable Admission granted, @Nullable Throwable failure) {
    if (granted == null) {
      if (state.get() == State.WAITING) { // else nobody listens, and Reactor would log it
        sink.error(failure == null ? new IllegalStateException("no admission") : failure);
      }
      return;
    }
    admission = granted;
    if (state.compareAndSet(State.WAITING, State.DELIVERED)) {
      sink.success(granted);
    } else {
      granted.giveBack();
    }
  }

  /** Whether the request may start; if not, it was cancelled, and the admission is given back. */
  boolean start() {
    return state.compareAndSet(State.DELIVERED, State.STARTED);
  }

  private void cancel() {
    if (state.compareAndSet(State.WAITING, State.CANCELLED)) {
      future.cancel(false); // what is granted from now on is given back
    } else if (state.compareAndSet(State.DELIVERED, State.CANCELLED)) {
      Admission granted = admission;
      if (granted != null) {
        granted.giveBack();
      }
    }
  }
}
