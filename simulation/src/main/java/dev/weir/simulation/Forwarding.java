package dev.weir.simulation;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Store;
import dev.weir.operation.Operation;
import dev.weir.operation.UniformStore;
import java.util.List;

/** A store that asks another one, for those who want to step in between. */
class Forwarding extends UniformStore {
  private final Store store;

  Forwarding(Store store) {
    this.store = store;
  }

  @Override
  protected Answer ask(Operation operation, List<Claim> claims) {
    return operation.on(store, claims);
  }
}
