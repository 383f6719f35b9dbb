package dev.weir.cli;

import dev.weir.redis.RedisSettings;
import dev.weir.redis.RedisStore;
import dev.weir.redis.RedisUnusable;
import java.io.IOException;

/** What a server does beside its own start while the classes it loads are being noted. */
final class Training {
  private Training() {}

  /** Loads what is needed to speak with Redis, where there may be none. */
  static void loadRedis() throws IOException {
    try (RedisStub stub = new RedisStub();
        RedisStore store =
            RedisStore.connect(RedisSettings.parse("redis://127.0.0.1:" + stub.port()))) {
      store.calls();
    } catch (RedisUnusable e) {
      // As it should: it does not run scripts.
    }
  }
}
