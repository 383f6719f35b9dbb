package dev.weir.redis.script;

import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.key.KeySpace;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * Names counters in Redis, such as {@code w:{AbCdEfGhIjK}LmNoPqRsTuV}: the two halves of the key.
 *
 * <p>The braces hold the hash tag, which is the same for all counters of one caller, so that a
 * cluster keeps them in one slot. A name contains nothing that a client sent, except as a hash.
 *
 * <p>Immutable and thread-safe.
 */
public final class RedisKeys {
  private static final byte[] DIGITS =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
          .getBytes(StandardCharsets.US_ASCII);

  /** The number of Base64 digits in 64 bits. */
  private static final int HALF_DIGITS = 11;

  /** Keeps hashes below the 53 bits that a number in a script has. */
  private static final long HASH_MASK = (1L << 52) - 1;

  private static final KeySpace HASHES = KeySpace.withSecret(new byte[KeySpace.SECRET_BYTES]);

  private final byte[] prefix;

  /** Names whose first characters are {@code prefix}. */
  public RedisKeys(String prefix) {
    this.prefix = prefix.getBytes(StandardCharsets.UTF_8);
  }

  /** The name of a counter. */
  public byte[] name(LimitKey key) {
    byte[] name = Arrays.copyOf(prefix, prefix.length + 2 * HALF_DIGITS + 2);
    name[prefix.length] = '{';
    encode(key.high(), name, prefix.length + 1);
    name[prefix.length + 1 + HALF_DIGITS] = '}';
    encode(key.low(), name, prefix.length + 2 + HALF_DIGITS);
    return name;
  }

  /** Writes URL-safe Base64 without padding. */
  private static void encode(long half, byte[] name, int from) {
    for (int i = 0; i < HALF_DIGITS - 1; i++) {
      name[from + i] = DIGITS[(int) (half >>> (58 - 6 * i)) & 63];
    }
    name[from + HALF_DIGITS - 1] = DIGITS[(int) (half << 2) & 63];
  }

  /** The first bytes of a counter's value, which identify the limit it was written under. */
  public byte[] head(Limit limit) {
    Packer packer = new Packer();
    LongStream.of(identity(limit)).forEach(packer::number);
    return packer.elements();
  }

  /** The numbers that identify a limit, as far as its counters depend on it. */
  public long[] identity(Limit limit) {
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET -> identity(1, limit, limit.capacity());
      case LEAKY_BUCKET -> identity(2, limit, limit.capacity());
      case FIXED_WINDOW ->
          identity(3, limit, limit.calendar().map(window -> hash(window.toString())).orElse(0L));
      case SLIDING_LOG -> identity(4, limit, 0);
      case SLIDING_COUNTER -> identity(5, limit, 0);
      case CONCURRENCY -> identity(6, limit, 0);
    };
  }

  private static long[] identity(int algorithm, Limit limit, long third) {
    return new long[] {algorithm, limit.permits(), limit.windowMicros(), third};
  }

  /** A number for a text: the same in every process, and never 0. */
  private static long hash(String text) {
    return Math.max(1, HASHES.key(text).low() & HASH_MASK);
  }
}
