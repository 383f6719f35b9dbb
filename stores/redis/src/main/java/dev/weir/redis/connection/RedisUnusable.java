package dev.weir.redis.connection;

/**
 * Redis cannot be used as it is configured: unreachable, too old, a replica, or closed to this
 * user. The message is one line for people.
 */
public final class RedisUnusable extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** A failure with the error of the driver as its cause. */
  public RedisUnusable(String message, Throwable cause) {
    super(message, cause);
  }

  public RedisUnusable(String message) {
    super(message);
  }
}
