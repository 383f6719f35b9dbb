package dev.weir.replay.result;

import java.util.Optional;

/**
 * What one rule did in a run.
 *
 * @param rule its name
 * @param shadow whether it denies nobody yet; then {@code denied} is what it would deny
 * @param matched how many requests it was asked about
 * @param denied how many of them it denied itself
 * @param blocked how many of these because it blocks their caller at any rate
 * @param deniedByOthers how many other rules denied, so that this one counted nothing
 * @param firstDenial the first request that it denied
 */
public record RuleOutcomes(
    String rule,
    boolean shadow,
    long matched,
    long denied,
    long blocked,
    long deniedByOthers,
    Optional<LogPosition> firstDenial) {
  /** The share of its requests that the rule denied, from 0 to 1. */
  public double deniedShare() {
    return matched == 0 ? 0 : (double) denied / matched;
  }
}
