package dev.weir.library.web;

import dev.weir.Descriptor;
import dev.weir.http.request.CanonicalPath;
import dev.weir.internal.Rejections;
import dev.weir.rule.condition.PathPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The requests that an edge decides about, by path. Immutable and safe for use by any number of
 * threads.
 *
 * <p>No spelling of a path evades a limit. A path that servers read differently is left out only if
 * each of its readings is. What is included is included in upper and lower case alike, because some
 * applications serve both; what is excluded must be written exactly like the pattern.
 */
public final class PathScope {
  /** All requests. */
  public static final PathScope ALL = new PathScope(List.of(), List.of());

  private final List<PathPattern> include;
  private final List<PathPattern> exclude;

  private PathScope(List<PathPattern> include, List<PathPattern> exclude) {
    this.include = include;
    this.exclude = exclude;
  }

  /**
   * Requests whose path is included and not excluded.
   *
   * @param include patterns as in rules, such as {@code /api/**}; empty for all paths
   * @throws IllegalArgumentException if a pattern is malformed
   */
  public static PathScope of(List<String> include, List<String> exclude) {
    return new PathScope(
        parse("include", include).stream()
            .map(pattern -> PathPattern.parse(CanonicalPath.foldCase(pattern.toString())))
            .toList(),
        parse("exclude", exclude));
  }

  private static List<PathPattern> parse(String field, List<String> patterns) {
    List<PathPattern> parsed = new ArrayList<>();
    for (@Nullable String pattern : patterns) {
      if (pattern == null) {
        throw Rejections.of(field, "null", "a path that begins with /");
      }
      try {
        parsed.add(PathPattern.parse(pattern));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(field + ": " + e.getMessage(), e);
      }
    }
    return parsed;
  }

  /** Whether a request belongs to this scope. */
  public boolean covers(String target) {
    if (include.isEmpty() && exclude.isEmpty()) {
      return true;
    }
    CanonicalPath path = CanonicalPath.of(target, true);
    return Descriptor.isUnusable(path.path())
        || anyReading(path, reading -> isIncluded(reading) && !matches(exclude, reading));
  }

  private boolean isIncluded(String path) {
    return include.isEmpty() || matches(include, CanonicalPath.foldCase(path));
  }

  private static boolean anyReading(CanonicalPath path, Predicate<String> test) {
    return test.test(path.path()) || path.otherReadings().stream().anyMatch(test);
  }

  private static boolean matches(List<PathPattern> patterns, String path) {
    for (PathPattern pattern : patterns) {
      if (pattern.matches(path)) {
        return true;
      }
    }
    return false;
  }
}
