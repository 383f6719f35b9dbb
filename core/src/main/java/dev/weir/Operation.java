package dev.weir;

/** An operation of a {@link Store} on claims; the store has a method of the same name for each. */
public enum Operation {
  /** Takes all claims, or none. */
  TAKE,
  /** Answers what {@link #TAKE} would answer, and spends nothing. */
  PEEK,
  /** Returns what was taken. */
  REFUND,
  /** Takes whether or not there is room. */
  CHARGE,
  /** Sets counters to the state of never having been used. */
  RESET
}
