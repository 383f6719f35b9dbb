package dev.weir.rule;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What a rule asks of one named value of a request. An absent value meets no condition. */
public sealed interface Condition {

  /** The name of the value in a {@link dev.weir.Descriptor}. */
  String name();

  boolean test(@Nullable String value);

  /** In words, what is asked for. */
  String expected();

  /** The value is one of these. */
  record OneOf(String name, Set<String> values) implements Condition {
    public OneOf {
      values = Set.copyOf(values);
    }

    @Override
    public boolean test(@Nullable String value) {
      return value != null && values.contains(value);
    }

    @Override
    public String expected() {
      return String.join(" or ", new TreeSet<>(values));
    }
  }

  /** The path has the form of one of these patterns. */
  record Path(List<PathPattern> patterns) implements Condition {
    /** The name under which edges give the path. */
    public static final String NAME = "path";

    /** A second way to read the same path, where a sender left two open; mostly absent. */
    public static final String OTHER_READING = "path other-reading";

    public Path {
      patterns = List.copyOf(patterns);
    }

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public boolean test(@Nullable String value) {
      return value != null && patterns.stream().anyMatch(pattern -> pattern.matches(value));
    }

    @Override
    public String expected() {
      return String.join(" or ", patterns.stream().map(PathPattern::toString).toList());
    }
  }

  /** The value passes a test, which {@code expected} tells in words. */
  record Where(String name, String expected, Predicate<String> test) implements Condition {
    @Override
    public boolean test(@Nullable String value) {
      return value != null && test.test(value);
    }
  }

  /** The value is one of these. */
  static Condition oneOf(String name, String... values) {
    return new OneOf(name, Set.of(values));
  }

  /** The path has the form of one of these patterns. */
  static Condition path(String... patterns) {
    return new Path(List.of(patterns).stream().map(PathPattern::parse).toList());
  }

  /** There is a value. */
  static Condition present(String name) {
    return new Where(name, "any value", value -> true);
  }

  /** The value fits a text in which {@code *} stands for anything. */
  static Condition like(String name, String glob) {
    return new Where(name, glob, value -> Glob.matches(glob, value));
  }
}
