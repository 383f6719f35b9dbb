package dev.weir.replay.run;

import dev.weir.limiter.Limiter.Outcome;
import dev.weir.replay.measure.TimeAxis;
import dev.weir.replay.result.LogPosition;
import dev.weir.replay.result.RuleOutcomes;
import dev.weir.rule.Rule;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What one rule did in one run. For one thread. */
final class RuleTally {
  private final Rule rule;
  private final TimeAxis axis;
  private long matched;
  private long denied;
  private long blocked;
  private long deniedByOthers;
  private @Nullable LogPosition firstDenial;
  private long @Nullable [] series;

  RuleTally(Rule rule, TimeAxis axis) {
    this.rule = rule;
    this.axis = axis;
  }

  Rule rule() {
    return rule;
  }

  /** Whether an outcome is a denial, or would be one. */
  static boolean isDenial(Outcome outcome) {
    return outcome.denies() || outcome == Outcome.SHADOW_DENIED;
  }

  void add(Outcome outcome, int bucket) {
    matched++;
    if (isDenial(outcome)) {
      denied++;
      blocked += outcome == Outcome.BLOCKED ? 1 : 0;
      if (series == null) {
        series = axis.newSeries();
      }
      series[bucket]++;
    } else if (outcome == Outcome.DENIED_BY_OTHER) {
      deniedByOthers++;
    }
  }

  boolean hasFirstDenial() {
    return firstDenial != null;
  }

  void setFirstDenial(LogPosition at) {
    firstDenial = at;
  }

  /** Denials over time; null if there is none. */
  long @Nullable [] series() {
    return series;
  }

  RuleOutcomes result() {
    return new RuleOutcomes(
        rule.name(),
        rule.enforced() == 0,
        matched,
        denied,
        blocked,
        deniedByOthers,
        Optional.ofNullable(firstDenial));
  }
}
