package dev.weir.load.traffic;

import org.jspecify.annotations.Nullable;

/**
 * Who sends the requests: {@code caller-1}, {@code caller-2} and so on.
 *
 * @param count how many there are
 * @param header the header that names the caller; null for none
 */
public record Callers(int count, @Nullable String header) {
  /** The most callers that a mix may have. */
  public static final int MAX_COUNT = 10_000_000;

  /** One caller without a header. */
  public static final Callers ONE = new Callers(1, null);

  /** The name of a caller. */
  static String name(int number) {
    return "caller-" + number;
  }
}
