package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Claim;
import dev.weir.LimitKey;
import dev.weir.StoreFailure;
import dev.weir.Ticker;
import dev.weir.operation.Continuations;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Servers come and go. */
@Timeout(120)
class LanesTest {
  private static final RedisSettings SETTINGS =
      RedisSettings.parse("redis-cluster://h?deadline=5s");

  private String server = "";

  private final Link link =
      new Link() {
        @Override
        public RedisClusterAsyncCommands<byte[], byte[]> commands() {
          throw new RedisConnectionException("nobody there");
        }

        @Override
        public Place place(LimitKey key) {
          return new Place(server, 0);
        }

        @Override
        public Place place(byte[] name) {
          return new Place(server, 0);
        }

        @Override
        public boolean isOne() {
          return true;
        }

        @Override
        public Map<String, String> servers() {
          return Map.of(server, server);
        }

        @Override
        public Set<Executor> loops() {
          return Set.of();
        }

        @Override
        public boolean knows(String name) {
          return name.equals(server);
        }

        @Override
        public void renew(String name) {}

        @Override
        public void close() {}
      };

  @Test
  void noLaneIsKeptToAServerThatHasGone() {
    List<Claim> claims = Load.claims(1, 10);
    try (RedisStore store =
        new RedisStore(link, SETTINGS, null, Ticker.system(), Continuations.DIRECT)) {
      for (int i = 0; i < 100; i++) {
        server = "server " + i;
        assertThatThrownBy(() -> store.take(claims).join())
            .isInstanceOf(StoreFailure.class)
            .hasMessage("not connected to Redis");
      }
      assertThat(store.servers()).containsExactly("server 99");
    }
  }

  @Test
  void whoComesAfterTheEndIsToldSo() {
    RedisStore store = new RedisStore(link, SETTINGS, null, Ticker.system(), Continuations.DIRECT);
    store.close();
    assertThatThrownBy(() -> store.take(Load.claims(1, 10)).join())
        .isInstanceOf(StoreFailure.class)
        .hasMessage("the store is closed");
  }
}
