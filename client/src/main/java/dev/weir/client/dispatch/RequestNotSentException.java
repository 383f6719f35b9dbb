package dev.weir.client.dispatch;

import java.io.IOException;
import java.time.Duration;

/**
 * A request was not sent, because the server is known to deny it for longer than the request may
 * wait. If it was sent before and denied, it was not sent again.
 */
public final class RequestNotSentException extends IOException {
  private static final long serialVersionUID = 1;

  /** Why a request is not sent. */
  public enum Reason {
    /** Its turn would come later than it may wait. */
    LIMIT,
    /** As many requests wait as may wait at a time. */
    QUEUE_FULL
  }

  /** Why it was not sent. */
  private final Reason reason;

  /** How long until its turn would have come. */
  private final Duration retryAfter;

  RequestNotSentException(String origin, Reason reason, Duration retryAfter) {
    super(
        "request not sent: "
            + (reason == Reason.LIMIT
                ? "the limit of "
                    + origin
                    + " leaves no room for it for "
                    + retryAfter.toMillis()
                    + " ms"
                : "too many requests wait for the limit of " + origin));
    this.reason = reason;
    this.retryAfter = retryAfter;
  }

  /** Why the request was not sent. */
  public Reason reason() {
    return reason;
  }

  /** How long until there is probably room for the request. */
  public Duration retryAfter() {
    return retryAfter;
  }
}
