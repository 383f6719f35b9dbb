package dev.weir.http.request;

import dev.weir.Descriptor;
import dev.weir.http.Ascii;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The path of a request target in canonical form, with further readings where servers disagree.
 * Immutable.
 *
 * <p>Scheme, authority and query are removed, escapes decoded once, parameters dropped, repeated
 * slashes collapsed, dot segments resolved, a trailing slash dropped. Characters that could be
 * mistaken for a delimiter or cannot be displayed stay escaped, in upper case: {@code %25}, {@code
 * %3B}, {@code %3F}, {@code %23}, control characters and bytes that are not UTF-8. So two paths
 * that differ once decoded differ here, and a canonical path is its own canonical path.
 *
 * <p>Servers disagree about {@code %2F}, backslashes, semicolons, dots and more: see {@link
 * PathDialect}. {@link #path} is the reading of Java servers, with every kind of slash as a
 * separator; {@link #otherReadings} are those of other servers. A path that has too many readings,
 * or more than {@value #MAX_CHARS} characters in one of them, is {@link Descriptor#UNUSABLE}, which
 * meets every rule on paths, so that no client gains by confusion.
 *
 * <p>The work is linear in the length of the target.
 */
public final class CanonicalPath {
  /** The length of the longest path that is usable. */
  public static final int MAX_CHARS = 8192;

  /** The number of characters read for all readings: few for a long path, many for a short one. */
  private static final int MAX_WORK = PathDialect.MAX_DIALECTS * MAX_CHARS;

  private static final CanonicalPath UNUSABLE = new CanonicalPath(Descriptor.UNUSABLE, List.of());

  private final String path;
  private final List<String> otherReadings;

  private CanonicalPath(String path, List<String> otherReadings) {
    this.path = path;
    this.otherReadings = otherReadings;
  }

  /** Reads the path of a request target; {@code *} stays {@code *}. */
  public static CanonicalPath of(String target, boolean caseSensitive) {
    if (Descriptor.isUnusable(target)) {
      return UNUSABLE;
    }
    int query = target.indexOf('?');
    int end = query < 0 ? target.length() : query;
    if (isCanonical(target, end, caseSensitive)) {
      return new CanonicalPath(target.substring(0, end), List.of());
    }
    if (end == 1 && target.charAt(0) == '*') {
      return new CanonicalPath("*", List.of());
    }
    AbsoluteForm absolute = AbsoluteForm.of(target);
    if (absolute == null ? hasScheme(target) : !absolute.isPlain(target)) {
      return UNUSABLE; // servers disagree where the path starts
    }
    int start = absolute == null ? 0 : absolute.authorityEnd();
    Set<String> readings = new LinkedHashSet<>();
    boolean usable = read(new PathTokens(target, start, end, false), !caseSensitive, readings);
    if (usable && hasBytes(target, start, end)) {
      usable = read(new PathTokens(target, start, end, true), !caseSensitive, readings);
    }
    if (!usable || readings.size() > PathDialect.MAX_DIALECTS) {
      return UNUSABLE;
    }
    List<String> all = List.copyOf(readings);
    return new CanonicalPath(all.get(0), all.subList(1, all.size()));
  }

  /** Adds the readings of a path; false if there are too many, or one is too long. */
  private static boolean read(PathTokens tokens, boolean ignoreCase, Set<String> readings) {
    List<PathDialect> dialects = PathDialect.of(tokens.kinds());
    boolean several = dialects.size() > 1;
    if (dialects.isEmpty() || (several && (long) tokens.size() * dialects.size() > MAX_WORK)) {
      return false;
    }
    for (PathDialect dialect : dialects) {
      String reading = new PathReading(tokens, dialect, ignoreCase).read();
      if (reading == null) {
        return false;
      }
      readings.add(reading);
    }
    return true;
  }

  /** Whether the target starts with a scheme, but has no host: {@code http:/path}. */
  private static boolean hasScheme(String target) {
    int colon = target.indexOf(':');
    int slash = target.indexOf('/');
    return colon >= 0 && (slash < 0 || colon < slash);
  }

  /** Whether the target has characters that may be raw bytes, passed on by the server. */
  private static boolean hasBytes(String target, int start, int end) {
    for (int i = start; i < end; i++) {
      if (target.charAt(i) >= 0x80 && target.charAt(i) <= 0xFF) {
        return true;
      }
    }
    return false;
  }

  /**
   * Folds the case of a path, so that two paths become equal that {@link String#equalsIgnoreCase}
   * considers equal. Escapes stay as they are.
   */
  public static String foldCase(String path) {
    StringBuilder out = new StringBuilder(path.length());
    int at = 0;
    while (at < path.length()) {
      if (PercentEncoding.isByte(path, at, path.length())) {
        out.append(path, at, at + 3);
        at += 3;
      } else {
        int codePoint = path.codePointAt(at);
        out.appendCodePoint(foldCase(codePoint));
        at += Character.charCount(codePoint);
      }
    }
    return out.toString();
  }

  static int foldCase(int codePoint) {
    return Character.toLowerCase(Character.toUpperCase(codePoint));
  }

  /**
   * The first reading: every kind of slash separates segments, and parameters extend to the next
   * slash that is not escaped. Can be {@link Descriptor#UNUSABLE}.
   */
  public String path() {
    return path;
  }

  /** The other readings that some servers make of the same target; mostly none. */
  public List<String> otherReadings() {
    return otherReadings;
  }

  /** Whether a path is one of the readings of the target. */
  public boolean hasReading(String reading) {
    return path.equals(reading) || otherReadings.contains(reading);
  }

  /** All readings. */
  @Override
  public String toString() {
    return otherReadings.isEmpty() ? path : path + " or " + String.join(" or ", otherReadings);
  }

  /** Whether the target is canonical already, as it is for most requests. */
  private static boolean isCanonical(String target, int end, boolean caseSensitive) {
    if (end == 0 || end > MAX_CHARS || target.charAt(0) != '/') {
      return false;
    }
    char before = 'x';
    for (int i = 0; i < end; i++) {
      char c = target.charAt(i);
      if (c <= ' ' || c > '~' || c == '%' || c == ';' || c == '\\' || c == '#') {
        return false;
      }
      if ((before == '/' && (c == '/' || c == '.')) || (before == '.' && c == '/')) {
        return false;
      }
      if (!caseSensitive && Ascii.isUpper(c)) {
        return false;
      }
      before = c;
    }
    return before != '.' && (before != '/' || end == 1);
  }
}
