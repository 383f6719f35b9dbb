package dev.weir.redis.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.redis.RedisStore;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.testkit.redis.RedisSentinels;
import dev.weir.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The master fails under load, and the Sentinels promote a replica. */
@Timeout(300)
class SentinelFaultTest {
  private static final long PERMITS = 8_000;

  /** A failover loses what was not replicated: here less than the last second. */
  private static final Duration LAG = Duration.ofSeconds(1);

  private static String url(RedisSentinels sentinels) {
    return sentinels.sentinels().stream()
        .map(sentinel -> "127.0.0.1:" + sentinel.port())
        .collect(
            Collectors.joining(
                ",", "redis-sentinel://", Load.DEADLINE + "&master=" + RedisSentinels.NAME));
  }

  @Test
  void failoverLosesAtMostTheReplicationLag() {
    try (RedisSentinels sentinels = RedisSentinels.start();
        RedisStore store = RedisStore.connect(RedisSettings.parse(url(sentinels)));
        Load load = Load.on(store, Load.claims(1, PERMITS))) {
      load.runFor(LAG.plusMillis(100));
      long unreplicated = load.outcomes().allowedSince(System.nanoTime() - LAG.toNanos());
      long start = System.nanoTime();
      RedisServer promoted = sentinels.failover();
      Duration elected = Duration.ofNanos(System.nanoTime() - start);
      Duration recovery = load.awaitRecovery(Load.RECOVERY);
      load.awaitDenials().stop();
      System.out.printf(
          "Sentinel failover: elected after %s, recovered after %s more; lost %d; %s%n",
          elected, recovery, load.outcomes().allowed() - PERMITS, load);
      assertThat(load.outcomes().allowed()).isLessThanOrEqualTo(PERMITS + unreplicated);
      try (RedisStore auditor =
          RedisStore.connect(RedisSettings.parse(promoted.url() + "?deadline=5s"))) {
        load.assertNoDoubleCharge(auditor);
      }
    }
  }
}
