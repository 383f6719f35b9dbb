package dev.weir.cli;

import dev.weir.key.KeySpace;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** The secret that keys are made with. */
final class KeySecret {
  private static final int MOST_BYTES = 100;

  private KeySecret() {}

  /** The key space of the secret in a file; without one, of a secret that everybody knows. */
  static KeySpace keys(@Nullable Path file) throws Failure {
    if (file == null) {
      return KeySpace.withSecret(new byte[KeySpace.SECRET_BYTES]);
    }
    byte[] bytes = Input.bytes(file, MOST_BYTES);
    if (bytes.length == KeySpace.SECRET_BYTES) {
      return KeySpace.withSecret(bytes);
    }
    String text = new String(bytes, StandardCharsets.ISO_8859_1).strip();
    if (text.matches("[0-9A-Fa-f]{" + 2 * KeySpace.SECRET_BYTES + "}")) {
      return KeySpace.withSecret(HexFormat.of().parseHex(text));
    }
    // Not what is in it: it is meant to be a secret.
    String expected = "16 bytes, or 32 hexadecimal digits";
    throw new Failure(Exit.USAGE, file + ": no key secret (expected: " + expected + ")");
  }
}
