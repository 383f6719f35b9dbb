package dev.weir.redis;

/** Redis cannot be used as it is: the reason, in one line for people. */
public final class RedisUnusable extends RuntimeException {
  private static final long serialVersionUID = 1;

  RedisUnusable(String message, Throwable cause) {
    super(message, cause);
  }

  RedisUnusable(String message) {
    super(message);
  }
}
