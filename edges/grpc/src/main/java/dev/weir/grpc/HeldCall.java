package dev.weir.grpc;

import dev.weir.async.Continuations;
import dev.weir.grpc.internal.CallbackThreads;
import io.grpc.Attributes;
import io.grpc.ClientCall;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * An outgoing call that starts when its turn has come. What the application does meanwhile is kept,
 * in order, and done once the call has started; from then on everything passes through.
 *
 * <p>{@link #isReady} is false until it starts, so applications that respect flow control send
 * nothing early. A call of one that does not fails once {@value #MAX_KEPT} operations are kept.
 *
 * <p>Whoever ends the state of waiting (its turn, a denial, the application that cancels it or its
 * context) is the only one to act on it. Whatever thread that is, the call starts, or ends, in the
 * context in which it was made. Thread-safe as far as calls of gRPC are.
 */
final class HeldCall<ReqT, RespT> extends ClientCall<ReqT, RespT> {
  static final int MAX_KEPT = 1_000;

  private enum State {
    NEW,
    WAITING,
    STARTED,
    CLOSED
  }

  private final ClientCall<ReqT, RespT> call;
  private final CallTurn turn;
  private final ServerPauses pauses;
  private final String paused;
  private final Executor callbacks;
  private final Context context = Context.current();
  private final Context.CancellationListener onCancellation =
      cancelled -> closeEarly(Contexts.statusFromCancelled(cancelled), new Metadata());
  private final List<Runnable> kept = new ArrayList<>();
  private State state = State.NEW;
  private volatile @Nullable Listener<RespT> listener;

  /**
   * Set once the call can be ready, which is before all that was kept is done: a call says only
   * once that it is ready, and the application that hears it has to see the same.
   */
  private volatile boolean begun;

  /** The thread that is starting the call. */
  private volatile @Nullable Thread starting;

  /** Set once all that was kept is done. */
  private volatile boolean passesThrough;

  /**
   * A call that has not begun to wait.
   *
   * @param paused by what the server's pauses are kept
   * @param callbacks tells the application how a call ended that never started
   */
  HeldCall(
      ClientCall<ReqT, RespT> call,
      CallTurn turn,
      ServerPauses pauses,
      String paused,
      Executor callbacks) {
    this.call = call;
    this.turn = turn;
    this.pauses = pauses;
    this.paused = paused;
    this.callbacks = callbacks;
  }

  private synchronized boolean move(State from, State to) {
    if (state != from) {
      return false;
    }
    state = to;
    return true;
  }

  @Override
  public void start(Listener<RespT> responses, Metadata headers) {
    listener = responses;
    if (!move(State.NEW, State.WAITING)) {
      call.start(responses, headers); // cancelled or started before: the call says what is wrong
      return;
    }
    context.addListener(onCancellation, Continuations.DIRECT); // a started call has its own
    var unused =
        turn.begin()
            .whenComplete(
                (granted, failure) -> context.run(() -> onTurn(failure, responses, headers)));
  }

  private void onTurn(@Nullable Throwable failure, Listener<RespT> responses, Metadata headers) {
    if (failure == null) {
      startCall(responses, headers);
    } else {
      closeEarly(status(failure), trailers(failure));
    }
  }

  private static Status status(Throwable failure) {
    return failure instanceof StatusRuntimeException denied
        ? denied.getStatus()
        : Status.INTERNAL.withDescription(failure.getMessage()).withCause(failure);
  }

  private static Metadata trailers(Throwable failure) {
    Metadata trailers = Status.trailersFromThrowable(failure);
    return trailers == null ? new Metadata() : trailers;
  }

  private void startCall(Listener<RespT> responses, Metadata headers) {
    if (!move(State.WAITING, State.STARTED)) {
      turn.close();
      return;
    }
    context.removeListener(onCancellation);
    starting = Thread.currentThread();
    try {
      call.start(new Releasing(responses), headers);
    } catch (RuntimeException | Error e) {
      turn.close();
      call.cancel("it could not be started", e);
      callBack(() -> responses.onClose(Status.fromThrowable(e), new Metadata()));
    } finally {
      starting = null;
    }
    begun = true;
    doAllKept();
  }

  /** Ends a call that never starts; returns false if it has started or has ended. */
  private boolean closeEarly(Status status, Metadata trailers) {
    if (!move(State.WAITING, State.CLOSED)) {
      return false;
    }
    context.removeListener(onCancellation);
    synchronized (this) {
      kept.clear();
    }
    turn.cancel(false);
    call.cancel(status.getDescription(), status.getCause());
    Listener<RespT> responses = Objects.requireNonNull(listener);
    callBack(() -> responses.onClose(status, trailers));
    return true;
  }

  private void callBack(Runnable event) {
    CallbackThreads.run(callbacks, context.wrap(event));
  }

  private void doAllKept() {
    while (true) {
      List<Runnable> next;
      synchronized (this) {
        if (kept.isEmpty()) {
          passesThrough = true;
          return;
        }
        next = List.copyOf(kept);
        kept.clear();
      }
      for (Runnable operation : next) {
        try {
          operation.run();
        } catch (RuntimeException e) {
          call.cancel("the application failed", e);
        }
      }
    }
  }

  private void pass(Runnable operation) {
    if (!passesThrough) {
      boolean tooMany;
      synchronized (this) {
        tooMany = state == State.WAITING && kept.size() == MAX_KEPT;
        if (!passesThrough && !tooMany) {
          if (state != State.CLOSED) {
            kept.add(operation);
          }
          return;
        }
      }
      if (tooMany) {
        String message = "more than " + MAX_KEPT + " operations while the call waits for its turn";
        closeEarly(Status.RESOURCE_EXHAUSTED.withDescription(message), new Metadata());
        return;
      }
    }
    operation.run();
  }

  @Override
  public void request(int messages) {
    pass(() -> call.request(messages));
  }

  @Override
  public void sendMessage(ReqT message) {
    pass(() -> call.sendMessage(message));
  }

  @Override
  public void halfClose() {
    pass(call::halfClose);
  }

  @Override
  public void setMessageCompression(boolean enabled) {
    pass(() -> call.setMessageCompression(enabled));
  }

  @Override
  public void cancel(@Nullable String message, @Nullable Throwable cause) {
    if (move(State.NEW, State.CLOSED)) {
      call.cancel(message, cause);
      return;
    }
    Status cancelled = Status.CANCELLED.withDescription(message).withCause(cause);
    if (!closeEarly(cancelled, new Metadata())) {
      turn.close();
      pass(() -> call.cancel(message, cause));
    }
  }

  @Override
  public boolean isReady() {
    return begun && call.isReady();
  }

  @Override
  public Attributes getAttributes() {
    return call.getAttributes();
  }

  /**
   * Releases the permit when the call ends, and reads for how long its server pauses further ones.
   */
  private final class Releasing extends SimpleForwardingClientCallListener<RespT> {
    Releasing(Listener<RespT> application) {
      super(application);
    }

    @Override
    public void onReady() {
      begun = true;
      if (Thread.currentThread() == starting) {
        // Or what the application sends now would be kept, and the call would stay ready for ever.
        doAllKept();
      }
      super.onReady();
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      turn.close();
      pauses.onClose(paused, status, trailers);
      super.onClose(status, trailers);
    }
  }
}
