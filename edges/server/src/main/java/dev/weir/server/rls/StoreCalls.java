package dev.weir.server.rls;

import dev.weir.Store;
import dev.weir.limiter.Degradation;
import dev.weir.limiter.Limiter;
import dev.weir.time.Ticker;
import java.util.concurrent.CompletionStage;

/**
 * Executes charge plans on the store, and by the limiter's {@link Degradation} while the store does
 * not answer. Safe for use by any number of threads.
 */
final class StoreCalls {
  final Store store;
  final Degradation degradation;
  final ExhaustedWindowCache exhausted;
  private final Ticker ticker;

  StoreCalls(Limiter limiter, Ticker ticker, ExhaustedWindowCache exhausted) {
    this.store = limiter.store();
    this.degradation = limiter.degradation();
    this.exhausted = exhausted;
    this.ticker = ticker;
  }

  long nowMicros() {
    return ticker.micros();
  }

  /**
   * Executes a plan; the stage completes once all its checks are answered. Only what is charged all
   * or none waits for other calls: for the tallies, which may deny the request, and for its peeks.
   *
   * @throws RlsRequest.Refused if the plan exceeds what a store takes at once
   */
  CompletionStage<Void> execute(ChargePlan plan) {
    plan.checkSize();
    PlanExecution execution = new PlanExecution(this);
    execution.sendAll(plan.refunds());
    if (plan.isStrict()) {
      execution.sendAll(plan.tallies(), () -> execution.peekAndTake(plan));
    } else {
      execution.sendAll(plan.tallies());
    }
    return execution.end();
  }
}
