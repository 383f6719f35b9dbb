package dev.weir.memory;

import static dev.weir.memory.FullStore.DAILY;
import static dev.weir.memory.FullStore.FLOODED;
import static dev.weir.memory.FullStore.OTHER;
import static dev.weir.memory.FullStore.ROOM;
import static dev.weir.memory.FullStore.SECOND;
import static dev.weir.memory.FullStore.THIRD;
import static dev.weir.memory.FullStore.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** {@link FairSharesTest} with concurrent floods from many threads. */
class FairSharesRacesTest {
  private final FullStore full = new FullStore();
  private final MemoryStore store = full.store;

  @Test
  void concurrentFloodsLeaveTheAccountsConsistent() throws InterruptedException {
    full.flood(FLOODED);
    AtomicReference<Throwable> failed = new AtomicReference<>();
    List<Thread> threads = new ArrayList<>();
    AtomicLong granted = new AtomicLong();
    for (Limit limit : List.of(FLOODED, OTHER, THIRD, FLOODED)) {
      threads.add(new Thread(() -> full.flood(limit)));
    }
    Limit quiet = DAILY.ofRule("quiet");
    for (int i = 0; i < 2; i++) {
      threads.add(
          new Thread(
              () -> {
                for (int j = 0; j < ROOM; j++) {
                  granted.addAndGet(full.take(quiet, j % 50).allowed() ? 1 : 0);
                }
              }));
    }
    for (Thread thread : threads) {
      thread.setUncaughtExceptionHandler((failing, failure) -> failed.set(failure));
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failed.get()).isNull();
    assertThat(granted.get()).as("exactly the limit for a rule within its share").isEqualTo(50 * 5);
    assertThat(store.size()).isLessThanOrEqualTo(ROOM);
    full.clock.addAndGet(2 * 86_400 * SECOND);
    store.trim();
    assertThat(full.newcomers(OTHER, ROOM))
        .as("the accounts contain no dropped counters")
        .isEqualTo(ROOM);
  }

  /** Room made for one caller must not be taken by another before it is used. */
  @Test
  void aRuleWithinItsShareHasItsOwnCountersDuringConcurrentFloods() throws InterruptedException {
    int rounds = 200;
    for (int round = 0; round < rounds; round++) {
      MemoryStore small = new MemoryStore(64, full.clock::get);
      AtomicBoolean over = new AtomicBoolean();
      List<Thread> threads = new ArrayList<>();
      for (Limit limit : List.of(FLOODED, OTHER, THIRD)) {
        threads.add(
            new Thread(
                () -> {
                  for (int i = 0; !over.get(); i++) {
                    small.take(limit, key(limit, i));
                  }
                }));
      }
      threads.forEach(Thread::start);
      Limit quiet = DAILY.ofRule("quiet");
      int granted = 0;
      for (int i = 0; i < 12 * 6; i++) {
        granted += small.take(quiet, key(quiet, i / 6)).allowed() ? 1 : 0;
      }
      over.set(true);
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(granted).as("round " + round).isEqualTo(12 * 5);
      assertThat(small.size()).isLessThanOrEqualTo(64);
    }
  }
}
