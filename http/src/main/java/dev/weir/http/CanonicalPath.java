package dev.weir.http;

import org.jspecify.annotations.Nullable;

/**
 * The path of a request target in one spelling, and in a second one where servers disagree.
 *
 * <p>Scheme, authority, query and fragment are removed, escapes decoded once, matrix parameters
 * dropped, repeated slashes made one, dot segments resolved, a trailing slash dropped. What must
 * not be mistaken for a delimiter or cannot be shown stays escaped, in upper case: {@code %25},
 * {@code %3B}, {@code %3F}, {@code %23}, control characters and bytes that are not UTF-8. So two
 * paths that differ once decoded differ here, and a canonical path is its own canonical path.
 *
 * <p>Servers disagree whether {@code %2F}, {@code \} and {@code %5C} separate segments, and whether
 * {@code ;} begins parameters. In {@link #path} they do; in {@link #otherReading} all of them are
 * part of a name, and written escaped: {@code /a/..;/b} is {@code /b}, or {@code /a/..%3B/b}.
 *
 * <p>The work is linear in the length of the target. A canonical path of more than {@value
 * #MOST_CHARS} characters is cut there, so that such paths share a value if they begin alike: the
 * caller gains nothing by what it adds at the end.
 */
public final class CanonicalPath {
  /** The length at which paths are cut. */
  public static final int MOST_CHARS = 8192;

  private final String path;
  private final @Nullable String otherReading;

  private CanonicalPath(String path, @Nullable String otherReading) {
    this.path = path;
    this.otherReading = otherReading;
  }

  /** The canonical path of a request target; {@code *} stays {@code *}. */
  public static CanonicalPath of(String target, boolean caseSensitive) {
    int end = end(target);
    if (isCanonical(target, end, caseSensitive)) {
      return new CanonicalPath(target.substring(0, end), null);
    }
    AbsoluteForm absolute = AbsoluteForm.of(target);
    int start = absolute == null ? 0 : absolute.authorityEnd();
    if (absolute == null && end == 1 && target.charAt(0) == '*') {
      return new CanonicalPath("*", null);
    }
    PathReading reading = new PathReading(target, start, end, !caseSensitive, true);
    String path = reading.read();
    if (!reading.isAmbiguous()) {
      return new CanonicalPath(path, null);
    }
    String other = new PathReading(target, start, end, !caseSensitive, false).read();
    return new CanonicalPath(path, other.equals(path) ? null : other);
  }

  /**
   * A path in which upper and lower case are one, as {@link String#equalsIgnoreCase} has it.
   * Escapes stay as they are.
   */
  public static String folded(String path) {
    StringBuilder folded = new StringBuilder(path.length());
    int at = 0;
    while (at < path.length()) {
      if (Percent.isByte(path, at, path.length())) {
        folded.append(path, at, at + 3);
        at += 3;
      } else {
        int codePoint = path.codePointAt(at);
        folded.appendCodePoint(folded(codePoint));
        at += Character.charCount(codePoint);
      }
    }
    return folded.toString();
  }

  static int folded(int codePoint) {
    return Character.toLowerCase(Character.toUpperCase(codePoint));
  }

  /** The path, where every kind of slash separates segments and parameters are dropped. */
  public String path() {
    return path;
  }

  /**
   * The path where only plain slashes separate segments and semicolons are part of names; null if
   * that makes no difference.
   */
  public @Nullable String otherReading() {
    return otherReading;
  }

  @Override
  public String toString() {
    return otherReading == null ? path : path + " or " + otherReading;
  }

  private static int end(String target) {
    int query = target.indexOf('?');
    int end = query < 0 ? target.length() : query;
    int fragment = target.indexOf('#');
    return fragment < 0 ? end : Math.min(end, fragment);
  }

  /** Whether nothing needs to be done, which is so for most requests. */
  private static boolean isCanonical(String target, int end, boolean caseSensitive) {
    if (end == 0 || end > MOST_CHARS || target.charAt(0) != '/') {
      return false;
    }
    char before = 'x';
    for (int i = 0; i < end; i++) {
      char c = target.charAt(i);
      if (c < ' ' || c > '~' || c == '%' || c == ';' || c == '\\') {
        return false;
      }
      if (before == '/' && (c == '/' || c == '.')) {
        return false;
      }
      if (!caseSensitive && Ascii.isUpper(c)) {
        return false;
      }
      before = c;
    }
    return before != '/' || end == 1;
  }
}
