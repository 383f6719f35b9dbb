package dev.weir.redis;

import java.time.Duration;

/**
 * By when a request is answered, on a {@link StallClock}.
 *
 * @param nanos by the clock that stands still while this process is stalled
 * @param graceNanos how much later where the machine is busy
 * @param latestNanos by {@link System#nanoTime}, whatever the other one says: a process that is
 *     stalled for good answers nevertheless
 */
record Deadline(long nanos, long graceNanos, long latestNanos) {
  /** By so much the clock may stand still, or grace be given, before a request fails anyhow. */
  static final Duration MAX_EXTENSION = Duration.ofSeconds(1);
}
