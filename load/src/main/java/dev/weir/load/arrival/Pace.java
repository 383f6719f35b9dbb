package dev.weir.load.arrival;

/**
 * When requests are due, in nanoseconds since the start of the run.
 *
 * <p>Used by one thread.
 */
public interface Pace {
  /** Stands for a time that does not come: nothing is due until a request completes, or ever. */
  long NEVER = Long.MAX_VALUE;

  /** When the next request is due; {@link #NEVER} if none is until another completes. */
  long nextDueNanos();

  /** Takes the request that is due next, and returns when it was due. */
  long take();

  /** Notes that a request completed, in whatever way. */
  void onComplete(long nowNanos);
}
