package dev.weir.http.jwt;

import dev.weir.http.Ascii;

/**
 * Classifies a text at the location of a token by its characters alone.
 *
 * <p>Many base64url decoders drop characters outside the alphabet, such as blanks and padding, and
 * the unused bits of the last character. So the owner of one token could spell it in any number of
 * ways, each of which misses the cache and is good to some application. Only the one spelling that
 * issuers write is verified.
 */
enum TokenText {
  /** Header, payload and signature: to be verified. */
  SIGNED,
  /** A header and a payload with an empty signature. */
  UNSIGNED,
  /** The five parts of an encrypted token. */
  ENCRYPTED,
  /** Another spelling of a token, or a token and more: only some applications accept it. */
  AMBIGUOUS,
  /** No JWT to any application; perhaps an opaque token. */
  OTHER;

  private static final int SIGNED_DOTS = 2;
  private static final int ENCRYPTED_DOTS = 4;

  /** The start of every token that issuers write: the base64url letters for <code>{"</code>. */
  private static final String HEADER_PREFIX = "eyJ";

  /** Classifies a text. */
  static TokenText of(String text) {
    int dots = 0;
    int start = 0;
    boolean canonical = true;
    boolean empty = false;
    for (int i = 0; i <= text.length(); i++) {
      char c = i < text.length() ? text.charAt(i) : '.';
      if (c == '.') {
        boolean last = i == text.length();
        dots += last ? 0 : 1;
        empty |= i == start && !last;
        canonical &= isWholeBytes(text, start, i);
        start = i + 1;
      } else {
        canonical &= digit(c) >= 0;
      }
    }
    if (dots < SIGNED_DOTS) {
      return OTHER;
    }
    if (!canonical || (empty && dots != ENCRYPTED_DOTS)) {
      return AMBIGUOUS;
    }
    boolean ends = text.endsWith(".");
    return switch (dots) {
      case SIGNED_DOTS -> ends ? UNSIGNED : SIGNED;
      case ENCRYPTED_DOTS -> ends ? AMBIGUOUS : ENCRYPTED; // an empty key: direct encryption
      default -> AMBIGUOUS;
    };
  }

  /** Whether the bits of a part are whole bytes and the unused bits are zero. */
  private static boolean isWholeBytes(String text, int start, int end) {
    int remainder = (end - start) % 4;
    if (remainder < 2) {
      return remainder == 0;
    }
    return (digit(text.charAt(end - 1)) & (remainder == 2 ? 0b1111 : 0b11)) == 0;
  }

  /** The six bits that a base64url character encodes; negative for other characters. */
  private static int digit(char c) {
    if (Ascii.isUpper(c)) {
      return c - 'A';
    }
    if (Ascii.isLower(c)) {
      return c - 'a' + 26;
    }
    if (Ascii.isDigit(c)) {
      return c - '0' + 52;
    }
    return c == '-' ? 62 : c == '_' ? 63 : -1;
  }

  /** Whether the text contains something like a signed token anywhere. */
  static boolean containsToken(String text) {
    int from = text.indexOf(HEADER_PREFIX);
    while (from >= 0) {
      int first = partEnd(text, from);
      int second = isDot(text, first) ? partEnd(text, first + 1) : first;
      if (second > first + 1 && isDot(text, second)) {
        return true;
      }
      from = text.indexOf(HEADER_PREFIX, second);
    }
    return false;
  }

  private static boolean isDot(String text, int at) {
    return at < text.length() && text.charAt(at) == '.';
  }

  private static int partEnd(String text, int start) {
    int end = start;
    while (end < text.length() && digit(text.charAt(end)) >= 0) {
      end++;
    }
    return end;
  }
}
