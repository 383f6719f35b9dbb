package dev.weir.testkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Real sentinels that monitor a real master. */
class RedisSentinelsTest {
  @ParameterizedTest
  @EnumSource
  void sentinelsReplaceAKilledMaster(Binaries binary) {
    try (RedisSentinels redis = RedisSentinels.start(binary.get())) {
      RedisServer old = redis.master();
      assertThat(redis.sentinels()).hasSize(3).allMatch(RedisServer::isRunning);
      assertThat(redis.servers()).hasSize(3).startsWith(old);
      assertThat(old.text("SET", "k", "v")).isEqualTo("OK");
      assertThat(old.number("WAIT", "2", "1000")).isEqualTo(2);
      assertThatExceptionOfType(RedisErrorException.class)
          .isThrownBy(() -> redis.servers().get(1).command("SET", "k", "w"))
          .withMessageStartingWith("READONLY ");

      RedisServer next = redis.failover();
      assertThat(old.isRunning()).isFalse();
      assertThat(next).isNotSameAs(old).isSameAs(redis.master());
      assertThat(next.text("GET", "k")).isEqualTo("v");
      assertThat(next.text("SET", "k", "w")).isEqualTo("OK");
    }
  }
}
