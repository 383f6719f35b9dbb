package dev.weir.memory;

import static dev.weir.memory.FullStore.DAILY;
import static dev.weir.memory.FullStore.FLOODED;
import static dev.weir.memory.FullStore.OTHER;
import static dev.weir.memory.FullStore.ROOM;
import static dev.weir.memory.FullStore.SECOND;
import static dev.weir.memory.FullStore.THIRD;
import static dev.weir.memory.FullStore.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.key.KeySpace;
import dev.weir.rule.Identity;
import dev.weir.rule.Rule;
import dev.weir.rule.book.RuleBook;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A flood of keys under one rule costs other rules no room when the store is full. */
class FairSharesTest {
  private final FullStore full = new FullStore();
  private final MemoryStore store = full.store;

  @Test
  void newKeysOfARuleThatIsNotFloodedAllHaveTheirOwnCounters() {
    full.flood(FLOODED);
    long overflowed = store.overflowed();
    assertThat(full.newcomers(OTHER, 20)).isEqualTo(20);
    assertThat(full.newcomers(THIRD, 20)).isEqualTo(20);
    assertThat(store.overflowed()).isEqualTo(overflowed);
    assertThat(store.evicted()).isEqualTo(40);
    assertThat(store.size()).isEqualTo(ROOM);
  }

  @Test
  void aKeyWithACounterInAFullStoreIsStillLimited() {
    full.flood(FLOODED);
    for (int i = 0; i < 20; i++) {
      for (int spent = 0; spent < 5; spent++) {
        assertThat(full.take(OTHER, i).allowed()).isTrue();
      }
      assertThat(full.take(OTHER, i).allowed()).isFalse();
    }
    full.flood(FLOODED);
    full.flood(THIRD);
    for (int i = 0; i < 20; i++) {
      assertThat(full.take(OTHER, i).allowed())
          .as("a rule within its share loses no counter")
          .isFalse();
    }
  }

  @Test
  void severalClaimsFindTheRoomOfTheirRules() {
    full.flood(FLOODED);
    for (int i = 0; i < 20; i++) {
      List<Claim> claims = List.of(Claim.of(OTHER, key(OTHER, i)), Claim.of(THIRD, key(THIRD, i)));
      assertThat(store.peek(claims).each()).extracting(Decision::remaining).containsOnly(5L);
      assertThat(store.take(claims).each()).extracting(Decision::remaining).containsOnly(4L);
      assertThat(store.charge(claims).each()).extracting(Decision::remaining).containsOnly(3L);
    }
  }

  @Test
  void floodedRulesHaveAboutTheSameRoom() {
    full.flood(FLOODED);
    // Plus one: the first key on the shared counter sees as many permits as one with its own.
    assertThat(full.newcomers(OTHER, ROOM)).isEqualTo(ROOM / 2 + 1);
    assertThat(full.newcomers(THIRD, ROOM)).isEqualTo((ROOM + 2) / 3 + 1);
    assertThat(full.take(FLOODED, 2 * ROOM).allowed())
        .as("keys without room share a counter")
        .isFalse();
    assertThat(store.size()).isEqualTo(ROOM);
  }

  @Test
  void evictionPrefersTheLeastUsedCounters() {
    int abusers = 100;
    for (int i = 0; i < abusers; i++) {
      for (int spent = 0; spent < 5; spent++) {
        full.take(FLOODED, i);
      }
    }
    full.flood(FLOODED);
    assertThat(full.newcomers(OTHER, ROOM / 4)).isEqualTo(ROOM / 4);
    int limited = 0;
    for (int i = 0; i < abusers; i++) {
      limited += full.take(FLOODED, i).allowed() ? 0 : 1;
    }
    assertThat(limited).isEqualTo(abusers);
  }

  @Test
  void evictionPrefersTheLargestRuleAboveItsShare() {
    Limit large = Limit.tokenBucket(9, Duration.ofDays(1)).ofRule("large");
    for (int i = 0; i < ROOM / 5; i++) {
      store.charge(List.of(Claim.of(large, key(large, i), 9)));
    }
    for (int rule = 0; rule < 50; rule++) {
      full.take(DAILY.ofRule("rule " + rule), 0);
    }
    full.flood(FLOODED);
    assertThat(full.newcomers(OTHER, 300)).isEqualTo(300);
    int limited = 0;
    for (int i = 0; i < ROOM / 5; i++) {
      limited += full.take(large, i).allowed() ? 0 : 1;
    }
    assertThat(limited).isEqualTo(ROOM / 5);
  }

