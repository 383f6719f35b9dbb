package dev.weir.testkit.redis;

/** An error reply of Redis; the message is its text, such as {@code ERR unknown command}. */
public final class RedisErrorException extends RuntimeException {
  RedisErrorException(String text) {
    super(text);
  }
}
