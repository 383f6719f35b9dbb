package dev.weir;

/** How a {@link Limit} counts. What each one promises is in {@code docs/algorithms.md}. */
public enum Algorithm {
  /** Permits flow in at a constant rate up to a burst; a request takes what it needs or nothing. */
  TOKEN_BUCKET,
  /** Requests flow out at a constant rate; a queue holds the ones that wait their turn. */
  LEAKY_BUCKET,
  /** So many permits in each window; windows are aligned to the Unix epoch. */
  FIXED_WINDOW,
  /** So many permits in any window, exactly: every grant is remembered until it has aged out. */
  SLIDING_LOG,
  /** So many permits in any window, approximately: this window plus a share of the last one. */
  SLIDING_COUNTER,
  /** So many permits held at the same time; each returns when released, or when it expires. */
  CONCURRENCY
}
