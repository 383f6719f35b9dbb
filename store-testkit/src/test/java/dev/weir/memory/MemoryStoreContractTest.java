package dev.weir.memory;

import dev.weir.Store;
import dev.weir.Ticker;
import dev.weir.testkit.Effort;
import dev.weir.testkit.StoreContract;

/** The in-process store keeps the contract. */
class MemoryStoreContractTest extends StoreContract {
  @Override
  protected Store create(Ticker ticker) {
    return new MemoryStore(MemoryStore.DEFAULT_MAX_KEYS, ticker);
  }

  @Override
  protected int randomOperations() {
    return Effort.of(50_000, 200_000);
  }
}
