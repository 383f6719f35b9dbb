package dev.weir.redis;

import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.key.KeySpace;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * What counters are called in Redis: {@code w:{AbCdEfGhIjK}LmNoPqRsTuV}, the two halves of the key.
 *
 * <p>What is between the braces is the same for all counters of one caller, so that a cluster keeps
 * them in one slot. Nothing a client sends is in it, but for a hash.
 */
final class Keys {
  private static final byte[] DIGITS =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
          .getBytes(StandardCharsets.US_ASCII);

  /** How many digits 64 bits have. */
  private static final int HALF = 11;

  /** Numbers in a script have 53 bits. */
  private static final long MASK = (1L << 52) - 1;

  private static final KeySpace NUMBERS = KeySpace.withSecret(new byte[KeySpace.SECRET_BYTES]);

  private final byte[] prefix;

  Keys(String prefix) {
    this.prefix = prefix.getBytes(StandardCharsets.UTF_8);
  }

  byte[] name(LimitKey key) {
    byte[] name = Arrays.copyOf(prefix, prefix.length + 2 * HALF + 2);
    name[prefix.length] = '{';
    digits(key.high(), name, prefix.length + 1);
    name[prefix.length + 1 + HALF] = '}';
    digits(key.low(), name, prefix.length + 2 + HALF);
    return name;
  }

  /** Base64 as URLs have it, without padding. */
  private static void digits(long half, byte[] name, int from) {
    for (int i = 0; i < HALF - 1; i++) {
      name[from + i] = DIGITS[(int) (half >>> (58 - 6 * i)) & 63];
    }
    name[from + HALF - 1] = DIGITS[(int) (half << 2) & 63];
  }

  /** What a counter says first: under which limit it was written. */
  byte[] head(Limit limit) {
    Packer packer = new Packer();
    LongStream.of(told(limit)).forEach(packer::number);
    return packer.sequence();
  }

  /** The numbers that tell a limit, as far as counters depend on it. */
  long[] told(Limit limit) {
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET -> told(1, limit, limit.capacity());
      case LEAKY_BUCKET -> told(2, limit, limit.capacity());
      case FIXED_WINDOW ->
          told(3, limit, limit.calendar().map(window -> number(window.toString())).orElse(0L));
      case SLIDING_LOG -> told(4, limit, 0);
      case SLIDING_COUNTER -> told(5, limit, 0);
      case CONCURRENCY -> told(6, limit, 0);
    };
  }

  private static long[] told(int algorithm, Limit limit, long third) {
    return new long[] {algorithm, limit.permits(), limit.windowMicros(), third};
  }

  /** A number for a text, the same everywhere, never 0. */
  private static long number(String text) {
    return Math.max(1, NUMBERS.key(text).low() & MASK);
  }
}
