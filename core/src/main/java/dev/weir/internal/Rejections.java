package dev.weir.internal;

/** Exceptions for rejected values, which name the field, the value and what was expected. */
public final class Rejections {
  private Rejections() {}

  /** The exception {@code field: value (expected: …)}. */
  public static IllegalArgumentException of(String field, Object value, String expected) {
    return new IllegalArgumentException(field + ": " + value + " (expected: " + expected + ")");
  }

  /**
   * Returns the value.
   *
   * @throws IllegalArgumentException if it is not between {@code min} and {@code max}
   */
  public static long between(String field, long value, long min, long max) {
    if (value < min || value > max) {
      throw of(field, value, "between " + min + " and " + max);
    }
    return value;
  }
}
