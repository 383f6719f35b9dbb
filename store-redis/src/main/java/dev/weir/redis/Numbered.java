package dev.weir.redis;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Things numbered from 1 in the order in which they came. Mostly there is but one. */
final class Numbered<T> {
  private final Map<T, Integer> numbers = new HashMap<>(0);
  private final List<T> things = new ArrayList<>();

  int number(T thing) {
    if (!things.isEmpty() && things.get(0).equals(thing)) {
      return 1;
    }
    if (!things.isEmpty()) {
      Integer known = numbers.putIfAbsent(thing, things.size() + 1);
      if (known != null) {
        return known;
      }
    }
    things.add(thing);
    return things.size();
  }

  List<T> things() {
    return things;
  }
}
