package dev.weir.library;

import dev.weir.Limit;
import java.time.Duration;
import java.util.Optional;

/**
 * Why a request was denied.
 *
 * @param name of the limiter or the rule that denied it
 * @param limit the limit that was reached; empty if the caller is blocked or no limit was asked
 * @param retryAfter when to try again; empty if waiting does not help
 */
public record Denial(
    String name, Optional<Limit> limit, Reason reason, Optional<Duration> retryAfter) {

  /** The kinds of denials. */
  public enum Reason {
    /** The limit is reached; a later request may pass. */
    LIMIT_REACHED,
    /** The request costs more than the limit ever grants. */
    COST_ABOVE_LIMIT,
    /** A rule blocks this caller. */
    BLOCKED,
    /** The store did not answer, and the failure mode is to deny. */
    STORE_UNAVAILABLE
  }
}
