package dev.weir.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.key.KeySpace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The memory bound: how long a key occupies memory, and what happens without room. */
class MemoryStoreBoundTest {
  private static final long SECOND = 1_000_000;
  private static final Limit LIMIT = Limit.tokenBucket(10, Duration.ofSeconds(1), 20);

  private final AtomicLong clock = new AtomicLong(1_700_000_000 * SECOND);
  private final KeySpace keys = KeySpace.withSecret(new byte[KeySpace.SECRET_BYTES]);

  private MemoryStore store(long maxKeys) {
    return new MemoryStore(maxKeys, clock::get);
  }

  private LimitKey key(int i) {
    return keys.key("caller", Integer.toString(i));
  }

  @Test
  void aKeyOccupiesNoMemoryOnceItsBucketIsFullAgain() {
    MemoryStore store = store(1_000_000);
    for (int i = 0; i < 100_000; i++) {
      store.take(LIMIT, key(i));
    }
    assertThat(store.size()).isEqualTo(100_000);
    clock.addAndGet(SECOND / 10 - 1);
    store.trim();
    assertThat(store.size()).isEqualTo(100_000);
    clock.addAndGet(1);
    store.trim();
    assertThat(store.size()).isZero();
  }

  @Test
  void newKeysReplaceExpiredOnesWithoutASweep() {
    MemoryStore store = store(1_000_000);
    for (int second = 0; second < 50; second++) {
      for (int i = 0; i < 10_000; i++) {
        store.take(LIMIT, key(second * 10_000 + i));
      }
      clock.addAndGet(SECOND);
    }
    // Half a million keys were used, ten thousand at a time.
    assertThat(store.size()).isLessThan(40_000);
  }

  @Test
  void aFloodOfKeysStaysUnderTheBoundAndIsLimitedAsOneCaller() {
    MemoryStore store = store(1_000);
    int admitted = 0;
    for (int i = 0; i < 100_000; i++) {
      admitted += store.take(LIMIT, key(i)).allowed() ? 1 : 0;
    }
    assertThat(store.size()).isEqualTo(1_000);
    assertThat(store.occupied()).isEqualTo(store.maxKeys()).isEqualTo(1_000);
    assertThat(store.overflowed()).isEqualTo(99_000);
    assertThat(admitted).isEqualTo(1_000 + 20);
  }

  @Test
  void anAbuserStaysLimitedThroughoutAFlood() {
    MemoryStore store = store(1_000);
    LimitKey abuser = keys.key("abuser");
    int admitted = 0;
    int seconds = 20;
    for (int i = 0; i < 200_000; i++) {
      store.take(LIMIT, key(i));
      admitted += store.take(LIMIT, abuser).allowed() ? 1 : 0;
      clock.addAndGet(seconds * SECOND / 200_000);
    }
    assertThat(admitted).isBetween(20 + 10 * seconds - 1, 20 + 10 * seconds);
    assertThat(store.size()).isLessThanOrEqualTo(1_000);
  }

  @Test
  void afterAFloodNewKeysHaveRoomAgain() {
    MemoryStore store = store(1_000);
    for (int i = 0; i < 10_000; i++) {
      store.take(LIMIT, key(i));
    }
    clock.addAndGet(2 * SECOND);
    long overflowed = store.overflowed();
    for (int i = 20_000; i < 20_900; i++) {
      assertThat(store.take(LIMIT, key(i)).remaining()).isEqualTo(19);
    }
    assertThat(store.overflowed()).isEqualTo(overflowed);
  }

  @Test
  void aStoreFullOfExpiredKeysAlwaysHasRoom() {
    Limit limit = Limit.fixedWindow(1, Duration.ofSeconds(1));
    for (int round = 0; round < 200; round++) {
      MemoryStore store = store(6);
      for (int i = 0; i < 6; i++) {
        store.take(limit, key(1_000 * round + i));
      }
      clock.addAndGet(10 * SECOND);
      for (int i = 6; i < 56; i++) {
        store.take(limit, key(1_000 * round + i));
        clock.addAndGet(2 * SECOND);
      }
      assertThat(store.overflowed()).as("round %d", round).isZero();
    }
  }

  @Test
  void afterAJumpOfAnyLengthExpiredKeysMakeRoom() {
    for (long days : new long[] {1, 13, 100, 450, 700, 1_000, 20_000}) {
      MemoryStore store = store(100);
      for (int i = 0; i < 100; i++) {
        store.take(LIMIT, key(i));
      }
      clock.addAndGet(days * 86_400 * SECOND);
      for (int i = 100; i < 190; i++) {
        assertThat(store.take(LIMIT, key(i)).remaining()).as("%d days", days).isEqualTo(19);
      }
      assertThat(store.overflowed()).as("%d days", days).isZero();
    }
  }

