package dev.weir.shared;

import static org.assertj.core.api.Assertions.assertThat;

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

  @Test
  void storeThatAnswersIsNotLost() {
    store.start();
    scheduler.advance(Duration.ofSeconds(2));
    assertThat(events).isEmpty();
    assertThat(store.isAnswering()).isTrue();
  }
}
