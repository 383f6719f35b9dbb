package dev.weir.memory;

import dev.weir.Store;
import dev.weir.testkit.Effort;
import dev.weir.testkit.contract.StoreContract;
import dev.weir.time.Ticker;

/** The in-process store fulfils the contract. */
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
