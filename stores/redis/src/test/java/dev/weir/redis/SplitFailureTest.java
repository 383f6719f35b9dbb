package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Claim;
import dev.weir.LimitKey;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.async.Continuations;
import dev.weir.redis.connection.Link;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.redis.fault.Load;
import dev.weir.redis.script.Packer;
import dev.weir.testkit.Effort;
import dev.weir.time.Ticker;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.cluster.PipelinedRedisFuture;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A request in two slots, with replies that the test controls. */
@Timeout(120)
class SplitFailureTest {
  private static final List<Claim> TWO = Load.claims(2, 10);

  private final Deque<CompletableFuture<byte[]>> replies = new ArrayDeque<>();

  private final RedisStore store =
      new RedisStore(
          new Link() {
            @Override
            @SuppressWarnings("unchecked")
            public RedisClusterAsyncCommands<byte[], byte[]> commands() {
              return (RedisClusterAsyncCommands<byte[], byte[]>)
                  Proxy.newProxyInstance(
                      getClass().getClassLoader(),
                      new Class<?>[] {RedisClusterAsyncCommands.class},
                      (proxy, method, arguments) ->
                          new PipelinedRedisFuture<>(replies.removeFirst()));
            }

            @Override
            public NodeSlot nodeSlot(LimitKey key) {
              int slot = (int) (key.high() & 0x3FFF); // where the two differ
              return new NodeSlot(node(slot), slot);
            }

            @Override
            public NodeSlot nodeSlot(byte[] name) {
              return new NodeSlot("", 0);
            }

            @Override
            public boolean isSingleNode() {
              return false;
            }

            @Override
            public Map<String, String> nodes() {
              return Map.of();
            }

            @Override
            public Set<Executor> eventLoops() {
              return Set.of();
            }

            @Override
            public boolean knowsNode(String node) {
              return true;
            }

            @Override
            public void reconnect(String node) {}

            @Override
            public void close() {}
          },
          RedisSettings.parse("redis-cluster://h?deadline=1s&in-flight=16"),
          null,
          Ticker.system(),
          Continuations.DIRECT);

  @AfterEach
  void close() {
    store.close();
  }

  private static CompletableFuture<byte[]> allowed() {
    Packer packer = new Packer();
    for (int number : new int[] {0, 0, 9, 0, 1}) {
      packer.number(number);
    }
    return CompletableFuture.completedFuture(packer.toByteArray());
  }

  /** A reply of the time and the counter before a take. */
  private static CompletableFuture<byte[]> taken() {
    ByteBuffer doubles = ByteBuffer.allocate(3 * Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    doubles.putDouble(1.8e15).putDouble(0).putDouble(0);
    return CompletableFuture.completedFuture(doubles.array());
  }

  private static CompletableFuture<byte[]> failed() {
    return CompletableFuture.failedFuture(new RedisConnectionException("down"));
  }

  private static String node(int slot) {
    return "node of " + slot;
  }

  /** The first or second node, in the order in which the request calls them. */
  private static String node(boolean first) {
    IntStream slots = TWO.stream().mapToInt(claim -> (int) (claim.key().high() & 0x3FFF)).sorted();
    return node(slots.skip(first ? 0 : 1).findFirst().orElseThrow());
  }

  private StoreFailure failure() {
    StoreFailure[] failed = new StoreFailure[1];
    assertThatThrownBy(() -> store.take(TWO).join())
        .isInstanceOfSatisfying(StoreFailure.class, failure -> failed[0] = failure);
    return failed[0];
  }

  @Test
  void failureNamesTheNodeThatDidNotAnswer() {
    replies.addAll(List.of(failed(), allowed()));
    assertThat(failure().shard()).contains(node(true));
    replies.addAll(List.of(allowed(), failed()));
    assertThat(failure().shard()).contains(node(false));
    replies.addAll(List.of(allowed(), allowed(), taken(), failed(), allowed()));
    assertThat(failure().shard()).contains(node(false));
    replies.addAll(List.of(allowed(), allowed(), taken(), failed(), failed()));
    assertThat(failure().shard()).contains(node(true));
    replies.addAll(List.of(allowed(), new CompletableFuture<>()));
    assertThat(failure().shard()).as("timeout").contains(node(false));
  }

  @Test
  void refundedPartsHaveNoEffect() {
    replies.addAll(List.of(allowed(), allowed(), taken(), failed(), allowed()));
    assertThat(failure().effect()).isEqualTo(Effect.NONE);
    assertThat(replies).isEmpty();
  }

  @Test
  void timeoutWhilePeekingHasNoEffect() {
    for (int i = 0; i < 2; i++) {
      List<CompletableFuture<byte[]>> peeks =
          new ArrayList<>(List.of(allowed(), new CompletableFuture<>()));
      Collections.rotate(peeks, i);
      replies.addAll(peeks);
      assertThat(failure().effect()).isEqualTo(Effect.NONE);
      peeks.forEach(peek -> peek.complete(allowed().join())); // too late for any take
      assertThat(replies).isEmpty();
    }
  }

  @Test
  void failedRefundHasUnknownEffect() {
    replies.addAll(List.of(allowed(), allowed(), taken(), failed(), failed()));
    assertThat(failure().effect()).isEqualTo(Effect.UNKNOWN);
    assertThat(replies).isEmpty();
  }

  @Test
  void cancelledRequestIsRefunded() {
    CompletableFuture<byte[]> second = new CompletableFuture<>();
    replies.addAll(List.of(allowed(), allowed(), taken(), second, allowed(), allowed()));
    CompletableFuture<?> cancelled = store.take(TWO).stage().toCompletableFuture();
    assertThat(cancelled.cancel(true)).isTrue();
    assertThat(replies).as("the second part is in flight").hasSize(2);
    second.complete(taken().join());
    assertThat(replies).as("both are refunded").isEmpty();
  }

  @Test
  void allPartsShareOneDeadline() {
    replies.addAll(List.of(allowed(), allowed()));
    replies.add(taken().thenApplyAsync(bytes -> bytes, after(700)));
    replies.add(new CompletableFuture<>());
    long start = System.nanoTime();
    assertThat(failure().effect()).isEqualTo(Effect.UNKNOWN);
    Duration max = Effort.isThorough() ? Duration.ofMillis(1_500) : Duration.ofMinutes(1);
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofMillis(990), max);
    assertThat(replies).isEmpty();
  }

  private static Executor after(int millis) {
    return CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS);
  }
}
