package dev.weir.gateway.cost;

import java.util.OptionalLong;

/** A JSON number, read byte by byte as a whole number. Not thread-safe. */
final class ScannedNumber {
  private long value;
  private boolean usable;
  private boolean fraction;
  private boolean roundUp;

  /** The number that a whole text is; empty if it is none, or not usable. */
  static OptionalLong parse(String text) {
    ScannedNumber number = new ScannedNumber();
    number.begin();
    for (int i = 0; i < text.length(); i++) {
      char next = text.charAt(i);
      if (next > 'e' || !number.add((byte) next)) {
        return OptionalLong.empty();
      }
    }
    boolean begun = !text.isEmpty() && text.charAt(0) != '.';
    return begun && number.usable ? OptionalLong.of(number.roundedUp()) : OptionalLong.empty();
  }

  void begin() {
    value = 0;
    usable = true;
    fraction = false;
    roundUp = false;
  }

  /** Adds a byte; false if it is no part of a number. */
  boolean add(byte next) {
    if (next >= '0' && next <= '9') {
      if (fraction) {
        roundUp |= next != '0';
      } else {
        value = Math.min(Usage.MAX_TOKENS, 10 * value + (next - '0'));
      }
      return true;
    }
    if (next == '.') {
      fraction = true;
      return true;
    }
    boolean part = next == '-' || next == '+' || next == 'e' || next == 'E';
    usable &= !part; // negative, or too large or small to be a cost
    return part;
  }

  /** Whether it is neither negative nor written with an exponent. */
  boolean isUsable() {
    return usable;
  }

  long roundedUp() {
    return Math.min(Usage.MAX_TOKENS, value + (roundUp ? 1 : 0));
  }
}
