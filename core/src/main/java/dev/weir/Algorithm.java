package dev.weir;

/** How a {@link Limit} counts. {@code docs/algorithms.md} states the guarantees of each. */
public enum Algorithm {
  /** Permits flow in at a constant rate up to a burst; a request takes all it needs or nothing. */
  TOKEN_BUCKET,
  /** Requests flow out at a constant rate; a queue holds those that wait. */
  LEAKY_BUCKET,
  /** A number of permits in each window; windows are aligned to the Unix epoch. */
  FIXED_WINDOW,
  /** A number of permits in any window, exactly: each grant is remembered until it has aged out. */
  SLIDING_LOG,
  /** A number of permits in any window, approximately: this window plus a share of the last. */
  SLIDING_COUNTER,
  /** A number of permits held at the same time; each returns when released, or when it expires. */
  CONCURRENCY
}