  /** This holds although many other rules have a counter or two. */
  @Test
  void aRuleAboveItsShareFindsRoomIfAFloodHasMore() {
    for (int rule = 0; rule < 48; rule++) {
      full.take(DAILY.ofRule("rule " + rule), 0);
    }
    assertThat(full.newcomers(OTHER, ROOM / 10)).isEqualTo(ROOM / 10);
    full.flood(FLOODED);
    int passed = 0;
    for (int i = ROOM; i < ROOM + 20; i++) {
      passed += full.take(OTHER, i).remaining() == 4 ? 1 : 0;
    }
    assertThat(passed).isEqualTo(20);
    for (int rule = 0; rule < 48; rule++) {
      assertThat(full.take(DAILY.ofRule("rule " + rule), 0).remaining()).isEqualTo(3);
    }
  }

  /** Rules that were removed have no share. */
  @Test
  void rulesWithoutCountersHaveNoShare() {
    for (int rule = 0; rule < 10_000; rule++) {
      Limit gone = DAILY.ofRule("rule " + rule);
      full.take(gone, 0);
      store.reset(List.of(Claim.of(gone, key(gone, 0))));
    }
    full.flood(FLOODED);
    assertThat(full.newcomers(OTHER, ROOM / 2)).isEqualTo(ROOM / 2);
  }

  /** One counter of many cells evicts many others, from all segments, so that it terminates. */
  @Test
  void aConcurrencyLimitOfManyPermitsFindsRoom() {
    MemoryStore large = new MemoryStore(1 << 18, full.clock::get);
    for (int i = 0; i < 1 << 18; i++) {
      large.take(FLOODED, key(FLOODED, i));
    }
    Limit permits = Limit.concurrent(10_000, Duration.ofMinutes(1)).ofRule("permits");
    for (int i = 0; i < 10; i++) {
      Claim hold = Claim.hold(permits, key(permits, i), i + 1);
      assertThat(large.take(List.of(hold)).each().get(0).remaining()).isEqualTo(9_999);
    }
  }

  @Test
  void aCounterWithALogOccupiesSeveralCells() {
    Limit log = Limit.slidingLog(100, Duration.ofDays(1)).ofRule("log"); // 26 cells
    full.flood(FLOODED);
    for (int i = 0; i < ROOM / 2 / 26; i++) {
      assertThat(full.take(log, i).remaining()).isEqualTo(99);
    }
    assertThat(full.take(OTHER, 0).remaining()).isEqualTo(4);
    assertThat(store.size()).isLessThan(ROOM * 6 / 10);
  }

  @Test
  void aRuleKeepsItsRoomWhenItsLimitsAreRecreated() {
    full.flood(FLOODED);
    Limit again = Limit.fixedWindow(5, Duration.ofDays(1)).ofRule("search");
    assertThat(full.newcomers(again, 20)).as("the same callers").isZero();
    Limit other = Limit.fixedWindow(7, Duration.ofDays(1)).ofRule("search");
    long overflowed = store.overflowed();
    for (int i = 0; i < 20; i++) {
      store.take(other, new LimitKey(1, i));
    }
    assertThat(store.overflowed()).as("the rule has its share already").isEqualTo(overflowed + 20);
  }

  @Test
  void freedRoomIsAvailableToAllRules() {
    full.flood(FLOODED);
    full.newcomers(OTHER, ROOM);
    full.clock.addAndGet(2 * 86_400 * SECOND);
    store.trim();
    assertThat(store.size()).isZero();
    assertThat(full.newcomers(OTHER, ROOM)).isEqualTo(ROOM);
  }

  /** Two rules of a rule book with equal limits. */
  @Test
  void rulesOfARuleBookHaveTheirOwnRoom() {
    List<Rule> rules =
        List.of(
            Rule.named("search").per(Identity.of("ip")).limit(DAILY).build(),
            Rule.named("login").per(Identity.of("user")).limit(DAILY).build());
    KeySpace keys = KeySpace.random();
    RuleBook search = RuleBook.of(rules.subList(0, 1), keys);
    RuleBook login = RuleBook.of(rules.subList(1, 2), keys);
    for (int i = 0; i < ROOM + ROOM / 10; i++) {
      store.take(search.match(Descriptor.of(Map.of("ip", "ip " + i))).claims());
    }
    for (int i = 0; i < 20; i++) {
      Decision decision =
          store.take(login.match(Descriptor.of(Map.of("user", "user " + i))).claims());
      assertThat(decision.remaining()).isEqualTo(4);
    }
  }
}
