package dev.weir.redis.batch;

import java.time.Duration;

/**
 * The time by which a request is answered, on a {@link StallClock}.
 *
 * @param nanos on the clock that stands still while this process is stalled
 * @param graceNanos how much later it is while the machine is busy
 * @param latestNanos on {@link System#nanoTime}, whatever the other clock says, so that a process
 *     that is permanently stalled answers nevertheless
 */
public record Deadline(long nanos, long graceNanos, long latestNanos) {
  /** How far a standing clock and grace together can extend a deadline. */
  static final Duration MAX_EXTENSION = Duration.ofSeconds(1);
}
