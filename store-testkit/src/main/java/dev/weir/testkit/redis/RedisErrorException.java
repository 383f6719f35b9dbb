package dev.weir.testkit.redis;

/** Redis answered with an error; the message is its text, such as {@code ERR unknown command}. */
public final class RedisErrorException extends RuntimeException {
  RedisErrorException(String text) {
    super(text);
  }
}
