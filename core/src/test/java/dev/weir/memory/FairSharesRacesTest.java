package dev.weir.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimitKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The same as {@link FairSharesTest} while many threads flood at once. */
class FairSharesRacesTest {
  private static final long SECOND = 1_000_000;
  private static final int ROOM = 20_000;
  private static final Limit DAILY = Limit.fixedWindow(5, Duration.ofDays(1));
  private static final Limit FLOODED = DAILY.ofRule("search");
  private static final Limit OTHER = DAILY.ofRule("login");
  private static final Limit THIRD = Limit.tokenBucket(5, Duration.ofDays(1)).ofRule("signup");

  private final AtomicLong clock = new AtomicLong(1_700_000_000 * SECOND);
  private final MemoryStore store = new MemoryStore(ROOM, clock::get);

  private static LimitKey key(Limit limit, int i) {
    return new LimitKey(limit.group(), i);
  }

  private Decision take(Limit limit, int i) {
    return store.take(limit, key(limit, i));
  }

  private void flood(Limit limit) {
    for (int i = 0; i < ROOM + ROOM / 10; i++) {
      take(limit, i);
    }
  }

  /** How many of so many callers who ask once are let pass, each by a counter of its own. */
  private int newcomers(Limit limit, int callers) {
    int passed = 0;
    for (int i = 0; i < callers; i++) {
      passed += take(limit, i).remaining() == limit.permits() - 1 ? 1 : 0;
    }
    return passed;
  }

  @Test
  void floodsFromManyThreadsLeaveTheAccountsRight() throws InterruptedException {
    flood(FLOODED);
    AtomicReference<Throwable> failed = new AtomicReference<>();
    List<Thread> threads = new ArrayList<>();
    AtomicLong granted = new AtomicLong();
    for (Limit limit : List.of(FLOODED, OTHER, THIRD, FLOODED)) {
      threads.add(new Thread(() -> flood(limit)));
    }
    Limit quiet = DAILY.ofRule("quiet");
    for (int i = 0; i < 2; i++) {
      threads.add(
          new Thread(
              () -> {
                for (int j = 0; j < ROOM; j++) {
                  granted.addAndGet(take(quiet, j % 50).allowed() ? 1 : 0);
                }
              }));
    }
    for (Thread thread : threads) {
      thread.setUncaughtExceptionHandler((one, failure) -> failed.set(failure));
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failed.get()).isNull();
    assertThat(granted.get()).as("exactly the limit for who is within its share").isEqualTo(50 * 5);
    assertThat(store.size()).isLessThanOrEqualTo(ROOM);
    clock.addAndGet(2 * 86_400 * SECOND);
    store.trim();
    assertThat(newcomers(OTHER, ROOM)).as("nothing is counted that is not there").isEqualTo(ROOM);
  }

  /** Room that is made for one caller must not be taken by another before it is used. */
  @Test
  void whoIsWithinItsShareHasACounterOfItsOwnHoweverManyWantRoom() throws InterruptedException {
    int rounds = 200;
    for (int round = 0; round < rounds; round++) {
      MemoryStore small = new MemoryStore(64, clock::get);
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
