package dev.weir.algorithm;

import dev.weir.Decision;

/**
 * One step of a counter: its state afterwards, and what the caller is told.
 *
 * <p>A state is two numbers and a log, whose meaning belongs to the algorithm: {@code level} is how
 * much is used, {@code at} when that was written, {@code log} what must be remembered one by one.
 * All zeros and an empty log is the state of a counter never used. A log is never modified, only
 * replaced.
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares steps, and a log is never modified
public record Step(long level, long at, long[] log, Decision decision) {
  /** The log of a counter that remembers nothing one by one. */
  public static final long[] NO_LOG = {};
}
