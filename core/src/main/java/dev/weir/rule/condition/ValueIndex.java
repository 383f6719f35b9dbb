package dev.weir.rule.condition;

import java.util.HashMap;
import java.util.Map;
import java.util.function.IntConsumer;

/** An index of {@link Condition.OneOf} conditions by their values. */
final class ValueIndex implements Condition.Index {
  private final Map<String, IntList> byValue = new HashMap<>();

  @Override
  public void add(Condition condition, int number) {
    for (String value : ((Condition.OneOf) condition).values()) {
      byValue.computeIfAbsent(value, absent -> new IntList()).add(number);
    }
  }

  @Override
  public void find(String value, IntConsumer met) {
    IntList found = byValue.get(value);
    if (found != null) {
      found.forEach(met);
    }
  }
}
