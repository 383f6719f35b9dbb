package dev.weir.redis;

import dev.weir.Store;
import dev.weir.Ticker;
import dev.weir.testkit.StoreContract;
import dev.weir.testkit.redis.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** One server keeps the contract. */
class StandaloneContractTest extends StoreContract {
  @SuppressWarnings("NullAway.Init")
  private static RedisServer redis;

  @BeforeAll
  static void start() throws Exception {
    redis = RedisServer.start();
  }

  @AfterAll
  static void stop() throws Exception {
    redis.close();
  }

  @Override
  protected Store create(Ticker ticker) {
    return RedisStore.connect(RedisSettings.parse(redis.url() + "?deadline=5s"), ticker);
  }
}
