package dev.weir.http;

/** Words for a wrong value: the field, the value, and what was expected. */
final class Refusal {
  private Refusal() {}

  static IllegalArgumentException of(String field, Object value, String expected) {
    return new IllegalArgumentException(field + ": " + value + " (expected: " + expected + ")");
  }

  static void between(String field, int value, int least, int most) {
    if (value < least || value > most) {
      throw of(field, value, "between " + least + " and " + most);
    }
  }
}
