package dev.weir.key;

import dev.weir.internal.Rejections;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The secret under which limit keys are hashed. Servers that share counters must have the same one:
 * with two secrets there are two counters for each caller.
 *
 * <p>Immutable. {@link #toString} shows the fingerprint, never the secret.
 */
public final class KeySecret {
  private static final String FORM = "[0-9A-Fa-f]{" + 2 * KeySpace.SECRET_BYTES + "}";

  private final String hex;

  private KeySecret(String hex) {
    this.hex = hex;
  }

  /** A new random secret. */
  public static KeySecret random() {
    byte[] bytes = new byte[KeySpace.SECRET_BYTES];
    new SecureRandom().nextBytes(bytes);
    return of(bytes);
  }

  /**
   * The secret with these bytes.
   *
   * @throws IllegalArgumentException if they are not {@link KeySpace#SECRET_BYTES} many
   */
  public static KeySecret of(byte[] bytes) {
    if (bytes.length != KeySpace.SECRET_BYTES) {
      throw Rejections.of("bytes", bytes.length, Integer.toString(KeySpace.SECRET_BYTES));
    }
    return new KeySecret(HexFormat.of().formatHex(bytes));
  }

  /** The secret that a text of hexadecimal digits stands for; empty if it has another form. */
  public static Optional<KeySecret> parse(String text) {
    return text.matches(FORM) ? Optional.of(new KeySecret(text)) : Optional.empty();
  }

  /** The secret as hexadecimal digits. */
  public String hex() {
    return hex;
  }

  /** Keys under this secret. */
  public KeySpace keys() {
    return KeySpace.withSecret(bytes());
  }

  byte[] bytes() {
    return HexFormat.of().parseHex(hex);
  }

  /** A hash that tells secrets apart without revealing them. */
  public String fingerprint() {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes());
      return "sha256:" + HexFormat.of().formatHex(hash, 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e); // every Java has it
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KeySecret that && hex.equalsIgnoreCase(that.hex);
  }

  @Override
  public int hashCode() {
    return fingerprint().hashCode();
  }

  @Override
  public String toString() {
    return fingerprint();
  }
}
