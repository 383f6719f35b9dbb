package dev.weir.redis.connection;

import org.jspecify.annotations.Nullable;

/**
 * Redis cannot be used: unreachable, too old, a replica, or closed to this user. The message is one
 * line for people.
 */
public final class RedisUnusable extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final boolean temporary;

  private RedisUnusable(String message, @Nullable Throwable cause, boolean temporary) {
    super(message, cause);
    this.temporary = temporary;
  }

  /** A failure that lasts until somebody changes the configuration, here or in Redis. */
  public RedisUnusable(String message) {
    super(message);
    this.temporary = false;
  }

  /** A failure that lasts until somebody changes the configuration, here or in Redis. */
  public RedisUnusable(String message, Throwable cause) {
    this(message, cause, false);
  }

  /** A failure to connect or to get an answer, which is temporary if its cause is. */
  public static RedisUnusable because(String message, @Nullable Throwable cause) {
    return new RedisUnusable(message, cause, RedisFailures.isTemporary(cause));
  }

  /**
   * Whether waiting may help: nothing answers at the address, or Redis answers that it is not ready
   * yet. An unknown host is temporary, because in some networks a server that is down has no name.
   */
  public boolean isTemporary() {
    return temporary;
  }
}
