package dev.weir.client.dispatch;

import dev.weir.client.header.Advertised;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One request of a caller, which may be sent several times. Used by one thread at a time.
 *
 * <p>Wait for the turn of {@link #begin}; send the request; pass the response to {@link
 * #onResponse}, or the failure to {@link #onFailure}. If they return a turn, discard the response,
 * wait for that turn and send the request again; if not, the response or failure is the caller's.
 */
public final class Call {
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int SERVICE_UNAVAILABLE = 503;

  /** Whether a request can be sent more than once, apart from its method. */
  public enum Repeatable {
    /** If its method is idempotent. */
    BY_METHOD,
    /** Whatever its method is: the caller says so. */
    YES,
    /** Never: its body can be read only once. */
    NO;

    Repeatable forMethod(boolean idempotent) {
      return this == BY_METHOD && idempotent ? YES : this;
    }
  }

  private final Dispatcher dispatcher;
  private final Origin origin;
  private final Repeatable repeatable;
  private final long deadlineNanos;
  private Turn turn;
  private int attempts = 1;

  Call(Dispatcher dispatcher, Origin origin, Repeatable repeatable, long deadlineNanos) {
    this.dispatcher = dispatcher;
    this.origin = origin;
    this.repeatable = repeatable;
    this.deadlineNanos = deadlineNanos;
    this.turn = new Turn(deadlineNanos);
  }

  /**
   * The turn of the first attempt; it fails with a {@link RequestNotSentException} if it would come
   * too late. Cancel it if the request is no longer wanted.
   */
  public CompletableFuture<Void> begin() {
    turn = origin.pacer().join(latestNanos());
    return turn;
  }

  /** The turn of the next attempt after this response; null if the response is the last one. */
  public @Nullable CompletableFuture<Void> onResponse(
      int status, Function<String, List<String>> headers) {
    Advertised advertised = dispatcher.headers().read(headers);
    boolean unavailable = status == SERVICE_UNAVAILABLE;
    boolean denied =
        status == TOO_MANY_REQUESTS || (unavailable && advertised.retryAfterNanos().isPresent());
    origin.pacer().onResponse(turn, denied, advertised);
    boolean unprocessed =
        denied && repeatable == Repeatable.BY_METHOD && dispatcher.settings().retryDenied();
    return (denied || unavailable) && (repeatable == Repeatable.YES || unprocessed)
        ? again(advertised.waitNanos())
        : null;
  }

  /** The turn of the next attempt after a failure without a response; null if there is none. */
  public @Nullable CompletableFuture<Void> onFailure(Throwable failure) {
    return failure instanceof IOException
            && dispatcher.settings().retryFailures()
            && repeatable == Repeatable.YES
        ? again(0)
        : null;
  }

  /** The time until the deadline, at least a millisecond. */
  public Duration timeLeft() {
    long left = deadlineNanos - dispatcher.timers().nanos();
    return Duration.ofNanos(Math.max(1_000_000, left));
  }

  private @Nullable Turn again(long askedNanos) {
    DispatchSettings settings = dispatcher.settings();
    if (attempts >= settings.attempts()) {
      return null;
    }
    long wait = askedNanos + dispatcher.backoffNanos(attempts);
    long now = dispatcher.timers().nanos();
    long latest = latestNanos();
    if (now + wait - latest > 0) {
      return null;
    }
    // A retry that may not wait takes nothing from the budget.
    Turn next = origin.pacer().rejoin(wait, latest, () -> origin.budget().tryRetry(now));
    if (next != null) {
      attempts++;
      turn = next;
    }
    return next;
  }

  /** When a turn that is waited for from now on must come. */
  private long latestNanos() {
    long longest = dispatcher.timers().nanos() + dispatcher.settings().maxWait().toNanos();
    return longest - deadlineNanos < 0 ? longest : deadlineNanos;
  }
}
