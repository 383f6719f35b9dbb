package dev.weir.shared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.memory.MemoryStore;
import dev.weir.testkit.time.ManualScheduler;
import dev.weir.testkit.time.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A server that starts while its store cannot be reached, on a manual clock. */
class StoreSupervisorStartTest {
  private static final List<Claim> FIVE_OF_TEN =
      List.of(new Claim(Limit.fixedWindow(10, Duration.ofHours(1)), new LimitKey(3, 4), 5, 0));

  private final ManualTicker ticker = ManualTicker.at(Duration.ofDays(20_000));
  private final ManualScheduler scheduler = new ManualScheduler(ticker);
  private final MemoryStore counters = new MemoryStore(1_000, ticker);
  private final RemoteStore remote = new RemoteStore(counters, scheduler);
  private final List<String> events = new ArrayList<>();
  private final SharedStore store =
      SharedStore.around(remote)
          .fallback(new MemoryStore(1_000, ticker))
          .scheduler(scheduler)
          .ticker(ticker)
          .listener(
              new SharedStoreListener() {
                @Override
                public void onLost(String shard, Throwable failure) {
                  events.add("lost");
                }

                @Override
                public void onRecovered() {
                  events.add("recovered");
                }
              })
          .build();

  @Test
  void storeWithoutAConnectionIsLostFromTheStart() {
    remote.disconnected = true;
    store.start();
    assertThat(events).containsExactly("lost");
    assertThat(store.isAnswering()).isFalse();
    assertThat(store.outages()).isEqualTo(1);
  }

  @Test
  void storeThatAppearsIsUsedWithinTwoSecondsAndIsChargedForLocalGrants() {
    remote.disconnected = true;
    store.start();
    StoreFailure gone = new StoreFailure(Effect.NONE, "disconnected", null);
    assertThat(store.fallback().storeAfter(gone).take(FIVE_OF_TEN).join().allowed()).isTrue();
    scheduler.advance(Duration.ofSeconds(10));
    assertThat(events).as("still lost").containsExactly("lost");
    remote.disconnected = false;
    scheduler.advance(Duration.ofSeconds(2));
    assertThat(events).containsExactly("lost", "recovered");
    assertThat(store.isAnswering()).isTrue();
    assertThat(counters.peek(List.of(FIVE_OF_TEN.get(0).withCost(0))).remaining()).isEqualTo(5);
  }

  /** Otherwise a whole limit would be granted again, before the store hears of the local grants. */
  @Test
  void requestsReachAStoreThatAppearsOnlyAfterThePendingCharges() {
    remote.disconnected = true;
    store.start();
    assertThat(store.breakerState()).isEqualTo("open");
    StoreFailure gone = new StoreFailure(Effect.NONE, "disconnected", null);
    assertThat(store.fallback().storeAfter(gone).take(FIVE_OF_TEN).join().allowed()).isTrue();
    remote.disconnected = false;
    assertThatThrownBy(() -> store.take(FIVE_OF_TEN).join()).isInstanceOf(StoreFailure.class);
    assertThat(remote.received).isEmpty();
    scheduler.advance(Duration.ofSeconds(2));
    assertThat(remote.received).startsWith("charge 1", "charge 5");
    assertThat(store.breakerState()).isEqualTo("closed");
  }

  /** A cluster is one shard as long as its nodes are not known. */
  @Test
  void shardsThatAppearGetRequestsOnlyAfterThePendingCharges() {
    remote.disconnected = true;
    LimitKey key = FIVE_OF_TEN.get(0).key();
    AtomicBoolean known = new AtomicBoolean();
    Shards shards =
        new Shards() {
          @Override
          public String shardOf(LimitKey any) {
            return known.get() ? "node" : "";
          }

          @Override
          public Map<String, LimitKey> all() {
            return Map.of(shardOf(key), new LimitKey(0, 0));
          }

          @Override
          public String name(String shard) {
            return shard;
          }
        };
    SharedStore cluster =
        SharedStore.around(remote)
            .shards(shards)
            .fallback(new MemoryStore(1_000, ticker))
            .scheduler(scheduler)
            .ticker(ticker)
            .build();
    cluster.start();
    StoreFailure gone = new StoreFailure(Effect.NONE, "disconnected", null);
    assertThat(cluster.fallback().storeAfter(gone).take(FIVE_OF_TEN).join().allowed()).isTrue();
    known.set(true);
    remote.disconnected = false;
    assertThatThrownBy(() -> cluster.take(FIVE_OF_TEN).join()).isInstanceOf(StoreFailure.class);
    scheduler.advance(Duration.ofSeconds(2));
    assertThat(remote.received).startsWith("charge 1", "charge 5");
    assertThat(cluster.breakerState()).isEqualTo("closed");
    assertThat(cluster.isAnswering()).isTrue();
  }

  @Test
  void storeThatAnswersIsNotLost() {
    store.start();
    scheduler.advance(Duration.ofSeconds(2));
    assertThat(events).isEmpty();
    assertThat(store.isAnswering()).isTrue();
  }
}
