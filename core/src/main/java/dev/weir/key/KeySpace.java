package dev.weir.key;

import dev.weir.LimitKey;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Makes limit keys from the parts that identify a counter, under a secret.
 *
 * <p>Each part is hashed with its length in front, so {@code ("a", "bc")} and {@code ("ab", "c")}
 * are different keys whatever the parts contain. Characters are hashed as UTF-16 code units, so
 * that text which no encoding can express keeps its own key. Without the secret it is infeasible to
 * tell whose key it is, or to find two callers that share one. Processes that share a store must
 * share the secret.
 *
 * <p>A key space has the same secret for good, except in a server that started while its store did
 * not answer: such a server {@linkplain #adopt adopts} the secret of the others when it learns it.
 *
 * <p>Safe for use by any number of threads.
 */
public final class KeySpace {
  /** The length of a secret, in bytes. */
  public static final int SECRET_BYTES = 16;

  /** The length of a {@link #code}, in bytes. */
  public static final int CODE_BYTES = 16;

  private static final String CODE_ALGORITHM = "HmacSHA256";

  // The last word of a hash names what it is a hash of, so that the two kinds never collide.
  private static final long OWNER = 2;
  private static final long COUNTER = 3;

  private volatile Secret secret;

  /** The secret before the last one was adopted. */
  private volatile @Nullable Secret former;

  private KeySpace(Secret secret) {
    this.secret = secret;
  }

  /** The secret as SipHash takes it. */
  private record Secret(long key0, long key1) {
    static Secret of(byte[] bytes) {
      if (bytes.length != SECRET_BYTES) {
        String expected = " bytes (expected: " + SECRET_BYTES + ")";
        throw new IllegalArgumentException("secret: " + bytes.length + expected);
      }
      ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      return new Secret(buffer.getLong(), buffer.getLong());
    }

    SipHash hash() {
      return new SipHash(key0, key1);
    }

    LimitKey key(String text) {
      SipHash hash = hash();
      absorb(hash, text);
      hash.finish(1, 0);
      long first = hash.firstHalf();
      return new LimitKey(first, hash.secondHalf());
    }
  }

  /**
   * A key space that derives the same keys in every process with this secret.
   *
   * @throws IllegalArgumentException if the secret is not {@link #SECRET_BYTES} long
   */
  public static KeySpace withSecret(byte[] secret) {
    return new KeySpace(Secret.of(secret));
  }

  /** A key space with a random secret, for a store that no other process shares. */
  public static KeySpace random() {
    byte[] secret = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(secret);
    return withSecret(secret);
  }

  /**
   * Changes the secret: from now on all keys are those of the processes that have this secret.
   * Counters under the former keys are not found any more.
   */
  public void adopt(KeySecret shared) {
    former = secret;
    secret = Secret.of(shared.bytes());
  }

  /** The key of the only counter of {@code owner}. */
  public LimitKey key(String owner) {
    return secret.key(owner);
  }

  /** The key of the counter {@code name} of an owner, who is identified by ordered parts. */
  public LimitKey key(String name, String... owner) {
    return owner(owner).key(name(name));
  }

  /** The owner of counters that belong together, identified by ordered parts. */
  public Owner owner(String... parts) {
    Secret current = secret;
    SipHash hash = current.hash();
    for (String part : parts) {
      absorb(hash, part);
    }
    return new Owner(current, hash, parts.length);
  }

  /** The name of a counter that many owners have: hashed once, used for every request. */
  public Name name(String name) {
    return new Name(name, secret);
  }

  /** The name of a counter, with its hash under the last secret that was used. */
  public static final class Name {
    private final String text;
    private volatile Hashed hashed;

    private record Hashed(Secret secret, LimitKey hash) {
      Hashed(Secret secret, String text) {
        this(secret, secret.key(text));
      }
    }

    private Name(String text, Secret secret) {
      this.text = text;
      this.hashed = new Hashed(secret, text);
    }

    @SuppressWarnings("ReferenceEquality") // a secret that was adopted is another object
    private LimitKey under(Secret secret) {
      Hashed known = hashed;
      if (known.secret != secret) {
        known = new Hashed(secret, text);
        hashed = known;
      }
      return known.hash;
    }
  }

  /**
   * The owner of counters that belong together: all of their keys have the same upper half, so that
   * a store may keep them on one shard. The hash of the owner is computed once for all of them.
   *
   * <p>Immutable.
   */
  public static final class Owner {
    private final Secret secret;
    private final SipHash parts;
    private final long high;

    private Owner(Secret secret, SipHash parts, int count) {
      SipHash whole = new SipHash(parts);
      whole.finish(OWNER, count);
      this.secret = secret;
      this.parts = parts;
      this.high = whole.firstHalf();
    }

    /** The upper half of all keys of the owner: it identifies the owner, and reveals nothing. */
    public long hash() {
      return high;
    }

    /** The key of the owner's counter of this name. */
    public LimitKey key(Name name) {
      LimitKey hashed = name.under(secret);
      SipHash hash = new SipHash(parts);
      hash.word(hashed.high());
      hash.word(hashed.low());
      hash.finish(COUNTER, 0);
      return new LimitKey(high, hash.firstHalf());
    }

    /**
     * A number as good as random, which is always the same for this owner and this name: it draws
     * lots without keeping them.
     */
    public long lot(Name name) {
      return high ^ name.under(secret).low();
    }
  }

  /**
   * A message authentication code under the secret: HMAC-SHA-256, truncated to its first half.
   *
   * @param purpose the purpose of such messages, in plain letters: a code for one purpose is never
   *     valid for another
   */
  public byte[] code(String purpose, byte[] message) {
    return code(secret, purpose, message);
  }

  /**
   * Whether a code is that of a message, under the secret or the one before it was {@linkplain
   * #adopt adopted}. The time that this takes does not depend on the code.
   */
  public boolean isCode(String purpose, byte[] message, byte[] code) {
    Secret before = former;
    return MessageDigest.isEqual(code, code(secret, purpose, message))
        || (before != null && MessageDigest.isEqual(code, code(before, purpose, message)));
  }

  private static byte[] code(Secret current, String purpose, byte[] message) {
    byte[] bytes =
        ByteBuffer.allocate(SECRET_BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(current.key0)
            .putLong(current.key1)
            .array();
    try {
      Mac mac = Mac.getInstance(CODE_ALGORITHM);
      mac.init(new SecretKeySpec(bytes, CODE_ALGORITHM));
      mac.update(purpose.getBytes(StandardCharsets.UTF_8));
      mac.update((byte) 0);
      return Arrays.copyOf(mac.doFinal(message), CODE_BYTES);
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e); // every Java platform has this algorithm
    }
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
