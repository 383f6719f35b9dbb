package dev.weir.benchmarks.spring;

import com.giffing.bucket4j.spring.boot.starter.config.cache.AbstractCacheResolverTemplate;
import com.giffing.bucket4j.spring.boot.starter.config.cache.AsyncCacheResolver;
import com.giffing.bucket4j.spring.boot.starter.config.cache.SyncCacheResolver;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.caffeine.CaffeineProxyManager;
import io.github.bucket4j.distributed.proxy.AbstractProxyManager;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;

/** Where Bucket4j's starter counts. */
@Configuration
class Bucket4jStores {
  private static final int MAX_KEYS = 100_000;

  /**
   * Counts in this process for WebFlux. The starter has no Caffeine for WebFlux; those that it has
   * are caches of clusters, which do more.
   */
  @Bean
  @Profile("bucket4j-webflux")
  AsyncCacheResolver caffeine() {
    return new AsyncCaffeine();
  }

  /** Counts in this process for servlets, without the copies that Caffeine's JCache makes. */
  @Bean
  @Profile("bucket4j-servlet")
  SyncCacheResolver synchronousCaffeine() {
    return new SyncCaffeine();
  }

  /** Counts in Redis. */
  @Bean(destroyMethod = "shutdown")
  @Profile("bucket4j-redis")
  RedisClient redisClient(@Value("${redis}") String url) {
    return RedisClient.create(url);
  }

  private abstract static class CaffeineStore extends AbstractCacheResolverTemplate<String> {
    @Override
    public String castStringToCacheKey(String key) {
      return key;
    }

    @Override
    public AbstractProxyManager<String> getProxyManager(String cacheName) {
      return new CaffeineProxyManager<>(
          Caffeine.newBuilder().maximumSize(MAX_KEYS), Duration.ofMinutes(1));
    }
  }

  private static final class AsyncCaffeine extends CaffeineStore implements AsyncCacheResolver {
    @Override
    public boolean isAsync() {
      return true;
    }
  }

  private static final class SyncCaffeine extends CaffeineStore implements SyncCacheResolver {
    @Override
    public boolean isAsync() {
      return false;
    }
  }
}
