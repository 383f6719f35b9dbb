package dev.weir.spring.method;

import dev.weir.library.Denial;
import java.time.Duration;
import java.util.Optional;

/**
 * A call of an annotated method was denied. If it leaves a controller, the response is a problem
 * document with status 429, or 503 if the store did not answer. It has no stack trace, since limits
 * deny most when there is the least time. Thread-safe.
 */
public final class RateLimitedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Denial denial;
  private final long remaining;

  /**
   * A denied call.
   *
   * @param method that was called, such as {@code com.acme.Mail.send}
   * @param remaining permits that are left, if the call costs more
   */
  public RateLimitedException(String method, Denial denial, long remaining) {
    super(
        method
            + ": denied by "
            + denial.name()
            + ": "
            + denial.reason()
            + denial.retryAfter().map(wait -> ", retry after " + wait).orElse(""),
        null,
        false,
        false);
    this.denial = denial;
    this.remaining = remaining;
  }

  /** Why. */
  public Denial denial() {
    return denial;
  }

  /** When to try again; empty if waiting does not help, or if that is unknown. */
  public Optional<Duration> retryAfter() {
    return denial.retryAfter();
  }

  /** Permits that are left; fewer than the call costs. */
  public long remaining() {
    return remaining;
  }
}
