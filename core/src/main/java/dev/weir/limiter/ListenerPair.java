package dev.weir.limiter;

import dev.weir.limiter.Limiter.Listener;
import dev.weir.limiter.Limiter.Outcome;
import dev.weir.rule.Rule;

/** A listener that passes everything on to two others. As thread-safe as they are. */
public record ListenerPair(Listener first, Listener second) implements Listener {
  @Override
  public void onOutcome(Rule rule, Outcome outcome, Subject subject) {
    first.onOutcome(rule, outcome, subject);
    second.onOutcome(rule, outcome, subject);
  }

  @Override
  public void onRequest(Outcome outcome) {
    first.onRequest(outcome);
    second.onRequest(outcome);
  }

  @Override
  public void onCandidate(Rule rule, Agreement agreement) {
    first.onCandidate(rule, agreement);
    second.onCandidate(rule, agreement);
  }
}
