package dev.weir.http;

/** Escapes like {@code %C3%A9}, and the characters that they spell in UTF-8. */
final class Percent {
  private Percent() {}

  static boolean isByte(String text, int at, int end) {
    return at + 2 < end
        && text.charAt(at) == '%'
        && Ascii.isHex(text.charAt(at + 1))
        && Ascii.isHex(text.charAt(at + 2));
  }

  static int byteAt(String text, int at) {
    return Character.digit(text.charAt(at + 1), 16) << 4 | Character.digit(text.charAt(at + 2), 16);
  }

  /**
   * How many escapes from here spell one character; 0 if they spell none, being cut short, too long
   * for what they spell, half a surrogate pair, or beyond Unicode.
   */
  static int utf8Length(String text, int at, int end) {
    int first = byteAt(text, at);
    if (first < 0x80) {
      return 1;
    }
    int length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
    for (int i = 1; i < length; i++) {
      int next = at + 3 * i;
      if (!isByte(text, next, end) || (byteAt(text, next) & 0xC0) != 0x80) {
        return 0;
      }
    }
    if (length < 3) {
      return length;
    }
    int codePoint = codePoint(text, at, length);
    boolean tooLong = codePoint < (length == 3 ? 0x800 : 0x10000);
    boolean half = codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    return tooLong || half || codePoint > Character.MAX_CODE_POINT ? 0 : length;
  }

  /** The character that as many escapes spell. */
  static int codePoint(String text, int at, int length) {
    int first = byteAt(text, at);
    int codePoint = length == 1 ? first : first & (0x7F >> length);
    for (int i = 1; i < length; i++) {
      codePoint = codePoint << 6 | (byteAt(text, at + 3 * i) & 0x3F);
    }
    return codePoint;
  }
}
