package dev.weir.http.request;

import dev.weir.http.Ascii;

/** Reads and writes percent-encoded bytes, such as {@code %2F}. */
final class PercentEncoding {
  private static final char[] HEX = "0123456789ABCDEF".toCharArray();

  private PercentEncoding() {}

  static boolean isByte(String text, int at, int end) {
    return at + 2 < end
        && text.charAt(at) == '%'
        && Ascii.isHex(text.charAt(at + 1))
        && Ascii.isHex(text.charAt(at + 2));
  }

  static int byteAt(String text, int at) {
    return Character.digit(text.charAt(at + 1), 16) << 4 | Character.digit(text.charAt(at + 2), 16);
  }

  static void escape(int value, StringBuilder out) {
    out.append('%').append(HEX[value >> 4]).append(HEX[value & 0xF]);
  }

  /** Escapes a code point below 0x10000 as UTF-8; a lone surrogate as if it were a character. */
  static void escapeAsUtf8(int codePoint, StringBuilder out) {
    if (codePoint < 0x80) {
      escape(codePoint, out);
    } else if (codePoint < 0x800) {
      escape(0xC0 | codePoint >> 6, out);
      escape(0x80 | (codePoint & 0x3F), out);
    } else {
      escape(0xE0 | codePoint >> 12, out);
      escape(0x80 | (codePoint >> 6 & 0x3F), out);
      escape(0x80 | (codePoint & 0x3F), out);
    }
  }

  /** Whether a character cannot be displayed: a control character or a lone surrogate. */
  static boolean isHidden(int codePoint) {
    return codePoint < ' '
        || (codePoint >= 0x7F && codePoint <= 0x9F)
        || (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE);
  }
}
