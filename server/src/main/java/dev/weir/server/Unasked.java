package dev.weir.server;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.guard.Guarded;
import dev.weir.operation.Operation;
import dev.weir.operation.UniformStore;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what a store is not asked, because it did not answer; with the few requests that are let
 * through to see whether it does.
 */
final class Unasked extends UniformStore {
  private final Guarded store;
  private final LongAdder count = new LongAdder();

  Unasked(Guarded store) {
    this.store = store;
  }

  @Override
  protected Answer ask(Operation operation, List<Claim> claims) {
    if (!store.isAsked() && !claims.stream().allMatch(one -> store.isReachable(one.key()))) {
      count.increment();
    }
    return operation.on(store, claims);
  }

  long count() {
    return count.sum();
  }
}
