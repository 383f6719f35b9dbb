package dev.weir;

/** Words for a wrong value: the field, the value, and what was expected. */
final class Refusal {
  private Refusal() {}

  static IllegalArgumentException of(String field, Object value, String expected) {
    return new IllegalArgumentException(field + ": " + value + " (expected: " + expected + ")");
  }

  static long between(String field, long value, long least, long most) {
    if (value < least || value > most) {
      throw of(field, value, "between " + least + " and " + most);
    }
    return value;
  }
}
