package dev.weir.algorithm;

import dev.weir.Decision;

/**
 * The result of one operation on a counter: its next state, and the decision for the caller.
 *
 * <p>A state is two numbers and a log, whose meaning belongs to the algorithm: {@code level} is how
 * much is used, {@code at} when that was written, {@code log} the entries that must be remembered
 * one by one. All zeros and an empty log is the state of a counter never used. A log is never
 * modified, only replaced.
 */
@SuppressWarnings("ArrayRecordComponent") // steps are not compared, and a log is never modified
public record Step(long level, long at, long[] log, Decision decision) {
  /** The log of a counter without entries. */
  public static final long[] NO_LOG = {};
}
