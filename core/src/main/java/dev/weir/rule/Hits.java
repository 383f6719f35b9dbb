package dev.weir.rule;

import java.util.Arrays;
import java.util.function.IntConsumer;

/** A list of numbers: of rules that may apply to a request, for one. */
final class Hits implements IntConsumer {
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

  void addAll(Hits more) {
    for (int i = 0; i < more.size; i++) {
      add(more.numbers[i]);
    }
  }

  void forEach(IntConsumer each) {
    for (int i = 0; i < size; i++) {
      each.accept(numbers[i]);
    }
  }

  /** Each once, in order. */
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

  int size() {
    return size;
  }

  int get(int index) {
    return numbers[index];
  }
}