  @Test
  void keysThatAreTooFarAheadOfTheClockMakeRoom() {
    Limit daily = Limit.fixedWindow(5, Duration.ofDays(1));
    MemoryStore store = store(100);
    clock.addAndGet(10 * 86_400 * SECOND);
    for (int i = 0; i < 100; i++) {
      store.take(daily, key(i));
    }
    assertThat(store.size()).isEqualTo(100);
    clock.addAndGet(-10 * 86_400 * SECOND);
    for (int i = 100; i < 190; i++) {
      assertThat(store.take(daily, key(i)).remaining()).isEqualTo(4);
    }
    assertThat(store.overflowed()).isZero();
    store.trim();
    assertThat(store.size()).isEqualTo(90);
  }

  @Test
  void peekSeesTheRoomThatTakeWouldFind() {
    MemoryStore store = store(10);
    for (int i = 0; i < 100; i++) {
      store.take(LIMIT, key(i));
    }
    clock.addAndGet(SECOND / 10);
    assertThat(store.peek(List.of(Claim.of(LIMIT, key(300), 5))).remaining()).isEqualTo(20);
  }

  @Test
  void keysThatAreNoHashesAreSpreadEvenly() {
    // A store whose keys all start at one slot would take minutes for this.
    MemoryStore store = store(1_000_000);
    for (int i = 0; i < 200_000; i++) {
      store.take(LIMIT, new LimitKey(0, i));
      store.take(LIMIT, new LimitKey((long) i << 32, i));
      store.take(LIMIT, new LimitKey(i, 0));
    }
    assertThat(store.overflowed()).isZero();
  }

  @Test
  void aRequestOfNewAndOfExpiredKeysIsAlwaysAnswered() {
    assertTimeoutPreemptively(
        Duration.ofSeconds(60),
        () -> {
          MemoryStore store = store(64);
          for (int round = 0; round < 2_000; round++) {
            clock.addAndGet(SECOND);
            List<Claim> claims = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
              claims.add(Claim.of(LIMIT, key((round * 7 + i * 5) % 97)));
            }
            assertThat(store.take(claims).allowed()).isTrue();
            assertThat(store.charge(claims).allowed()).isTrue();
          }
        });
  }

  @Test
  void anExhaustedOverflowDoesNotDenyKeysThatHaveRoomAgain() {
    MemoryStore store = store(10);
    for (int i = 0; i < 100; i++) {
      store.take(LIMIT, key(i));
    }
    // The keys in the store have expired; the shared counter is still exhausted.
    clock.addAndGet(SECOND / 10);
    List<Claim> claims = List.of(Claim.of(LIMIT, key(200), 5), Claim.of(LIMIT, key(201), 5));
    assertThat(store.take(claims).allowed()).isTrue();
  }

  @Test
  void aRequestOfManyNewKeysFindsRoomForAllOfThem() {
    for (int round = 0; round < 200; round++) {
      MemoryStore store = store(10);
      List<Claim> claims = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        claims.add(Claim.of(LIMIT, key(10 * round + i)));
      }
      assertThat(store.take(claims).allowed()).isTrue();
      assertThat(store.size()).as("round %d", round).isEqualTo(10);
      assertThat(store.overflowed()).isZero();
    }
  }

  @Test
  void aDeniedRequestLeavesNoKeyBehind() {
    MemoryStore store = store(1_000);
    store.take(Claim.of(LIMIT, key(0), 20));
    for (int i = 1; i <= 500; i++) {
      List<Claim> claims = List.of(Claim.of(LIMIT, key(i)), Claim.of(LIMIT, key(0)));
      assertThat(store.take(claims).allowed()).isFalse();
      assertThat(store.take(Claim.of(LIMIT, key(i), 21)).verdict())
          .isEqualTo(Decision.Verdict.NEVER);
      assertThat(store.take(Claim.of(LIMIT, key(i), 0)).allowed()).isTrue();
      store.peek(claims);
      store.refund(List.of(Claim.of(LIMIT, key(i))));
    }
    assertThat(store.size()).isEqualTo(1);
  }

  @Test
  void aKeyWithALogCountsForTheMemoryOfItsLog() {
    MemoryStore store = store(1_000);
    Limit log = Limit.slidingLog(100, Duration.ofMinutes(1));
    for (int i = 0; i < 1_000; i++) {
      store.take(log, key(i));
    }
    // 100 pairs of numbers occupy 25 cells.
    assertThat(store.size()).isEqualTo(1_000 / 26);
  }

  @Test
  void theBoundIsKeptWhenALimitChangesItsAlgorithm() {
    MemoryStore store = store(100);
    Limit log = Limit.slidingLog(100, Duration.ofMinutes(1));
    Claim changed = new Claim(LIMIT, key(0), 1, 0);
    store.take(changed.withLimit(log));
    store.take(changed);
    store.reset(List.of(changed));
    for (int i = 0; i < 200; i++) {
      store.take(LIMIT, key(i));
    }
    assertThat(store.size()).isEqualTo(100);
  }

  @Test
  void limitsThatFindNoRoomDoNotShareAnOverflowCounterWithOthers() {
    MemoryStore store = store(1);
    store.take(LIMIT, key(0));
    Limit other = Limit.tokenBucket(5, Duration.ofSeconds(1));
    for (int i = 1; i < 100; i++) {
      store.take(LIMIT, key(i));
    }
    assertThat(store.take(other, key(100)).remaining()).isEqualTo(4);
  }
}
