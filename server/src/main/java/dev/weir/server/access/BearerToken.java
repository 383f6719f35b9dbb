package dev.weir.server.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/** A secret that clients show in {@code Authorization: Bearer}. */
public final class BearerToken {
  private static final String SCHEME = "Bearer ";
  private static final int MIN_CHARS = 16;
  private static final String FORM = "[!-~]{16,1024}";
  private static final String EXPECTED = "16 to 1024 letters, digits or signs, without spaces";

  private final byte[] secret;

  /**
   * Refuses what would not travel in a header, or could be guessed; without saying what it is.
   *
   * @throws IllegalArgumentException with what was expected
   */
  public static void check(String secret) {
    if (!secret.matches(FORM)) {
      String problem =
          secret.isEmpty() ? "nothing" : secret.length() < MIN_CHARS ? "too short" : "not one";
      throw new IllegalArgumentException("token: " + problem + " (expected: " + EXPECTED + ")");
    }
  }

  public BearerToken(String secret) {
    this.secret = secret.getBytes(StandardCharsets.UTF_8);
  }

  /** Whether it is in this header; how long that takes does not tell how much of it is right. */
  public boolean isIn(@Nullable String authorization) {
    if (authorization == null
        || !authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return false;
    }
    String shown = authorization.substring(SCHEME.length());
    return MessageDigest.isEqual(shown.getBytes(StandardCharsets.UTF_8), secret);
  }

  /** Never the secret. */
  @Override
  public String toString() {
    return "a token";
  }
}
