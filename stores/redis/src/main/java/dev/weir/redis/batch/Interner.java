package dev.weir.redis.batch;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Numbers distinct values from 1, in the order in which they come; usually there is only one. */
final class Interner<T> {
  private final Map<T, Integer> numbers = new HashMap<>(0);
  private final List<T> values = new ArrayList<>();

  /** The number of a value, which gets the next one if it is new. */
  int number(T value) {
    if (!values.isEmpty() && values.get(0).equals(value)) {
      return 1;
    }
    if (!values.isEmpty()) {
      Integer known = numbers.putIfAbsent(value, values.size() + 1);
      if (known != null) {
        return known;
      }
    }
    values.add(value);
    return values.size();
  }

  /** The values in the order of their numbers. */
  List<T> values() {
    return values;
  }
}
