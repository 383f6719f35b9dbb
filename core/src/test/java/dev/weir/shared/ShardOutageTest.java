package dev.weir.shared;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.Operation;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.memory.MemoryStore;
import dev.weir.shared.fallback.LocalFallback;
import dev.weir.shared.fleet.Fleet;
import dev.weir.testkit.time.ManualScheduler;
import dev.weir.testkit.time.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A store of several shards, some of which do not answer. */
class ShardOutageTest {
  private static final Limit TEN = Limit.fixedWindow(10, Duration.ofHours(1));
  private static final int FAILURES = GuardSettings.DEFAULT.consecutiveFailures();

  private final ManualTicker ticker = ManualTicker.at(Duration.ofDays(20_000));
  private final ManualScheduler scheduler = new ManualScheduler(ticker);
  private final MemoryStore shared = new MemoryStore(1_000, ticker);
  private final Set<String> shards = new TreeSet<>(Set.of("0", "1", "2"));
  private final Set<String> gone = new HashSet<>();
  private final List<String> events = new ArrayList<>();
  private final Fleet fleet = Fleet.alone();
  private final LocalFallback fallback =
      new LocalFallback(new MemoryStore(1_000, ticker), fleet, ticker);
  private final StoreSupervisor supervisor =
      new StoreSupervisor(
          new ShardedStore(),
          new ShardsByUpperHalf(),
          GuardSettings.DEFAULT,
          scheduler,
          fleet,
          fallback,
          new Recorder());

  private static String upperHalf(LimitKey key) {
    return String.valueOf(key.high());
  }

  /** Fails where a shard is gone, and names it. */
  private final class ShardedStore implements Store {
    @Override
    public Answer apply(Operation operation, List<Claim> claims) {
      for (Claim claim : claims) {
        String shard = upperHalf(claim.key());
        if (gone.contains(shard)) {
          return Answer.failed(new StoreFailure(Effect.NONE, shard, shard + " is gone", null));
        }
      }
      return shared.apply(operation, claims);
    }
  }

  private final class ShardsByUpperHalf implements Shards {
    @Override
    public String shardOf(LimitKey key) {
      return upperHalf(key);
    }

    @Override
    public Map<String, LimitKey> all() {
      Map<String, LimitKey> all = new HashMap<>();
      shards.forEach(shard -> all.put(shard, new LimitKey(Long.parseLong(shard), 0)));
      return all;
    }

    @Override
    public String name(String shard) {
      return "number " + shard;
    }
  }

  private final class Recorder implements SharedStoreListener {
    @Override
    public void onAnswer(@Nullable Throwable failure) {}

    @Override
    public void onLost(String shard, Throwable failure) {
      events.add("lost " + shard);
    }

    @Override
    public void onRecovered() {
      events.add("recovered");
    }

    @Override
    public void onRosterLost(Throwable failure) {}

    @Override
    public void onRosterRecovered() {}
  }

  ShardOutageTest() {
    supervisor.start();
  }

  private static Claim at(int shard, int number) {
    return Claim.of(TEN, new LimitKey(shard, 100 + number));
  }

  private String take(Claim... claims) {
    try {
      return supervisor.guarded().take(List.of(claims)).join().allowed() ? "allowed" : "denied";
    } catch (StoreFailure e) {
      return String.valueOf(e.getMessage());
    }
  }

  private void lose(String shard) {
    gone.add(shard);
    for (int i = 0; i < FAILURES; i++) {
      assertThat(take(at(Integer.parseInt(shard), i))).isEqualTo(shard + " is gone");
    }
    assertThat(supervisor.guarded().state()).isEqualTo("open");
  }

  private void advance(double seconds) {
    scheduler.advance(Duration.ofMillis((long) (seconds * 1_000)));
  }

  @Test
  void breakerOfOneShardOpensAndTheOthersStayClosed() {
    lose("1");
    for (int second = 0; second < 20; second++) {
      for (int i = 0; i < 10; i++) {
        assertThat(take(at(0, 1_000 + 10 * second + i))).isEqualTo("allowed");
        assertThat(take(at(1, i))).contains("circuit breaker of the store is open");
      }
      advance(1);
    }
    assertThat(events).as("reported once").containsExactly("lost 1");
    assertThat(supervisor.unavailableShards()).containsExactly("1");
    gone.clear();
    advance(1.1);
    assertThat(events).containsExactly("lost 1", "recovered");
    assertThat(take(at(1, 1))).isEqualTo("allowed");
    assertThat(supervisor.guarded().isCircuitClosed()).isTrue();
  }

  @Test
  void callToAnOpenAndAClosedShardFailsAndTakesNothing() {
    lose("1");
    assertThat(take(at(0, 1), at(1, 1))).contains("circuit breaker of the store is open");
    assertThat(take(at(0, 1), at(2, 1))).isEqualTo("allowed");
    assertThat(shared.peek(List.of(at(0, 1))).remaining()).isEqualTo(9);
  }

  @Test
  void failureOfACallToSeveralShardsCountsForTheOneThatFailed() {
    gone.add("2");
    for (int i = 0; i < FAILURES; i++) {
      assertThat(take(at(0, i), at(2, i))).isEqualTo("2 is gone");
    }
    assertThat(take(at(0, 0))).isEqualTo("allowed");
    assertThat(take(at(2, 0))).contains("circuit breaker of the store is open");
    assertThat(events).containsExactly("lost 2");
  }

  @Test
  void pendingChargesAreSettledInShardsThatAnswer() {
    lose("1");
    StoreFailure failure = new StoreFailure(Effect.NONE, "gone", null);
    fallback.storeAfter(failure).take(List.of(at(0, 1)));
    fallback.storeAfter(failure).take(List.of(at(1, 1)));
    advance(3);
    assertThat(fallback.settled()).isEqualTo(1);
    assertThat(fallback.lost()).isZero();
    gone.clear();
    advance(1.1);
    assertThat(fallback.settled()).isEqualTo(2);
    assertThat(shared.peek(List.of(at(1, 1).withCost(0))).remaining()).isEqualTo(9);
  }

  @Test
  void removedShardNoLongerCountsAsLost() {
    lose("1");
    shards.remove("1"); // another one has its slots
    advance(1.1);
    assertThat(events).containsExactly("lost 1", "recovered");
    assertThat(supervisor.isAnswering()).isTrue();
    assertThat(supervisor.guarded().state()).isEqualTo("closed");
  }

  @Test
  void allShardsAreLostAndRecoverOneByOne() {
    lose("0");
    lose("1");
    gone.add("2");
    advance(3.1);
    assertThat(events).as("also without a request").containsExactly("lost 0", "lost 1", "lost 2");
    gone.removeAll(Set.of("0", "2"));
    advance(1.1);
    assertThat(supervisor.unavailableShards()).containsExactly("1");
    assertThat(supervisor.isAnswering()).isFalse();
    gone.clear();
    advance(1.1);
    assertThat(events).endsWith("lost 2", "recovered").hasSize(4);
  }
}
