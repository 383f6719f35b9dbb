package dev.weir.benchmarks.redis;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.distributed.proxy.RemoteBucketBuilder;
import io.github.bucket4j.distributed.proxy.optimization.Optimizations;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.lettuce.core.RedisClient;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;

/**
 * Bucket4j on Lettuce: reads a bucket and writes it back by compare-and-swap. With batching,
 * requests for one bucket that arrive meanwhile go together in the next call; that requires keeping
 * the bucket objects.
 */
final class Bucket4j implements Contestant {
  private static final BucketConfiguration LIMIT =
      BucketConfiguration.builder()
          .addLimit(limit -> limit.capacity(PERMITS).refillGreedy(PERMITS, WINDOW))
          .build();

  private final RedisClient client;
  private final Bucket[] buckets;

  private Bucket4j(String url, String name, boolean batching) {
    client = RedisClient.create(url);
    ProxyManager<byte[]> manager =
        Bucket4jLettuce.casBasedBuilder(client)
            .expirationAfterWrite(
                ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(EXTRA_TTL))
            .build();
    RemoteBucketBuilder<byte[]> builder = manager.builder();
    if (batching) {
      builder.withOptimization(Optimizations.batching());
    }
    buckets =
        IntStream.range(0, CALLERS)
            .mapToObj(caller -> name + ":{" + caller + "}")
            .map(key -> builder.build(key.getBytes(StandardCharsets.US_ASCII), () -> LIMIT))
            .toArray(Bucket[]::new);
  }

  static Bucket4j plain(String url) {
    return new Bucket4j(url, "bucket4j", false);
  }

  static Bucket4j batching(String url) {
    return new Bucket4j(url, "bucket4j-batching", true);
  }

  @Override
  public boolean allow(int caller) {
    return buckets[caller].tryConsume(1);
  }

  @Override
  public void close() {
    client.shutdown();
  }
}
