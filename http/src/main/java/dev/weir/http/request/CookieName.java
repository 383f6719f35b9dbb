package dev.weir.http.request;

import dev.weir.http.Ascii;

/**
 * The name of a cookie, and the other spellings that applications take for it. Immutable.
 *
 * <p>ASP.NET ignores the case of names; PHP takes a dot, a blank or a bracket for an underscore;
 * some decode escapes in names; in Python and others a blank or a comma ends the cookie before.
 * Browsers send none of that, unless an application sets cookies whose names differ in so little.
 *
 * <p>The search goes backwards from each equals sign, where a name must end. As no name contains
 * one, it reads each character once for each name.
 */
public final class CookieName {
  private final String name;

  /** A cookie with this name. */
  public CookieName(String name) {
    this.name = name;
  }

  /** Whether this part of a line is exactly the name. */
  boolean isAt(String line, int start, int end) {
    return name.length() == end - start && line.startsWith(name, start);
  }

  /**
   * Whether some application may find the name before an equals sign.
   *
   * @param start the start of the pair that contains the sign
   * @param first whether the sign is the first of the pair, so that it ends the name of the pair
   */
  boolean mayEndAt(String line, int start, int equals, boolean first) {
    int at = equals;
    while (at > start && isBlank(line.charAt(at - 1))) {
      at--;
    }
    for (int i = name.length() - 1; i >= 0; i--) {
      int width = at <= start ? 0 : width(line, start, at, name.charAt(i));
      if (width == 0) {
        return false;
      }
      at -= width;
    }
    return at == start || isSeparated(line, start, at, first);
  }

  /** How many characters before an index spell the expected one; 0 if they do not. */
  private static int width(String line, int start, int at, char expected) {
    if (at - 3 >= start && PercentEncoding.isByte(line, at - 3, at)) {
      return normalized((char) PercentEncoding.byteAt(line, at - 3)) == normalized(expected)
          ? 3
          : 0;
    }
    return normalized(line.charAt(at - 1)) == normalized(expected) ? 1 : 0;
  }

  private static boolean isSeparated(String line, int start, int at, boolean first) {
    char before = line.charAt(at - 1);
    if (isBlank(before) || before == ',') {
      return true;
    }
    boolean escaped = at - 3 >= start && PercentEncoding.isByte(line, at - 3, at);
    return first
        && (before == '+' || (escaped && isBlank((char) PercentEncoding.byteAt(line, at - 3))));
  }

  /** Whether some language trims the character; the union over all is large. */
  private static boolean isBlank(char c) {
    return c <= ' ' || c >= 0x7F;
  }

  private static char normalized(char c) {
    if (Ascii.isUpper(c)) {
      return (char) (c | 0x20);
    }
    return c == '.' || c == ' ' || c == '[' || c == '+' ? '_' : c;
  }
}
