package dev.weir.rule;

import dev.weir.Limit;

/**
 * One limit of one rule as responses name it to clients. A rule book makes one object for each.
 * Immutable.
 */
public final class Policy {
  private final String name;
  private final Limit limit;

  /** A policy of this name. */
  public Policy(String name, Limit limit) {
    this.name = name;
    this.limit = limit;
  }

  /** The name of the rule, followed by the window if the rule has several. */
  public String name() {
    return name;
  }

  /** The limit that the policy names. */
  public Limit limit() {
    return limit;
  }

  @Override
  public String toString() {
    return name;
  }
}
