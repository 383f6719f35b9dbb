package dev.weir.rule;

import dev.weir.Descriptor;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What a rule asks of one named value of a request. An absent value meets no condition. */
public interface Condition {

  /** The name of the value in a {@link Descriptor}. */
  String name();

  boolean test(String value);

  /** In words, what is asked for. */
  String expected();

  /**
   * Whether a value is as asked. One that is there but {@linkplain Descriptor#UNUSABLE of no use}
   * might be: who sends nonsense is not to get around a rule by it.
   */
  default boolean holds(@Nullable String value) {
    return value != null && (Descriptor.isUnusable(value) || test(value));
  }

  /** A filing for many conditions of this kind, if such a thing is to be had. */
  default Optional<Filing> filing() {
    return Optional.empty();
  }

  /** What this one is filed under: few places shared with few others make it quick to find. */
  default Set<?> places() {
    return Set.of();
  }

  /** Many conditions of one kind on one value, all asked at once. */
  interface Filing {
    void add(Condition condition, int number);

    /** Tells the numbers of the conditions that a value meets, and no others; some maybe twice. */
    void find(String value, IntConsumer met);
  }

  /** The value is one of these. */
  record OneOf(String name, Set<String> values) implements Condition {
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
    public Optional<Filing> filing() {
      return Optional.of(new ValueFiling());
    }

    @Override
    public Set<?> places() {
      return values;
    }
  }

  /** The value fits one of these texts, in which {@code *} stands for anything. */
  record Like(String name, Set<String> globs) implements Condition {
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
    public Optional<Filing> filing() {
      return Optional.of(new GlobFiling());
    }

    @Override
    public Set<?> places() {
      return globs;
    }
  }

  /** The path has the form of one of these patterns. */
  record Path(List<PathPattern> patterns) implements Condition {
    /** The name under which edges give the path. */
    public static final String NAME = "path";

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
    public Optional<Filing> filing() {
      return Optional.of(new PathFiling());
    }

    @Override
    public Set<?> places() {
      return Set.copyOf(patterns);
    }
  }

  /** The value passes a test, which {@code expected} tells in words. */
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

  /** The path has the form of one of these patterns. */
  static Condition path(String... patterns) {
    return new Path(List.of(patterns).stream().map(PathPattern::parse).toList());
  }

  /** The value fits a text in which {@code *} stands for anything. */
  static Condition like(String name, String glob) {
    return new Like(name, Set.of(glob));
  }
}
