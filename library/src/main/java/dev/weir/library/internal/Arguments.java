package dev.weir.library.internal;

import dev.weir.Claim;
import dev.weir.internal.Rejections;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Checks what callers pass; what is wrong is rejected with an {@link IllegalArgumentException}.
 * Thread-safe.
 */
public final class Arguments {
  /** The maximum length of a key: more than any name or address, less than a whole document. */
  public static final int MAX_KEY_CHARS = 8_192;

  private Arguments() {}

  /** A value that is not null. */
  public static <T> T present(String field, @Nullable T value) {
    if (value == null) {
      throw Rejections.of(field, "null", "a value");
    }
    return value;
  }

  /** A key that is neither null, empty nor too long. */
  public static String key(@Nullable String key) {
    if (key == null) {
      throw Rejections.of("key", "null", "a text");
    }
    if (key.isEmpty()) {
      throw Rejections.of("key", "empty", "at least one character");
    }
    if (key.length() > MAX_KEY_CHARS) {
      // A long text is not quoted.
      throw Rejections.of(
          "key", key.length() + " characters", "at most " + MAX_KEY_CHARS + " characters");
    }
    return key;
  }

  /** A duration that is not negative. */
  public static Duration atMost(@Nullable Duration atMost) {
    Duration given = present("atMost", atMost);
    if (given.isNegative()) {
      throw Rejections.of("atMost", given, "zero or more");
    }
    return given;
  }

  /** A cost that a limit can have. */
  public static long cost(long permits) {
    Claim.checkCost(permits);
    return permits;
  }
}
