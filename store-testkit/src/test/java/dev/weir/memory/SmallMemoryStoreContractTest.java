package dev.weir.memory;

import dev.weir.Store;
import dev.weir.Ticker;
import dev.weir.testkit.Effort;
import dev.weir.testkit.StoreContract;

/** The in-process store keeps the contract when it has room for little more than the contract. */
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
