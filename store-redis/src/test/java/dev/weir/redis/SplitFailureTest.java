package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Claim;
import dev.weir.LimitKey;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.Ticker;
import dev.weir.operation.Continuations;
import dev.weir.testkit.Effort;
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

/** Claims in two slots, and answers that come when the test says so. */
@Timeout(120)
class SplitFailureTest {
  private static final List<Claim> TWO = Load.claims(2, 10);

  private final Deque<CompletableFuture<byte[]>> answers = new ArrayDeque<>();

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
                          new PipelinedRedisFuture<>(answers.removeFirst()));
            }

            @Override
            public Place place(LimitKey key) {
              int slot = (int) (key.high() & 0x3FFF); // where the two differ
              return new Place(server(slot), slot);
            }

            @Override
            public Place place(byte[] name) {
              return new Place("", 0);
            }

            @Override
            public boolean isOne() {
              return false;
            }

            @Override
            public Map<String, String> servers() {
              return Map.of();
            }

            @Override
            public Set<Executor> loops() {
              return Set.of();
            }

            @Override
            public boolean knows(String server) {
              return true;
            }

            @Override
            public void renew(String server) {}

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

  private static CompletableFuture<byte[]> yes() {
    Packer packer = new Packer();
    for (int number : new int[] {0, 0, 9, 0, 1}) {
      packer.number(number);
    }
    return CompletableFuture.completedFuture(packer.done());
  }

  /** What time it was, and the counter before a take. */
  private static CompletableFuture<byte[]> taken() {
    ByteBuffer doubles = ByteBuffer.allocate(3 * Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    doubles.putDouble(1.8e15).putDouble(0).putDouble(0);
    return CompletableFuture.completedFuture(doubles.array());
  }

  private static CompletableFuture<byte[]> no() {
    return CompletableFuture.failedFuture(new RedisConnectionException("no"));
  }

  private static String server(int slot) {
    return "server of " + slot;
  }

  /** Of the two, in the order in which they are asked. */
  private static String server(boolean first) {
    IntStream slots = TWO.stream().mapToInt(claim -> (int) (claim.key().high() & 0x3FFF)).sorted();
    return server(slots.skip(first ? 0 : 1).findFirst().orElseThrow());
  }

  private StoreFailure failure() {
    StoreFailure[] failed = new StoreFailure[1];
    assertThatThrownBy(() -> store.take(TWO).join())
        .isInstanceOfSatisfying(StoreFailure.class, failure -> failed[0] = failure);
    return failed[0];
  }

  @Test
  void whoeverDoesNotAnswerIsBlamed() {
    answers.addAll(List.of(no(), yes()));
    assertThat(failure().place()).contains(server(true));
    answers.addAll(List.of(yes(), no()));
    assertThat(failure().place()).contains(server(false));
    answers.addAll(List.of(yes(), yes(), taken(), no(), yes()));
    assertThat(failure().place()).contains(server(false));
    answers.addAll(List.of(yes(), yes(), taken(), no(), no()));
    assertThat(failure().place()).contains(server(true));
    answers.addAll(List.of(yes(), new CompletableFuture<>()));
    assertThat(failure().place()).as("time is over").contains(server(false));
  }

  @Test
  void whatIsGivenBackIsAsIfNeverTaken() {
    answers.addAll(List.of(yes(), yes(), taken(), no(), yes()));
    assertThat(failure().effect()).isEqualTo(Effect.NONE);
    assertThat(answers).isEmpty();
  }

  @Test
  void aRequestThatTimesOutBeforeAnythingIsTakenCostsNothing() {
    for (int i = 0; i < 2; i++) {
      List<CompletableFuture<byte[]>> looks =
          new ArrayList<>(List.of(yes(), new CompletableFuture<>()));
      Collections.rotate(looks, i);
      answers.addAll(looks);
      assertThat(failure().effect()).isEqualTo(Effect.NONE);
      looks.forEach(look -> look.complete(yes().join())); // too late for anything to be taken
      assertThat(answers).isEmpty();
    }
  }

  @Test
  void whatCannotBeGivenBackMayStayTaken() {
    answers.addAll(List.of(yes(), yes(), taken(), no(), no()));
    assertThat(failure().effect()).isEqualTo(Effect.UNKNOWN);
    assertThat(answers).isEmpty();
  }

  @Test
  void whatIsTakenForACallerWhoCancelledIsGivenBack() {
    CompletableFuture<byte[]> second = new CompletableFuture<>();
    answers.addAll(List.of(yes(), yes(), taken(), second, yes(), yes()));
    CompletableFuture<?> cancelled = store.take(TWO).stage().toCompletableFuture();
    assertThat(cancelled.cancel(true)).isTrue();
    assertThat(answers).as("the second part is on its way").hasSize(2);
    second.complete(taken().join());
    assertThat(answers).as("both are given back").isEmpty();
  }

  @Test
  void oneDeadlineHoldsForAllParts() {
    answers.addAll(List.of(yes(), yes()));
    answers.add(taken().thenApplyAsync(bytes -> bytes, after(700)));
    answers.add(new CompletableFuture<>());
    long start = System.nanoTime();
    assertThat(failure().effect()).isEqualTo(Effect.UNKNOWN);
    Duration latest = Effort.isThorough() ? Duration.ofMillis(1_500) : Duration.ofMinutes(1);
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isBetween(Duration.ofMillis(990), latest);
    assertThat(answers).isEmpty();
  }

  private static Executor after(int millis) {
    return CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS);
  }
}
