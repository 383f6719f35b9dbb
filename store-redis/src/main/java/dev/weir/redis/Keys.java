package dev.weir.redis;

import dev.weir.LimitKey;
import dev.weir.key.KeySpace;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * What counters are called in Redis: {@code w:{AbCdEfGhIjK}LmNoPqRsTuV}, the two halves of the key.
 *
 * <p>What is between the braces is the same for all counters of one caller, so that a cluster keeps
 * them in one slot. Nothing a client sends is in it, but for a hash.
 */
final class Keys {
  private static final Base64.Encoder DIGITS = Base64.getUrlEncoder().withoutPadding();

  /** Numbers in a script have 53 bits. */
  private static final long MASK = (1L << 52) - 1;

  private static final KeySpace NUMBERS = KeySpace.withSecret(new byte[KeySpace.SECRET_BYTES]);

  private final byte[] prefix;

  Keys(String prefix) {
    this.prefix = prefix.getBytes(StandardCharsets.UTF_8);
  }

  byte[] name(LimitKey key) {
    ByteBuffer name = ByteBuffer.allocate(prefix.length + 24);
    name.put(prefix).put((byte) '{').put(digits(key.high())).put((byte) '}').put(digits(key.low()));
    return name.array();
  }

  private static byte[] digits(long half) {
    return DIGITS.encode(ByteBuffer.allocate(Long.BYTES).putLong(half).array());
  }

  /** A number for a text, the same everywhere, never 0. */
  long number(String text) {
    return Math.max(1, NUMBERS.key(text).low() & MASK);
  }
}
