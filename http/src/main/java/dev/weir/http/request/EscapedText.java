package dev.weir.http.request;

/**
 * Iterates over the characters of a text with percent-encoded UTF-8: {@code %C3%A9}.
 *
 * <p>A server may also have passed on the raw bytes of a character, each as a character below
 * U+0100. Then the bytes that encode a character together are that character, whether escaped or
 * raw.
 */
final class EscapedText {
  private final String text;
  private final int end;
  private final boolean bytes;
  private int at;
  private int value;
  private Form form = Form.PLAIN;

  /** How a character is written. */
  enum Form {
    /** A character as it is, or as raw bytes. */
    PLAIN,
    /** A character that is escaped, at least in part. */
    ESCAPED,
    /** An escaped byte that is not part of a character. */
    BYTE,
    /** The start of an overlong encoding, which made some decoders see ASCII. */
    OVERLONG
  }

  /**
   * Starts before the first character.
   *
   * @param bytes whether characters below U+0100 are raw bytes where they encode another together
   */
  EscapedText(String text, int start, int end, boolean bytes) {
    this.text = text;
    this.at = start;
    this.end = end;
    this.bytes = bytes;
  }

  /** Moves to the next character; false if there is none. */
  boolean next() {
    if (at >= end) {
      return false;
    }
    int first = byteAt(at);
    if (first < 0) {
      value = text.codePointAt(at);
      form = Form.PLAIN;
      at += Character.charCount(value);
      return true;
    }
    boolean escaped = text.charAt(at) == '%';
    if (first < 0x80) {
      set(first, Form.ESCAPED, width(at));
      return true;
    }
    int second = at + width(at) < end ? byteAt(at + width(at)) : -1;
    if (isOverlong(first, second)) {
      set(first, Form.OVERLONG, width(at));
    } else if (!decode(first)) {
      set(first, escaped ? Form.BYTE : Form.PLAIN, width(at));
    }
    return true;
  }

  int value() {
    return value;
  }

  Form form() {
    return form;
  }

  private void set(int newValue, Form newForm, int width) {
    value = newValue;
    form = newForm;
    at += width;
  }

  /** Moves to the character that the bytes from here encode; false if they encode none. */
  private boolean decode(int first) {
    int length = first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
    if (length == 0) {
      return false;
    }
    int codePoint = first & (0x7F >> length);
    int next = at + width(at);
    boolean escaped = width(at) == 3;
    for (int i = 1; i < length; i++) {
      int more = next < end ? byteAt(next) : -1;
      if ((more & 0xC0) != 0x80 || more < 0) {
        return false;
      }
      escaped |= width(next) == 3;
      codePoint = codePoint << 6 | (more & 0x3F);
      next += width(next);
    }
    boolean half = codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    if (half || codePoint > Character.MAX_CODE_POINT) {
      return false;
    }
    set(codePoint, escaped ? Form.ESCAPED : Form.PLAIN, next - at);
    return true;
  }

  private static boolean isOverlong(int first, int second) {
    return (second & 0xC0) == 0x80
        && second >= 0
        && (first == 0xC0
            || first == 0xC1
            || (first == 0xE0 && second < 0xA0)
            || (first == 0xF0 && second < 0x90));
  }

  /** The byte at an index, escaped or raw; -1 if there is a character. */
  private int byteAt(int index) {
    char c = text.charAt(index);
    if (c == '%' && PercentEncoding.isByte(text, index, end)) {
      return PercentEncoding.byteAt(text, index);
    }
    return bytes && c >= 0x80 && c <= 0xFF ? c : -1;
  }

  private int width(int index) {
    return text.charAt(index) == '%' ? 3 : 1;
  }
}
