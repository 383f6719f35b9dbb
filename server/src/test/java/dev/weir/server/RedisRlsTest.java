package dev.weir.server;

import dev.weir.Store;
import dev.weir.redis.RedisSettings;
import dev.weir.redis.RedisStore;
import dev.weir.testkit.redis.RedisServer;

class RedisRlsTest extends RlsContract {
  private RedisServer redis;
  private RedisStore store;

  @SuppressWarnings("NullAway.Init")
  RedisRlsTest() {}

  @Override
  Store open() {
    redis = RedisServer.start();
    store = RedisStore.connect(RedisSettings.parse(redis.url() + "?deadline=5s"));
    return store;
  }

  @Override
  void shut() {
    store.close();
    redis.close();
  }
}
