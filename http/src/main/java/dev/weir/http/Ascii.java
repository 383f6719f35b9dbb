package dev.weir.http;

/** Classifies ASCII characters; characters beyond ASCII belong to no class. */
public final class Ascii {
  private Ascii() {}

  /** Whether the character is one of {@code 0-9}. */
  public static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /** Whether the character is one of {@code A-Z}. */
  public static boolean isUpper(char c) {
    return c >= 'A' && c <= 'Z';
  }

  /** Whether the character is one of {@code a-z}. */
  public static boolean isLower(char c) {
    return c >= 'a' && c <= 'z';
  }

  /** The character, in lower case if it is one of {@code A-Z}. */
  public static char toLower(char c) {
    return isUpper(c) ? (char) (c + ('a' - 'A')) : c;
  }

  /** Whether the character is one of {@code A-Z}, {@code a-z} and {@code 0-9}. */
  public static boolean isLetterOrDigit(char c) {
    return isLower(c) || isUpper(c) || isDigit(c);
  }

  /** Whether the character is a hexadecimal digit, in either case. */
  public static boolean isHex(char c) {
    return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  }

  /** Whether the character is a {@code tchar} of RFC 9110: methods, header and cookie names. */
  public static boolean isToken(char c) {
    return isLetterOrDigit(c) || "!#$%&'*+-.^_`|~".indexOf(c) >= 0;
  }

  /** Whether the text is a {@code token} of RFC 9110; an empty text is none. */
  public static boolean isToken(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (!isToken(text.charAt(i))) {
        return false;
      }
    }
    return !text.isEmpty();
  }

  /** Whether the text contains one of {@code A-Z}. */
  public static boolean hasUpper(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (isUpper(text.charAt(i))) {
        return true;
      }
    }
    return false;
  }
}
