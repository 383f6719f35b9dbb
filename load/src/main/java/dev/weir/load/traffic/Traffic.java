package dev.weir.load.traffic;

/**
 * Which request is sent next.
 *
 * <p>Used by one thread.
 */
public interface Traffic {
  /** The next request. */
  Request next();
}
