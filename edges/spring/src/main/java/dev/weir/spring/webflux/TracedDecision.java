package dev.weir.spring.webflux;

import dev.weir.library.web.Admission;
import dev.weir.spring.DecisionTags;
import org.springframework.http.server.reactive.observation.ServerRequestObservationContext;
import org.springframework.web.server.ServerWebExchange;

/** Adds decisions to the observation of a request, where there is one. */
final class TracedDecision {
  private TracedDecision() {}

  static void add(ServerWebExchange exchange, Admission admission) {
    ServerRequestObservationContext.findCurrent(exchange.getAttributes())
        .ifPresent(observed -> DecisionTags.add(observed, admission));
  }
}
