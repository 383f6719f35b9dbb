package dev.weir.rule.condition;

import dev.weir.Descriptor;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A condition of a rule on one named value of a request. An absent value meets no condition.
 * Conditions are safe for use by any number of threads.
 */
public interface Condition {

  /** The name of the value in a {@link Descriptor}. */
  String name();

  /** Whether a usable value meets the condition. */
  boolean test(String value);

  /** A description of the values that meet the condition. */
  String expected();

  /**
   * Whether a value meets the condition. An {@linkplain Descriptor#UNUSABLE unusable} value does,
   * so that no client evades a rule by sending one.
   */
  default boolean holds(@Nullable String value) {
    return value != null && (Descriptor.isUnusable(value) || test(value));
  }

  /** A new, empty index for conditions of this kind; empty if the kind cannot be indexed. */
  default Optional<Index> newIndex() {
    return Optional.empty();
  }

  /**
   * The keys under which an index holds this condition. The fewer other conditions share them, the
   * more selective the index.
   */
  default Set<?> indexKeys() {
    return Set.of();
  }

  /** An index of many conditions of one kind on one value, all tested at once. */
  interface Index {
    /** Adds a condition of this kind under a number. */
    void add(Condition condition, int number);

    /** Passes the numbers of exactly the conditions that a value meets, some perhaps twice. */
    void find(String value, IntConsumer met);
  }

  /** The value is one of these. */
  record OneOf(String name, Set<String> values) implements Condition {
    /** Copies the values. */
    public OneOf {
      values = Set.copyOf(values);
    }

    @Override
    public boolean test(String value) {
      return values.contains(value);
    }

    @Override
    public String expected() {
      return String.join(" or ", new TreeSet<>(values));
    }

    @Override
    public Optional<Index> newIndex() {
      return Optional.of(new ValueIndex());
    }

    @Override
    public Set<?> indexKeys() {
      return values;
    }
  }

  /** The value matches one of these globs, in which {@code *} stands for any characters. */
  record Like(String name, Set<String> globs) implements Condition {
    /** Copies the globs. */
    public Like {
      globs = Set.copyOf(globs);
    }

    @Override
    public boolean test(String value) {
      return globs.stream().anyMatch(glob -> Glob.matches(glob, value));
    }

    @Override
    public String expected() {
      return String.join(" or ", new TreeSet<>(globs));
    }

    @Override
    public Optional<Index> newIndex() {
      return Optional.of(new GlobConditionIndex());
    }

    @Override
    public Set<?> indexKeys() {
      return globs;
    }
  }

  /** The path matches one of these patterns. */
  record Path(List<PathPattern> patterns) implements Condition {
    /** The name of the path in a {@link Descriptor}. */
    public static final String NAME = "path";

    /** Copies the patterns. */
    public Path {
      patterns = List.copyOf(patterns);
    }

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public boolean test(String value) {
      return patterns.stream().anyMatch(pattern -> pattern.matches(value));
    }

    @Override
    public String expected() {
      return String.join(" or ", patterns.stream().map(PathPattern::toString).toList());
    }

    @Override
    public Optional<Index> newIndex() {
      return Optional.of(new PathIndex());
    }

    @Override
    public Set<?> indexKeys() {
      return Set.copyOf(patterns);
    }
  }

  /** The value passes a test, which {@code expected} describes. */
  record Where(String name, String expected, Predicate<String> passes) implements Condition {
    @Override
    public boolean test(String value) {
      return passes.test(value);
    }
  }

  /** The value is one of these. */
  static Condition oneOf(String name, String... values) {
    return new OneOf(name, Set.of(values));
  }

  /** The path matches one of these patterns. */
  static Condition path(String... patterns) {
    return new Path(List.of(patterns).stream().map(PathPattern::parse).toList());
  }

  /** The value matches a glob, in which {@code *} stands for any characters. */
  static Condition like(String name, String glob) {
    return new Like(name, Set.of(glob));
  }
}
