package dev.weir.http;

/** What kind of character it is, where only ASCII counts. */
final class Ascii {
  private Ascii() {}

  static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  static boolean isUpper(char c) {
    return c >= 'A' && c <= 'Z';
  }

  static boolean isLower(char c) {
    return c >= 'a' && c <= 'z';
  }

  static boolean isLetterOrDigit(char c) {
    return isLower(c) || isUpper(c) || isDigit(c);
  }

  static boolean isHex(char c) {
    return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  }

  /** Whether a character may stand in the name of a method, a header or a cookie. */
  static boolean isToken(char c) {
    return isLetterOrDigit(c) || "!#$%&'*+-.^_`|~".indexOf(c) >= 0;
  }

  static boolean isToken(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (!isToken(text.charAt(i))) {
        return false;
      }
    }
    return !text.isEmpty();
  }

  static boolean hasUpper(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (isUpper(text.charAt(i))) {
        return true;
      }
    }
    return false;
  }
}
