package dev.weir.rule.condition;

import dev.weir.internal.Rejections;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pattern of paths: {@code /login}, {@code /users/{id}}, {@code /files/*.png}, {@code /api/**}.
 *
 * <p>A star or a name in braces stands for characters within a segment, two stars for any number of
 * segments, also none: {@code /api/**} matches {@code /api} and everything below it. Paths are
 * compared in canonical form: see {@link #segments(String)} for what counts as a segment. Patterns
 * are immutable and safe for use by any number of threads.
 */
public final class PathPattern {
  static final String ANY_DEPTH = "**";
  static final String ANY_SEGMENT = "*";

  /** More segments than any real path has; a longer pattern is a mistake. */
  private static final int MAX_SEGMENTS = 64;

  private final String text;
  private final List<String> segments;

  private PathPattern(String text, List<String> segments) {
    this.text = text;
    this.segments = List.copyOf(segments);
  }

  /**
   * Parses a pattern.
   *
   * @throws IllegalArgumentException if no canonical path can match it, or it is malformed
   */
  public static PathPattern parse(String text) {
    if (!text.startsWith("/")) {
      throw rejection(text, "a path that begins with /");
    }
    if (text.length() > 1 && text.endsWith("/") && !text.endsWith("//")) {
      String without = text.substring(0, text.length() - 1);
      throw rejection(text, without + ", since paths are compared without a slash at the end");
    }
    List<String> segments = new ArrayList<>();
    for (String segment : segments(text)) {
      segments.add(segment(text, segment));
    }
    if (segments.size() > MAX_SEGMENTS) {
      throw rejection(text, "at most " + MAX_SEGMENTS + " segments");
    }
    return new PathPattern(text, segments);
  }

  /** One segment, with stars for names in braces. */
  private static String segment(String text, String segment) {
    if (segment.isEmpty() || segment.equals(".") || segment.equals("..")) {
      throw rejection(text, "no empty segment and no dots, since paths are compared without them");
    }
    StringBuilder glob = new StringBuilder();
    for (int i = 0; i < segment.length(); i++) {
      char c = segment.charAt(i);
      if (c == '?' || c == '#' || c == ';' || Character.isISOControl(c)) {
        throw rejection(text, "a path without '" + printable(c) + "', which is never part of one");
      } else if (c == '{') {
        int end = segment.indexOf('}', i);
        if (end < 0 || !segment.substring(i + 1, end).matches("[A-Za-z0-9_-]+")) {
          throw rejection(text, "a name in braces, such as {id}");
        }
        glob.append('*');
        i = end;
      } else if (c == '}') {
        throw rejection(text, "an opening brace before each closing one");
      } else {
        glob.append(c);
      }
    }
    String made = glob.toString();
    if (made.contains(ANY_DEPTH) && !segment.equals(ANY_DEPTH)) {
      throw rejection(text, "** as a segment of its own");
    }
    return made;
  }

  private static String printable(char c) {
    return Character.isISOControl(c) ? String.format("\\u%04x", (int) c) : String.valueOf(c);
  }

  private static IllegalArgumentException rejection(String text, String expected) {
    return Rejections.of("path", text, expected);
  }

  /** The texts between the slashes of a path; the root has none. */
  static List<String> segments(String path) {
    List<String> segments = new ArrayList<>();
    int from = path.startsWith("/") ? 1 : 0;
    while (from < path.length()) {
      int to = path.indexOf('/', from);
      to = to < 0 ? path.length() : to;
      segments.add(path.substring(from, to));
      from = to + 1;
      if (from == path.length()) {
        segments.add("");
      }
    }
    return segments;
  }

  /** Whether a canonical path matches. */
  public boolean matches(String path) {
    return matches(segments(path));
  }

  /** Backtracks to the last star like {@link Glob}, with segments for characters. */
  boolean matches(List<String> path) {
    int s = 0;
    int p = 0;
    int star = -1;
    int starred = 0;
    while (p < path.size()) {
      String segment = s < segments.size() ? segments.get(s) : null;
      if (ANY_DEPTH.equals(segment)) {
        star = s++;
        starred = p;
      } else if (matches(segment, path.get(p))) {
        s++;
        p++;
      } else if (star >= 0) {
        s = star + 1;
        p = ++starred;
      } else {
        return false;
      }
    }
    while (s < segments.size() && segments.get(s).equals(ANY_DEPTH)) {
      s++;
    }
    return s == segments.size();
  }

  private static boolean matches(@Nullable String segment, String actual) {
    return segment != null
        && (segment.equals(actual) || (isGlob(segment) && Glob.matches(segment, actual)));
  }

  static boolean isGlob(String segment) {
    return segment.indexOf('*') >= 0;
  }

  List<String> segments() {
    return segments;
  }

  /** Whether only one path matches. */
  public boolean isLiteral() {
    return segments.stream().noneMatch(PathPattern::isGlob);
  }

  /** The pattern as it was written. */
  @Override
  public String toString() {
    return text;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof PathPattern that && segments.equals(that.segments);
  }

  @Override
  public int hashCode() {
    return segments.hashCode();
  }
}
