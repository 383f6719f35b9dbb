package dev.weir.replay.result;

/**
 * When the requests of one second arrived, where the log tells the second alone. Nobody knows; so a
 * replay tries several, and reports the range.
 */
public enum Spread {
  /** All at the start of the second: the hardest case for a limit. */
  START,
  /** Evenly over the second, in the order of the lines: the easiest case. */
  EVEN,
  /** At random moments of the second, in the order of the lines. */
  RANDOM
}
