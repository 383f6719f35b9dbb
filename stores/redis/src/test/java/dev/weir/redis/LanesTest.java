package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Claim;
import dev.weir.LimitKey;
import dev.weir.StoreFailure;
import dev.weir.async.Continuations;
import dev.weir.redis.connection.Link;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.redis.fault.Load;
import dev.weir.time.Ticker;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Lanes are created and dropped as nodes come and go. */
@Timeout(120)
class LanesTest {
  private static final RedisSettings SETTINGS =
      RedisSettings.parse("redis-cluster://h?deadline=5s");

  private String node = "";

  private final Link link =
      new Link() {
        @Override
        public RedisClusterAsyncCommands<byte[], byte[]> commands() {
          throw new RedisConnectionException("no connection");
        }

        @Override
        public NodeSlot nodeSlot(LimitKey key) {
          return new NodeSlot(node, 0);
        }

        @Override
        public NodeSlot nodeSlot(byte[] name) {
          return new NodeSlot(node, 0);
        }

        @Override
        public boolean isSingleNode() {
          return true;
        }

        @Override
        public Map<String, String> nodes() {
          return Map.of(node, node);
        }

        @Override
        public Set<Executor> eventLoops() {
          return Set.of();
        }

        @Override
        public boolean knowsNode(String name) {
          return name.equals(node);
        }

        @Override
        public void reconnect(String name) {}

        @Override
        public void close() {}
      };

  @Test
  void laneToANodeThatHasLeftIsDropped() {
    List<Claim> claims = Load.claims(1, 10);
    try (RedisStore store =
        new RedisStore(link, SETTINGS, null, Ticker.system(), Continuations.DIRECT)) {
      for (int i = 0; i < 100; i++) {
        node = "node " + i;
        assertThatThrownBy(() -> store.take(claims).join())
            .isInstanceOf(StoreFailure.class)
            .hasMessage("not connected to Redis");
      }
      assertThat(store.laneNodes()).containsExactly("node 99");
    }
  }

  @Test
  void closedStoreRejectsRequests() {
    RedisStore store = new RedisStore(link, SETTINGS, null, Ticker.system(), Continuations.DIRECT);
    store.close();
    assertThatThrownBy(() -> store.take(Load.claims(1, 10)).join())
        .isInstanceOf(StoreFailure.class)
        .hasMessage("the store is closed");
  }
}
