package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.redis.RedisSentinels;
import dev.weir.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The master dies under load, and Sentinels name another. */
@Timeout(300)
class SentinelFaultTest {
  private static final long PERMITS = 8_000;

  /** A failover forgets what the replica had not heard of: here less than the last second. */
  private static final Duration LAG = Duration.ofSeconds(1);

  private static String url(RedisSentinels sentinels) {
    return sentinels.sentinels().stream()
        .map(sentinel -> "127.0.0.1:" + sentinel.port())
        .collect(
            Collectors.joining(
                ",", "redis-sentinel://", Load.DEADLINE + "&master=" + RedisSentinels.NAME));
  }

  @Test
  void aFailoverForgetsAtMostTheLag() {
    try (RedisSentinels sentinels = RedisSentinels.start();
        RedisStore store = RedisStore.connect(RedisSettings.parse(url(sentinels)));
        Load load = Load.on(store, Load.claims(1, PERMITS))) {
      load.runFor(LAG.plusMillis(100));
      long lag = load.allowedSince(System.nanoTime() - LAG.toNanos());
      long start = System.nanoTime();
      RedisServer heir = sentinels.failover();
      Duration elected = Duration.ofNanos(System.nanoTime() - start);
      Duration after = load.recovered(Load.RECOVERY);
      load.awaitDenials().stop();
      System.out.printf(
          "Sentinel failover: elected after %s, back after %s more; forgotten %d; %s%n",
          elected, after, load.allowed() - PERMITS, load);
      assertThat(load.allowed()).isLessThanOrEqualTo(PERMITS + lag);
      try (RedisStore auditor =
          RedisStore.connect(RedisSettings.parse(heir.url() + "?deadline=5s"))) {
        load.assertNoDoubleCharge(auditor);
      }
    }
  }
}
