package dev.weir.cli.serve;

import dev.weir.redis.RedisStore;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.redis.connection.RedisUnusable;
import java.io.IOException;

/** Extra work of a server in training, while Java records the classes for the archive. */
final class ArchiveTraining {
  private ArchiveTraining() {}

  /** Loads the Redis client's classes, without a Redis server. */
  static void loadRedis() throws IOException {
    try (RedisStub stub = new RedisStub();
        RedisStore store =
            RedisStore.connect(RedisSettings.parse("redis://127.0.0.1:" + stub.port()))) {
      store.calls();
    } catch (RedisUnusable e) {
      // Expected: the stub rejects scripts.
    }
  }
}
