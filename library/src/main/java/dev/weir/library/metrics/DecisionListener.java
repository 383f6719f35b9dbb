package dev.weir.library.metrics;

import dev.weir.limiter.Limiter;
import dev.weir.limiter.Subject;
import dev.weir.rule.FailureMode;
import dev.weir.rule.Rule;
import dev.weir.shared.SharedStore;

/** Receives what the limiters of one Weir decide. Implementations are thread-safe. */
public interface DecisionListener extends Limiter.Listener, AutoCloseable {
  /** Ignores everything. */
  DecisionListener NONE =
      new DecisionListener() {
        @Override
        public void onOutcome(Rule rule, Limiter.Outcome outcome, Subject subject) {}

        @Override
        public void onDegraded(FailureMode mode) {}

        @Override
        public void watch(SharedStore store) {}

        @Override
        public void close() {}
      };

  /** A request was decided by a failure mode, because the store did not answer. */
  void onDegraded(FailureMode mode);

  /** The store that the limiters count in, if other processes share it. */
  void watch(SharedStore store);

  /** Ends it: nothing more is decided. */
  @Override
  void close();
}
