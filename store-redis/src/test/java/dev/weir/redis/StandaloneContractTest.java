package dev.weir.redis;

import dev.weir.Store;
import dev.weir.Ticker;
import dev.weir.testkit.StoreContract;

/** One server keeps the contract. */
class StandaloneContractTest extends StoreContract {
  @Override
  protected Store create(Ticker ticker) {
    return RedisStore.connect(RedisSettings.parse("redis://127.0.0.1:7799?deadline=5s"), ticker);
  }
}
