package dev.weir.server.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A secret that clients present in {@code Authorization: Bearer}. Immutable and thread-safe. */
public final class BearerToken {
  private static final String SCHEME = "Bearer ";
  private static final int MIN_CHARS = 16;
  private static final String FORM = "[!-~]{16,1024}";
  private static final String EXPECTED = "16 to 1024 letters, digits or signs, without spaces";

  private final byte[] secret;

  /**
   * Rejects a secret that cannot be sent in a header or is short enough to guess.
   *
   * @throws IllegalArgumentException if it is one; the message never contains the secret
   */
  public static void check(String secret) {
    if (!secret.matches(FORM)) {
      String problem =
          secret.isEmpty() ? "nothing" : secret.length() < MIN_CHARS ? "too short" : "not one";
      throw new IllegalArgumentException("token: " + problem + " (expected: " + EXPECTED + ")");
    }
  }

  /** Wraps a secret that passes {@link #check}. */
  public BearerToken(String secret) {
    this.secret = secret.getBytes(StandardCharsets.UTF_8);
  }

  /** Whether the header carries this token; compares in constant time. */
  public boolean isIn(@Nullable String authorization) {
    return presented(authorization).filter(this::matches).isPresent();
  }

  /** The text that a client presents as a token; empty if the header has none. */
  static Optional<String> presented(@Nullable String authorization) {
    if (authorization == null
        || !authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return Optional.empty();
    }
    return Optional.of(authorization.substring(SCHEME.length()));
  }

  /** Whether a text is this token; compares in constant time. */
  boolean matches(String presented) {
    return MessageDigest.isEqual(presented.getBytes(StandardCharsets.UTF_8), secret);
  }

  /** Never the secret. */
  @Override
  public String toString() {
    return "a token";
  }
}
