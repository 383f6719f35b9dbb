package dev.weir.cli.store;

import dev.weir.cli.command.ExitCode;
import dev.weir.cli.command.Failure;
import dev.weir.cli.command.Input;
import dev.weir.key.KeySecret;
import dev.weir.key.KeySpace;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the key secret from a file or from the environment. */
public final class KeySecretSource {
  /** The environment variable with the secret, read if no file is given. */
  static final String VARIABLE = "WEIR_KEY_SECRET";

  private static final String FLAG = "--key-secret-file";
  private static final int MAX_BYTES = 100;
  private static final String EXPECTED = "16 bytes, or 32 hexadecimal digits";

  private KeySecretSource() {}

  /**
   * The key space of the secret in a file, or of a publicly known secret if there is no file.
   *
   * @throws Failure if the file cannot be read or holds no secret
   */
  public static KeySpace keys(@Nullable Path file) throws Failure {
    return file == null ? KeySpace.withSecret(new byte[KeySpace.SECRET_BYTES]) : read(file).keys();
  }

  /**
   * The configured secret of a server; null if none is configured.
   *
   * @throws Failure if the file cannot be read, or if it or the variable holds no secret
   */
  static @Nullable KeySecret configured(@Nullable Path file, Map<String, String> environment)
      throws Failure {
    if (file != null) {
      return read(file);
    }
    String value = environment.getOrDefault(VARIABLE, "");
    return value.isEmpty()
        ? null
        : KeySecret.parse(value).orElseThrow(() -> invalid(VARIABLE, "32 hexadecimal digits"));
  }

  private static KeySecret read(Path file) throws Failure {
    byte[] bytes = Input.bytes(FLAG, file, MAX_BYTES);
    if (bytes.length == KeySpace.SECRET_BYTES) {
      return KeySecret.of(bytes);
    }
    String text = new String(bytes, StandardCharsets.ISO_8859_1).strip();
    return KeySecret.parse(text).orElseThrow(() -> invalid(FLAG + ": " + file, EXPECTED));
  }

  private static Failure invalid(String source, String expected) {
    // The message omits the value, which may be a secret.
    return new Failure(ExitCode.USAGE, source + ": no key secret (expected: " + expected + ")");
  }
}
