package dev.weir.server.shed;

import java.util.Locale;

/** Whether a request goes on, or is shed. Immutable. */
public sealed interface Verdict {
  /** The request goes on. */
  Verdict ADMITTED = new Admitted();

  /** The request goes on. */
  record Admitted() implements Verdict {}

  /**
   * The request is shed, with status 503.
   *
   * @param reason why
   * @param retryAfterSeconds when the client may try again: at least 1, and not the same for all
   */
  record Shed(Reason reason, int retryAfterSeconds) implements Verdict {}

  /** Why a request is shed. */
  enum Reason {
    /** Too many requests are in flight. */
    CAPACITY,
    /** Requests wait too long. */
    QUEUE_DELAY;

    /** The reason in responses and metrics. */
    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }
}
