package dev.weir.cli.top;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of a JSON object that another version of the server may have sent: what is
 * missing, or of another type, is taken for absent. Lists and texts are bounded.
 */
record Fields(Map<?, ?> object) {
  private static final int MAX_ENTRIES = 1_000;
  private static final int MAX_CHARS = 1_000;

  static Fields of(@Nullable Object value) {
    return new Fields(value instanceof Map<?, ?> map ? map : Map.of());
  }

  boolean has(String name) {
    return object.get(name) != null;
  }

  Set<String> names() {
    Set<String> names = new TreeSet<>();
    object.keySet().stream().limit(MAX_ENTRIES).forEach(name -> names.add(bounded(name)));
    return names;
  }

  Fields at(String name) {
    return of(object.get(name));
  }

  /** The text; empty if there is none. */
  String text(String name) {
    return object.get(name) instanceof String text ? bounded(text) : "";
  }

  boolean isTrue(String name) {
    return Boolean.TRUE.equals(object.get(name));
  }

  /** The number as a whole one; 0 if there is none. */
  long count(String name) {
    return object.get(name) instanceof Number number ? number.longValue() : 0;
  }

  /** The number; 0 if there is none. */
  double number(String name) {
    return number(object.get(name));
  }

  /** The objects of a list. */
  List<Fields> objects(String name) {
    return list(name, Fields::of);
  }

  /** The numbers of a list. */
  List<Double> numbers(String name) {
    return list(name, Fields::number);
  }

  /** The texts of a list. */
  List<String> texts(String name) {
    return list(name, Fields::bounded);
  }

  private <T> List<T> list(String name, Function<@Nullable Object, T> read) {
    List<T> entries = new ArrayList<>();
    if (object.get(name) instanceof List<?> list) {
      list.stream().limit(MAX_ENTRIES).forEach(one -> entries.add(read.apply(one)));
    }
    return entries;
  }

  private static double number(@Nullable Object value) {
    double number = value instanceof Number given ? given.doubleValue() : 0;
    return Double.isFinite(number) ? number : 0;
  }

  private static String bounded(@Nullable Object value) {
    String text = String.valueOf(value);
    return text.length() > MAX_CHARS ? text.substring(0, MAX_CHARS) + "…" : text;
  }
}
