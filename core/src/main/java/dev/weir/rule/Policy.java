package dev.weir.rule;

import dev.weir.Limit;

/**
 * One limit of one rule as clients hear of it. There is one object for each, made with the book.
 */
public final class Policy {
  private final String name;
  private final Limit limit;

  Policy(String name, Limit limit) {
    this.name = name;
    this.limit = limit;
  }

  /** The name of the rule, and of the window where the rule has several. */
  public String name() {
    return name;
  }

  public Limit limit() {
    return limit;
  }

  @Override
  public String toString() {
    return name;
  }
}
