package dev.weir.cli.doctor.plan;

import dev.weir.Limit;
import dev.weir.rule.Rule;
import java.util.List;

/**
 * What is to be proved about one rule with one kind of callers.
 *
 * @param limits of a caller by this rule
 * @param cost how many permits a request takes
 * @param admitted how many requests of a fresh caller pass at once; 0 if the rule blocks it
 * @param shared whether others may use the same counter, so that fewer requests may pass
 */
public record Proof(Trial trial, List<Limit> limits, long cost, long admitted, boolean shared) {
  /** Requests beyond the limit, of which those that others may pass too are a part. */
  static final int EXTRA = 40;

  /** The rule. */
  public Rule rule() {
    return trial.rule();
  }

  /** The name in reports: the rule, and the kind of callers. */
  public String subject() {
    return rule().name() + " (" + trial + ")";
  }

  /** About how many requests the proof takes where nothing is wrong. */
  public long requests() {
    return admitted + EXTRA;
  }

  /** The most requests of a fresh caller that may pass in this time, all limits considered. */
  public long most(long micros) {
    long most = Long.MAX_VALUE;
    for (Limit limit : limits) {
      most = Math.min(most, limit.capacity() / cost + refilled(limit, micros));
    }
    return limits.isEmpty() ? 0 : most;
  }

  /** The most requests that may pass in this time after a denial, rounded up. */
  public long refilled(long micros) {
    return limits.stream().mapToLong(limit -> refilled(limit, micros)).max().orElse(0);
  }

  private long refilled(Limit limit, long micros) {
    return (long) Math.ceil((double) micros / limit.windowMicros() * limit.permits() / cost);
  }
}
