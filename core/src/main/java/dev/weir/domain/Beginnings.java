package dev.weir.domain;

import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;

/**
 * Values by what a text begins with.
 *
 * <p>The beginnings are sorted, and each knows the longest other one that it begins with itself.
 * All that a text begins with are then found by one binary search: whatever sorts between a
 * beginning of the text and the text has that beginning too, so that they are the last one before
 * the text and those it leads back to.
 */
final class Beginnings<T> {
  private final String[] beginnings;
  private final int[] shorter;
  private final List<T> values;

  Beginnings(SortedMap<String, T> sorted) {
    this.beginnings = sorted.keySet().toArray(String[]::new);
    this.values = List.copyOf(sorted.values());
    this.shorter = new int[beginnings.length];
    for (int i = 0; i < beginnings.length; i++) {
      shorter[i] = back(i - 1, beginnings[i]);
    }
  }

  int size() {
    return beginnings.length;
  }

  T get(int at) {
    return values.get(at);
  }

  /** The longest one that the text begins with; -1 if there is none. */
  int longest(String text) {
    int at = Arrays.binarySearch(beginnings, text);
    return back(at >= 0 ? at : -at - 2, text);
  }

  /** The next one that the text begins with, too; -1 if there is none. */
  int shorter(int at) {
    return shorter[at];
  }

  private int back(int from, String text) {
    int i = from;
    while (i >= 0 && !text.startsWith(beginnings[i])) {
      i = shorter[i];
    }
    return i;
  }
}
