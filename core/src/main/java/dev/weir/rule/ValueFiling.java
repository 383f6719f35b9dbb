package dev.weir.rule;

import java.util.HashMap;
import java.util.Map;
import java.util.function.IntConsumer;

/** Conditions that ask for a particular value, found by that value. */
final class ValueFiling implements Condition.Filing {
  private final Map<String, Hits> byValue = new HashMap<>();

  @Override
  public void add(Condition condition, int number) {
    for (String value : ((Condition.OneOf) condition).values()) {
      byValue.computeIfAbsent(value, absent -> new Hits()).add(number);
    }
  }

  @Override
  public void find(String value, IntConsumer met) {
    Hits found = byValue.get(value);
    if (found != null) {
      found.forEach(met);
    }
  }
}
