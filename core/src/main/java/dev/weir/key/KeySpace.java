package dev.weir.key;

import dev.weir.LimitKey;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.SecureRandom;

/**
 * Makes limit keys from the parts that identify a counter, under a secret.
 *
 * <p>Each part is hashed with its length in front, so {@code ("a", "bc")} and {@code ("ab", "c")}
 * are different keys whatever the parts contain. Characters are hashed as they stand in memory, so
 * that text which no encoding can express keeps its own key. Without the secret nobody can tell
 * whose key it is, or find two callers that share one. Processes that share a store must share the
 * secret.
 */
public final class KeySpace {
  /** The length of a secret. */
  public static final int SECRET_BYTES = 16;

  private final long key0;
  private final long key1;

  private KeySpace(long key0, long key1) {
    this.key0 = key0;
    this.key1 = key1;
  }

  /** A space whose keys are the same wherever the secret is. */
  public static KeySpace withSecret(byte[] secret) {
    if (secret.length != SECRET_BYTES) {
      String expected = " bytes (expected: " + SECRET_BYTES + ")";
      throw new IllegalArgumentException("secret: " + secret.length + expected);
    }
    ByteBuffer buffer = ByteBuffer.wrap(secret).order(ByteOrder.LITTLE_ENDIAN);
    return new KeySpace(buffer.getLong(), buffer.getLong());
  }

  /** A space of its own, for a store that nobody else uses. */
  public static KeySpace random() {
    byte[] secret = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(secret);
    return withSecret(secret);
  }

  /** The key of a counter identified by one part. */
  public LimitKey key(String part) {
    SipHash hash = new SipHash(key0, key1);
    absorb(hash, part);
    return finish(hash, 1);
  }

  /** The key of a counter identified by two parts, most often a name and a value. */
  public LimitKey key(String name, String value) {
    SipHash hash = new SipHash(key0, key1);
    absorb(hash, name);
    absorb(hash, value);
    return finish(hash, 2);
  }

  /** The key of a counter identified by several parts, in order. */
  public LimitKey key(String... parts) {
    SipHash hash = new SipHash(key0, key1);
    for (String part : parts) {
      absorb(hash, part);
    }
    return finish(hash, parts.length);
  }

  private static LimitKey finish(SipHash hash, int parts) {
    hash.finish(parts, 0);
    long first = hash.firstHalf();
    return new LimitKey(first, hash.secondHalf());
  }

  private static void absorb(SipHash hash, String part) {
    int length = part.length();
    hash.word(length);
    int i = 0;
    for (; i + 4 <= length; i += 4) {
      hash.word(
          part.charAt(i)
              | (long) part.charAt(i + 1) << 16
              | (long) part.charAt(i + 2) << 32
              | (long) part.charAt(i + 3) << 48);
    }
    if (i < length) {
      long rest = part.charAt(i);
      for (int shift = 16; ++i < length; shift += 16) {
        rest |= (long) part.charAt(i) << shift;
      }
      hash.word(rest);
    }
  }
}
