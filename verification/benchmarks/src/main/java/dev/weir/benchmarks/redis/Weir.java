package dev.weir.benchmarks.redis;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.redis.RedisStore;
import dev.weir.redis.connection.RedisSettings;
import java.util.stream.IntStream;

/** Weir with its defaults, except the deadline: full load on few cores can exceed 25 ms. */
final class Weir implements Contestant {
  private static final Limit LIMIT = Limit.tokenBucket(PERMITS, WINDOW);

  private final RedisStore store;
  private final LimitKey[] keys =
      IntStream.range(0, CALLERS)
          .mapToObj(caller -> KEYS.key("caller", Integer.toString(caller)))
          .toArray(LimitKey[]::new);

  Weir(String url) {
    store = RedisStore.connect(RedisSettings.parse(url + "?deadline=2s"));
  }

  @Override
  public boolean allow(int caller) {
    return store.take(Claim.of(LIMIT, keys[caller])).join().allowed();
  }

  @Override
  public void close() {
    store.close();
  }
}
