package dev.weir.http;

/**
 * The name of a cookie, and what else applications take for it.
 *
 * <p>ASP.NET compares names in any case; PHP takes a dot, a blank or a bracket for an underscore,
 * and some undo escapes in names; to Python and others a blank or a comma is enough to end the
 * cookie before. Browsers send none of that, as long as no application sets cookies whose names
 * differ in so little.
 *
 * <p>Looked for backwards from each equals sign, where a name must end: as no name has one, each
 * character is looked at once for each name.
 */
final class CookieName {
  private final String name;

  CookieName(String name) {
    this.name = name;
  }

  /** Whether that part of a line is the name itself. */
  boolean isAt(String line, int start, int end) {
    return name.length() == end - start && line.startsWith(name, start);
  }

  /**
   * Whether somebody may find the name in front of an equals sign.
   *
   * @param start where the pair begins that the sign is in
   * @param first whether the sign is the first of the pair, so that it is behind the pair's name
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

  /** How many characters before an index may stand for the one wanted; 0 if they do not. */
  private static int width(String line, int start, int at, char wanted) {
    if (at - 3 >= start && Percent.isByte(line, at - 3, at)) {
      return lowerCase((char) Percent.byteAt(line, at - 3)) == lowerCase(wanted) ? 3 : 0;
    }
    return lowerCase(line.charAt(at - 1)) == lowerCase(wanted) ? 1 : 0;
  }

  private static boolean isSeparated(String line, int start, int at, boolean first) {
    char before = line.charAt(at - 1);
    if (isBlank(before) || before == ',') {
      return true;
    }
    boolean escaped = at - 3 >= start && Percent.isByte(line, at - 3, at);
    return first && (before == '+' || (escaped && isBlank((char) Percent.byteAt(line, at - 3))));
  }

  /** What some language or other trims: more than one would think. */
  private static boolean isBlank(char c) {
    return c <= ' ' || c >= 0x7F;
  }

  private static char lowerCase(char c) {
    if (Ascii.isUpper(c)) {
      return (char) (c | 0x20);
    }
    return c == '.' || c == ' ' || c == '[' || c == '+' ? '_' : c;
  }
}
