package dev.weir.spring.servlet;

import dev.weir.library.web.Admission;
import dev.weir.spring.DecisionTags;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.web.filter.ServerHttpObservationFilter;

/** Adds decisions to the observation of a request, where there is one. */
final class TracedDecision {
  private TracedDecision() {}

  static void add(HttpServletRequest request, Admission admission) {
    ServerHttpObservationFilter.findObservationContext(request)
        .ifPresent(observed -> DecisionTags.add(observed, admission));
  }
}
