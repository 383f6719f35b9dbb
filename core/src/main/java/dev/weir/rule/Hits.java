package dev.weir.rule;

import java.util.Arrays;

/** The numbers of rules that may apply to a request. */
final class Hits {
  private int[] rules = new int[16];
  private int size;

  void add(int rule) {
    if (size == rules.length) {
      rules = Arrays.copyOf(rules, 2 * size);
    }
    rules[size++] = rule;
  }

  void addAll(int[] more) {
    for (int rule : more) {
      add(rule);
    }
  }

  /** Each once, in the order of the rules. */
  void order() {
    Arrays.sort(rules, 0, size);
    int distinct = 0;
    for (int i = 0; i < size; i++) {
      if (i == 0 || rules[i] != rules[i - 1]) {
        rules[distinct++] = rules[i];
      }
    }
    size = distinct;
  }

  int size() {
    return size;
  }

  int get(int index) {
    return rules[index];
  }
}
