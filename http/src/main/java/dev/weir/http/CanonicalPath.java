package dev.weir.http;

import dev.weir.Descriptor;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The path of a request target in one spelling, and in others where servers disagree.
 *
 * <p>Scheme, authority and query are removed, escapes decoded once, parameters dropped, repeated
 * slashes made one, dot segments resolved, a trailing slash dropped. What must not be mistaken for
 * a delimiter or cannot be shown stays escaped, in upper case: {@code %25}, {@code %3B}, {@code
 * %3F}, {@code %23}, control characters and bytes that are not UTF-8. So two paths that differ once
 * decoded differ here, and a canonical path is its own canonical path.
 *
 * <p>Servers disagree about {@code %2F}, backslashes, semicolons, dots and more, as {@link
 * PathDialect} tells. {@link #path} is what Java servers read, with every kind of slash for a
 * separator; {@link #otherReadings} are what others do. A path that can be read in too many ways,
 * or is longer than {@value #MAX_CHARS} characters in one of them, is {@linkplain
 * Descriptor#UNUSABLE of no use}, which meets every rule on paths: nobody gains by confusion.
 *
 * <p>The work is linear in the length of the target.
 */
public final class CanonicalPath {
  /** The length of the longest path that is of use. */
  public static final int MAX_CHARS = 8192;

  /** So many characters may be read in all: a long path in few ways, a short one in many. */
  private static final int MAX_WORK = PathDialect.MAX_DIALECTS * MAX_CHARS;

  private static final CanonicalPath UNUSABLE = new CanonicalPath(Descriptor.UNUSABLE, List.of());

  private final String path;
  private final List<String> otherReadings;

  private CanonicalPath(String path, List<String> otherReadings) {
    this.path = path;
    this.otherReadings = otherReadings;
  }

  /** The canonical path of a request target; {@code *} stays {@code *}. */
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
      return UNUSABLE; // servers disagree where the path begins
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

  /** Adds what a path can be; false if that is too much. */
  private static boolean read(PathTokens tokens, boolean foldCase, Set<String> readings) {
    List<PathDialect> dialects = PathDialect.of(tokens.kinds());
    boolean several = dialects.size() > 1;
    if (dialects.isEmpty() || (several && (long) tokens.size() * dialects.size() > MAX_WORK)) {
      return false;
    }
    for (PathDialect dialect : dialects) {
      String reading = new PathReading(tokens, dialect, foldCase).read();
      if (reading == null) {
        return false;
      }
      readings.add(reading);
    }
    return true;
  }

  /** Whether something like a scheme stands in front, without a host: {@code http:/path}. */
  private static boolean hasScheme(String target) {
    int colon = target.indexOf(':');
    int slash = target.indexOf('/');
    return colon >= 0 && (slash < 0 || colon < slash);
  }

  /** Whether there are characters that may be bytes, which the server passed on as they came. */
  private static boolean hasBytes(String target, int start, int end) {
    for (int i = start; i < end; i++) {
      if (target.charAt(i) >= 0x80 && target.charAt(i) <= 0xFF) {
        return true;
      }
    }
    return false;
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

  /**
   * The path, where every kind of slash separates segments, and parameters reach to the next slash
   * that is not escaped.
   */
  public String path() {
    return path;
  }

  /** Other paths that the same target is to some servers; mostly none. */
  public List<String> otherReadings() {
    return otherReadings;
  }

  /** Whether the target can be read as a path, be it as one of several. */
  public boolean canBe(String reading) {
    return path.equals(reading) || otherReadings.contains(reading);
  }

  @Override
  public String toString() {
    return otherReadings.isEmpty() ? path : path + " or " + String.join(" or ", otherReadings);
  }

  /** Whether nothing needs to be done, which is so for most requests. */
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
