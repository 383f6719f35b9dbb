package dev.weir.benchmarks.redis;

import java.util.List;
import java.util.stream.IntStream;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson's rate limiter: a log of permits, in a script that takes three keys. */
final class Redisson implements Contestant {
  private final RedissonClient client;
  private final List<RRateLimiter> limiters;

  Redisson(String url) {
    Config config = new Config();
    config.useSingleServer().setAddress(url);
    client = org.redisson.Redisson.create(config);
    limiters =
        IntStream.range(0, CALLERS)
            .mapToObj(caller -> client.getRateLimiter("redisson:" + caller))
            .toList();
    limiters.stream()
        .map(limiter -> limiter.trySetRateAsync(RateType.OVERALL, PERMITS, WINDOW))
        .toList()
        .forEach(set -> set.toCompletableFuture().join());
  }

  @Override
  public boolean allow(int caller) {
    return limiters.get(caller).tryAcquire();
  }

  @Override
  public void close() {
    client.shutdown();
  }
}
