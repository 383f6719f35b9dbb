package dev.weir.rule.condition;

import java.util.function.IntConsumer;

/** An index of {@link Condition.Like} conditions. */
final class GlobConditionIndex implements Condition.Index {
  private final GlobIndex<Integer> globs = new GlobIndex<>();

  @Override
  public void add(Condition condition, int number) {
    ((Condition.Like) condition).globs().forEach(glob -> globs.add(glob, number));
  }

  @Override
  public void find(String value, IntConsumer met) {
    globs.find(value, met::accept);
  }
}
