package dev.weir.rule;

import java.util.function.IntConsumer;

/** Conditions that ask for texts with stars. */
final class GlobFiling implements Condition.Filing {
  private final Globs<Integer> globs = new Globs<>();

  @Override
  public void add(Condition condition, int number) {
    ((Condition.Like) condition).globs().forEach(glob -> globs.add(glob, number));
  }

  @Override
  public void find(String value, IntConsumer met) {
    globs.find(value, met::accept);
  }
}
