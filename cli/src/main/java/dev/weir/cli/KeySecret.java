package dev.weir.cli;

import dev.weir.key.KeySpace;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The secret that keys are made with. */
record KeySecret(String hex) {
  /** The environment variable that holds one, where no file is named. */
  static final String VARIABLE = "WEIR_KEY_SECRET";

  private static final String FLAG = "--key-secret-file";
  private static final int MAX_BYTES = 100;
  private static final String FORM = "[0-9A-Fa-f]{" + 2 * KeySpace.SECRET_BYTES + "}";
  private static final String EXPECTED = "16 bytes, or 32 hexadecimal digits";

  /** The key space of the secret in a file; without one, of a secret that everybody knows. */
  static KeySpace keys(@Nullable Path file) throws Failure {
    return file == null ? KeySpace.withSecret(new byte[KeySpace.SECRET_BYTES]) : in(file).keys();
  }

  /** The secret that a server was given, or null if it may choose. */
  static @Nullable KeySecret given(@Nullable Path file, Map<String, String> environment)
      throws Failure {
    if (file != null) {
      return in(file);
    }
    String value = environment.getOrDefault(VARIABLE, "");
    if (value.isEmpty()) {
      return null;
    }
    if (!value.matches(FORM)) {
      throw refused(VARIABLE, "32 hexadecimal digits");
    }
    return new KeySecret(value);
  }

  static KeySecret random() {
    byte[] bytes = new byte[KeySpace.SECRET_BYTES];
    new SecureRandom().nextBytes(bytes);
    return new KeySecret(HexFormat.of().formatHex(bytes));
  }

  /** The secret that a text is, or null if it is none. */
  static @Nullable KeySecret parse(String text) {
    return text.matches(FORM) ? new KeySecret(text) : null;
  }

  private static KeySecret in(Path file) throws Failure {
    byte[] bytes = Input.bytes(FLAG, file, MAX_BYTES);
    if (bytes.length == KeySpace.SECRET_BYTES) {
      return new KeySecret(HexFormat.of().formatHex(bytes));
    }
    String text = new String(bytes, StandardCharsets.ISO_8859_1).strip();
    if (!text.matches(FORM)) {
      throw refused(FLAG + ": " + file, EXPECTED);
    }
    return new KeySecret(text);
  }

  private static Failure refused(String where, String expected) {
    // Not what is in it: it is meant to be a secret.
    return new Failure(Exit.USAGE, where + ": no key secret (expected: " + expected + ")");
  }

  KeySpace keys() {
    return KeySpace.withSecret(HexFormat.of().parseHex(hex));
  }

  /** Tells two secrets apart, and neither to anybody. */
  String fingerprint() {
    try {
      byte[] bytes = HexFormat.of().parseHex(hex);
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes);
      return "sha256:" + HexFormat.of().formatHex(hash, 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }

  boolean isSame(KeySecret other) {
    return hex.equalsIgnoreCase(other.hex);
  }

  @Override
  public String toString() {
    return fingerprint();
  }
}
