package dev.weir.grpc;

import dev.weir.async.Continuations;
import dev.weir.async.Scheduler;
import dev.weir.library.web.Admission;
import io.grpc.Context;
import io.grpc.ServerCall;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The listener of a call that a shared store, or a leaky bucket, keeps waiting.
 *
 * <p><b>How.</b> Nothing is requested from the client before the decision, so at most an {@code
 * onReady}, an {@code onHalfClose} and what earlier interceptors request arrive meanwhile. They are
 * kept in order, and delivered once the handler has started. From then on events pass through.
 *
 * <p><b>Once.</b> Whatever comes first decides: either the call starts with the admission, or the
 * client cancels and the admission is given back, be it granted before or after that.
 *
 * <p>Thread-safe: gRPC delivers events on one thread while the decision comes on another.
 */
final class PendingCall<ReqT> extends ServerCall.Listener<ReqT> {
  private static final Logger LOG = System.getLogger(PendingCall.class.getName());

  /** Starts and ends the call. */
  interface Handler<ReqT> {
    /** Starts the call, or closes it if it is denied; throws what the application throws. */
    ServerCall.Listener<ReqT> start(Admission admission);

    /** Closes the call because its start failed. */
    void failStart(Throwable failure);

    /** Closes the call because an event failed. */
    void failEvent(Throwable failure);
  }

  private enum State {
    WAITING,
    STARTED,
    CANCELLED
  }

  private final Handler<ReqT> handler;
  private final Scheduler scheduler;
  private final Executor executor;
  private final Context context = Context.current();
  private final List<Consumer<ServerCall.Listener<ReqT>>> events = new ArrayList<>();
  private State state = State.WAITING;
  private boolean readyKept;
  private volatile @Nullable CompletableFuture<Admission> future;
  private volatile @Nullable Admission held;

  /** What the timer of a held call starts: empty once the call is cancelled. */
  private final AtomicReference<@Nullable Runnable> next = new AtomicReference<>();

  /** Set once all kept events are delivered. */
  private volatile ServerCall.@Nullable Listener<ReqT> delegate;

  PendingCall(Handler<ReqT> handler, Scheduler scheduler, Executor executor) {
    this.handler = handler;
    this.scheduler = scheduler;
    this.executor = executor;
  }

  /** Goes on when the future is complete. */
  void await(CompletableFuture<Admission> decision) {
    future = decision;
    var unused = decision.whenComplete(this::onDecision);
  }

  private void onDecision(@Nullable Admission admission, @Nullable Throwable failure) {
    if (admission == null) {
      Throwable cause = failure == null ? new IllegalStateException("no admission") : failure;
      if (begin()) {
        LOG.log(Level.WARNING, "Failed to decide about a call", cause);
        handler.failStart(cause);
        deliverAll(new ServerCall.Listener<>() {});
      }
    } else if (admission.delay().isZero()) {
      start(admission);
    } else {
      hold(admission);
    }
  }

  /** Holds a call that a leaky bucket shapes; if it is cancelled meanwhile, it costs nothing. */
  void hold(Admission admission) {
    held = admission;
    next.set(() -> Continuations.run(executor, () -> start(admission)));
    if (isCancelled()) {
      next.set(null);
      admission.giveBack();
      return;
    }
    schedule(scheduler, admission.delay(), next);
  }

  /** Keeps nothing of the call but its reference, because a timer cannot be cancelled. */
  private static void schedule(
      Scheduler scheduler, Duration delay, AtomicReference<@Nullable Runnable> task) {
    scheduler.schedule(
        delay.toNanos(),
        () -> {
          Runnable due = task.getAndSet(null);
          if (due != null) {
            due.run();
          }
        });
  }

  private synchronized boolean isCancelled() {
    return state == State.CANCELLED;
  }

  private synchronized boolean begin() {
    if (state != State.WAITING) {
      return false;
    }
    state = State.STARTED;
    return true;
  }

  private void start(Admission admission) {
    if (!begin()) {
      admission.giveBack();
      return;
    }
    Context previous = context.attach();
    try {
      deliverAll(started(admission));
    } finally {
      context.detach(previous);
    }
  }

  private ServerCall.Listener<ReqT> started(Admission admission) {
    try {
      return handler.start(admission);
    } catch (RuntimeException | Error e) {
      LOG.log(Level.ERROR, "A handler of a call failed to start", e);
      handler.failStart(e);
      return new ServerCall.Listener<>() {};
    }
  }

  private void deliverAll(ServerCall.Listener<ReqT> listener) {
    while (true) {
      List<Consumer<ServerCall.Listener<ReqT>>> kept;
      synchronized (this) {
        if (events.isEmpty()) {
          delegate = listener;
          return;
        }
        kept = List.copyOf(events);
        events.clear();
        readyKept = false;
      }
      for (Consumer<ServerCall.Listener<ReqT>> event : kept) {
        try {
          event.accept(listener);
        } catch (RuntimeException | Error e) {
          LOG.log(Level.ERROR, "A handler of a call failed", e);
          handler.failEvent(e);
        }
      }
    }
  }

  private void deliver(Consumer<ServerCall.Listener<ReqT>> event) {
    ServerCall.Listener<ReqT> direct = delegate;
    if (direct == null) {
      synchronized (this) {
        direct = delegate;
        if (direct == null) {
          events.add(event);
          return;
        }
      }
    }
    event.accept(direct);
  }

  @Override
  public void onMessage(ReqT message) {
    deliver(listener -> listener.onMessage(message));
  }

  @Override
  public void onHalfClose() {
    deliver(ServerCall.Listener::onHalfClose);
  }

  @Override
  public void onComplete() {
    deliver(ServerCall.Listener::onComplete);
  }

  @Override
  public void onReady() {
    synchronized (this) {
      if (delegate == null && readyKept) {
        return; // one says it all
      }
      readyKept = true;
    }
    deliver(ServerCall.Listener::onReady);
  }

  @Override
  public void onCancel() {
    boolean waiting;
    synchronized (this) {
      waiting = state == State.WAITING;
      state = waiting ? State.CANCELLED : state;
    }
    if (!waiting) {
      deliver(ServerCall.Listener::onCancel);
      return;
    }
    next.set(null);
    Admission granted = held;
    CompletableFuture<Admission> decision = future;
    if (granted != null) {
      granted.giveBack();
    } else if (decision != null) {
      decision.cancel(false); // what is granted from now on is given back
    }
  }
}
