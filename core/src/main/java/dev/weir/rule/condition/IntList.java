package dev.weir.rule.condition;

import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * A growable list of numbers, such as those of the rules that may apply to a request. Not safe for
 * use by several threads.
 */
public final class IntList implements IntConsumer {
  private static final int[] NONE = {};

  private int[] numbers = NONE;
  private int size;

  void add(int number) {
    if (size == numbers.length) {
      numbers = Arrays.copyOf(numbers, Math.max(2 * size, 8));
    }
    numbers[size++] = number;
  }

  @Override
  public void accept(int number) {
    add(number);
  }

  void addAll(IntList more) {
    for (int i = 0; i < more.size; i++) {
      add(more.numbers[i]);
    }
  }

  void forEach(IntConsumer each) {
    for (int i = 0; i < size; i++) {
      each.accept(numbers[i]);
    }
  }

  /** Sorts the numbers and removes duplicates. */
  void order() {
    Arrays.sort(numbers, 0, size);
    int distinct = 0;
    for (int i = 0; i < size; i++) {
      if (i == 0 || numbers[i] != numbers[i - 1]) {
        numbers[distinct++] = numbers[i];
      }
    }
    size = distinct;
  }

  /** How many numbers the list holds. */
  public int size() {
    return size;
  }

  /** The number at an index below {@link #size()}. */
  public int get(int index) {
    return numbers[index];
  }
}
