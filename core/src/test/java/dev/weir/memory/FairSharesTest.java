package dev.weir.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.key.KeySpace;
import dev.weir.rule.Identity;
import dev.weir.rule.Rule;
import dev.weir.rule.RuleBook;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What a flood of keys under one rule costs the other rules when the store is full: nothing. */
class FairSharesTest {
  private static final long SECOND = 1_000_000;
  private static final int ROOM = 20_000;

  /** The same numbers, so that only their rules tell them apart. */
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
  void newcomersOfARuleThatIsNotFloodedAllHaveTheirOwnCounters() {
    flood(FLOODED);
    long overflowed = store.overflowed();
    assertThat(newcomers(OTHER, 20)).isEqualTo(20);
    assertThat(newcomers(THIRD, 20)).isEqualTo(20);
    assertThat(store.overflowed()).isEqualTo(overflowed);
    assertThat(store.evicted()).isEqualTo(40);
    assertThat(store.size()).isEqualTo(ROOM);
  }

  @Test
  void whoHasACounterInAFullStoreIsStillLimitedByIt() {
    flood(FLOODED);
    for (int i = 0; i < 20; i++) {
      for (int spent = 0; spent < 5; spent++) {
        assertThat(take(OTHER, i).allowed()).isTrue();
      }
      assertThat(take(OTHER, i).allowed()).isFalse();
    }
    flood(FLOODED);
    flood(THIRD);
    for (int i = 0; i < 20; i++) {
      assertThat(take(OTHER, i).allowed()).as("a rule within its share loses nothing").isFalse();
    }
  }

  @Test
  void severalClaimsFindTheRoomThatTheirRulesHave() {
    flood(FLOODED);
    for (int i = 0; i < 20; i++) {
      List<Claim> claims = List.of(Claim.of(OTHER, key(OTHER, i)), Claim.of(THIRD, key(THIRD, i)));
      assertThat(store.look(claims).each()).extracting(Decision::remaining).containsOnly(5L);
      assertThat(store.take(claims).each()).extracting(Decision::remaining).containsOnly(4L);
      assertThat(store.charge(claims).each()).extracting(Decision::remaining).containsOnly(3L);
    }
  }

  @Test
  void rulesThatAreAllFloodedHaveAboutTheSameRoom() {
    flood(FLOODED);
    // And the first of those that share a counter looks as if it had its own.
    assertThat(newcomers(OTHER, ROOM)).isEqualTo(ROOM / 2 + 1);
    assertThat(newcomers(THIRD, ROOM)).isEqualTo((ROOM + 2) / 3 + 1);
    assertThat(take(FLOODED, 2 * ROOM).allowed()).as("what finds no room shares one").isFalse();
    assertThat(store.size()).isEqualTo(ROOM);
  }

  @Test
  void theCountersThatMakeRoomAreTheLeastUsed() {
    int abusers = 100;
    for (int i = 0; i < abusers; i++) {
      for (int spent = 0; spent < 5; spent++) {
        take(FLOODED, i);
      }
    }
    flood(FLOODED);
    assertThat(newcomers(OTHER, ROOM / 4)).isEqualTo(ROOM / 4);
    int limited = 0;
    for (int i = 0; i < abusers; i++) {
      limited += take(FLOODED, i).allowed() ? 0 : 1;
    }
    assertThat(limited).isEqualTo(abusers);
  }

  @Test
  void theLargestOfThoseWithMoreThanTheirShareMakesRoom() {
    Limit large = Limit.tokenBucket(9, Duration.ofDays(1)).ofRule("large");
    for (int i = 0; i < ROOM / 5; i++) {
      store.charge(List.of(Claim.of(large, key(large, i), 9)));
    }
    for (int rule = 0; rule < 50; rule++) {
      take(DAILY.ofRule("rule " + rule), 0);
    }
    flood(FLOODED);
    assertThat(newcomers(OTHER, 300)).isEqualTo(300);
    int limited = 0;
    for (int i = 0; i < ROOM / 5; i++) {
      limited += take(large, i).allowed() ? 0 : 1;
    }
    assertThat(limited).isEqualTo(ROOM / 5);
  }

  /** However many other rules there are that have a counter or two. */
  @Test
  void aRuleWithMoreThanItsShareFindsRoomWhereAFloodHasMore() {
    for (int rule = 0; rule < 48; rule++) {
      take(DAILY.ofRule("rule " + rule), 0);
    }
    assertThat(newcomers(OTHER, ROOM / 10)).isEqualTo(ROOM / 10);
    flood(FLOODED);
    int passed = 0;
    for (int i = ROOM; i < ROOM + 20; i++) {
      passed += take(OTHER, i).remaining() == 4 ? 1 : 0;
    }
    assertThat(passed).isEqualTo(20);
    for (int rule = 0; rule < 48; rule++) {
      assertThat(take(DAILY.ofRule("rule " + rule), 0).remaining()).isEqualTo(3);
    }
  }

  /** Rules come and go; those of the past have no share. */
  @Test
  void rulesWithoutCountersHaveNoShare() {
    for (int rule = 0; rule < 10_000; rule++) {
      Limit gone = DAILY.ofRule("rule " + rule);
      take(gone, 0);
      store.forget(List.of(Claim.of(gone, key(gone, 0))));
    }
    flood(FLOODED);
    assertThat(newcomers(OTHER, ROOM / 2)).isEqualTo(ROOM / 2);
  }

  /** For one counter of much room, many others go; from all of the table, so that it ends. */
  @Test
  void aConcurrencyLimitOfManyPlacesFindsRoom() {
    MemoryStore large = new MemoryStore(1 << 18, clock::get);
    for (int i = 0; i < 1 << 18; i++) {
      large.take(FLOODED, key(FLOODED, i));
    }
    Limit places = Limit.concurrent(10_000, Duration.ofMinutes(1)).ofRule("places");
    for (int i = 0; i < 10; i++) {
      Claim hold = Claim.hold(places, key(places, i), i + 1);
      assertThat(large.take(List.of(hold)).each().get(0).remaining()).isEqualTo(9_999);
    }
  }

  @Test
  void aCounterWithALogTakesTheRoomOfSeveral() {
    Limit log = Limit.slidingLog(100, Duration.ofDays(1)).ofRule("log"); // 26 cells
    flood(FLOODED);
    for (int i = 0; i < ROOM / 2 / 26; i++) {
      assertThat(take(log, i).remaining()).isEqualTo(99);
    }
    assertThat(take(OTHER, 0).remaining()).isEqualTo(4);
    assertThat(store.size()).isLessThan(ROOM * 6 / 10);
  }

  @Test
  void aRuleKeepsItsRoomWhenItsLimitsAreMadeAnew() {
    flood(FLOODED);
    Limit again = Limit.fixedWindow(5, Duration.ofDays(1)).ofRule("search");
    assertThat(newcomers(again, 20)).as("they are the same callers").isZero();
    Limit other = Limit.fixedWindow(7, Duration.ofDays(1)).ofRule("search");
    long overflowed = store.overflowed();
    for (int i = 0; i < 20; i++) {
      store.take(other, new LimitKey(1, i));
    }
    assertThat(store.overflowed()).as("the rule has its room").isEqualTo(overflowed + 20);
  }

  @Test
  void whatIsFreedCanBeUsedByEverybody() {
    flood(FLOODED);
    newcomers(OTHER, ROOM);
    clock.addAndGet(2 * 86_400 * SECOND);
    store.trim();
    assertThat(store.size()).isZero();
    assertThat(newcomers(OTHER, ROOM)).isEqualTo(ROOM);
  }

  /** As operators write them: two rules whose limits are equal. */
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
