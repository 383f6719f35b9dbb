package dev.weir.memory;

import dev.weir.Store;
import dev.weir.testkit.Effort;
import dev.weir.testkit.contract.StoreContract;
import dev.weir.time.Ticker;

/** The in-process store fulfils the contract with hardly more room than the contract needs. */
class SmallMemoryStoreContractTest extends StoreContract {
  @Override
  protected Store create(Ticker ticker) {
    return new MemoryStore(1_000, ticker);
  }

  @Override
  protected int randomOperations() {
    return Effort.of(20_000, 50_000);
  }
}
