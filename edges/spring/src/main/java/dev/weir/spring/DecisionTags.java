package dev.weir.spring;

import dev.weir.library.web.Admission;
import dev.weir.rule.Rule;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;

/**
 * What an observation tells of a decision: {@code weir.outcome} and {@code weir.rule}. They are
 * among the values for traces, not for metrics: requests that no rule limits lack them, and a
 * metric has the same tags for all requests.
 */
public final class DecisionTags {
  private DecisionTags() {}

  /** Adds a decision, unless no rule applied to the request. */
  public static void add(Observation.Context observed, Admission admission) {
    if (admission.limited()) {
      String outcome = admission.allowed() ? "allowed" : "denied";
      observed.addHighCardinalityKeyValue(KeyValue.of("weir.outcome", outcome));
      admission
          .rule()
          .map(Rule::name)
          .ifPresent(rule -> observed.addHighCardinalityKeyValue(KeyValue.of("weir.rule", rule)));
    }
  }
}
