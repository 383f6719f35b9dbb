package dev.weir.cli.top;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of a JSON object that another version of the server may have sent: what is
 * missing, or of another type, is taken for absent.
 */
record Fields(Map<?, ?> object) {
  static Fields of(@Nullable Object value) {
    return new Fields(value instanceof Map<?, ?> map ? map : Map.of());
  }

  boolean has(String name) {
    return object.get(name) != null;
  }

  Fields at(String name) {
    return of(object.get(name));
  }

  /** The text; empty if there is none. */
  String text(String name) {
    return object.get(name) instanceof String text ? text : "";
  }

  boolean isTrue(String name) {
    return Boolean.TRUE.equals(object.get(name));
  }

  /** The number as a whole one; 0 if there is none. */
  long count(String name) {
    return object.get(name) instanceof Number number ? number.longValue() : 0;
  }

  OptionalDouble number(String name) {
    return object.get(name) instanceof Number number
        ? OptionalDouble.of(number.doubleValue())
        : OptionalDouble.empty();
  }

  /** The objects of a list. */
  List<Fields> objects(String name) {
    List<Fields> objects = new ArrayList<>();
    list(name).forEach(one -> objects.add(of(one)));
    return objects;
  }

  /** The numbers of a list. */
  List<Double> numbers(String name) {
    List<Double> numbers = new ArrayList<>();
    for (Object one : list(name)) {
      Optional.ofNullable(one)
          .filter(Number.class::isInstance)
          .map(Number.class::cast)
          .ifPresent(number -> numbers.add(number.doubleValue()));
    }
    return numbers;
  }

  /** The texts of a list. */
  List<String> texts(String name) {
    List<String> texts = new ArrayList<>();
    for (Object one : list(name)) {
      if (one instanceof String text) {
        texts.add(text);
      }
    }
    return texts;
  }

  private List<?> list(String name) {
    return object.get(name) instanceof List<?> list ? list : List.of();
  }
}
