package dev.weir.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.Mode;
import dev.weir.guard.FarStore;
import dev.weir.guard.Fleet;
import dev.weir.guard.Roster;
import dev.weir.memory.MemoryStore;
import dev.weir.testkit.ManualTicker;
import dev.weir.testkit.ManualTimers;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class ByModeTest {
  private static final Limit LARGE = Limit.tokenBucket(10, Duration.ofHours(1), 100_000);
  private static final LimitKey KEY = new LimitKey(5, 6);
  private static final int SERVERS = 4;

  /** Of LARGE at five percent, each of four. */
  private static final long MOST_HELD = 1_250;

  private final ManualTicker ticker = ManualTicker.at(Duration.ofDays(20_000));
  private final ManualTimers timers = new ManualTimers(ticker);
  private final MemoryStore shared = new MemoryStore(1_000, ticker);
  private final FarStore far = new FarStore(shared, timers);
  private final MemoryStore local = new MemoryStore(1_000, ticker);
  private final Fleet fleet = new Fleet("one", new Four());
  private final ByMode store = new ByMode(far, local, fleet, timers);

  private static final class Four implements Roster {
    @Override
    public CompletionStage<Roll> announce(String server, Duration lasting) {
      List<String> servers = Collections.nCopies(SERVERS, server);
      return CompletableFuture.completedStage(new Roll(servers, "memory"));
    }

    @Override
    public CompletionStage<Void> leave(String server) {
      return CompletableFuture.completedStage(null);
    }
  }

  ByModeTest() {
    for (int i = 0; i < 4; i++) {
      fleet.announce().toCompletableFuture().join();
    }
  }

  private static Claim claim(Limit limit, LimitKey key, Mode mode) {
    return new Claim(limit, key, 1, 0, mode);
  }

  private Decision take(Claim... claims) {
    Answer answer = store.take(List.of(claims));
    timers.advance(far.trip);
    return answer.join();
  }

  private long used(Limit limit, LimitKey key) {
    return limit.capacity() - shared.look(List.of(Claim.of(limit, key, 0))).remaining();
  }

  private void warm(Claim claim) {
    for (int i = 0; i < 3; i++) {
      take(claim);
    }
    assertThat(store.isLeased(claim.key())).isTrue();
  }

  @Test
  void strictClaimsAreAskedOneByOne() {
    for (int i = 0; i < 50; i++) {
      assertThat(take(claim(LARGE, KEY, Mode.STRICT)).basis()).isEqualTo(Basis.COUNTED);
    }
    assertThat(far.asked).hasSize(50).containsOnly("take 1");
  }

  @Test
  void leasedClaimsAreSpentHereAndPaidForInAdvance() {
    Claim claim = claim(LARGE, KEY, Mode.leased());
    warm(claim);
    far.asked.clear();
    long spentHere = 0;
    for (int i = 0; i < 10_000; i++) {
      Decision decision = take(claim);
      assertThat(decision.allowed()).isTrue();
      spentHere += decision.basis() == Basis.LEASED ? 1 : 0;
      assertThat(used(LARGE, KEY)).isBetween(i + 1L, i + 4L + MOST_HELD);
    }
    assertThat(spentHere).isGreaterThan(9_900);
    assertThat(far.asked).as("calls for ten thousand").hasSizeLessThan(60);
  }

  @Test
  void aServerHoldsNoMoreThanItsPartOfTheShare() {
    Claim claim = claim(LARGE, KEY, Mode.leased());
    for (int i = 0; i < 20_000; i++) {
      take(claim);
      ByMode.Counts counts = store.counts();
      long held = counts.taken() - counts.granted() - counts.returned();
      assertThat(held).isLessThanOrEqualTo(MOST_HELD);
    }
  }

  @Test
  void aLimitTooSmallToBeSharedOutIsCountedStrictly() {
    Limit five = Limit.fixedWindow(5, Duration.ofMinutes(1));
    Claim claim = claim(five, KEY, Mode.leased());
    for (int i = 0; i < 5; i++) {
      assertThat(take(claim).allowed()).isTrue();
    }
    assertThat(take(claim).allowed()).isFalse();
    assertThat(store.counts().leases()).isZero();
  }

  @Test
  void theLastPermitsAreTakenStrictlySoThatNoneIsLostAndNoneInvented() {
    Limit limit = Limit.fixedWindow(1_000, Duration.ofHours(1));
    Claim claim = claim(limit, KEY, Mode.leased());
    long granted = 0;
    for (int i = 0; i < 3_000; i++) {
      granted += take(claim).allowed() ? 1 : 0;
    }
    assertThat(granted).isEqualTo(1_000);
    assertThat(store.counts().granted()).isPositive();
  }

  @Test
  void whatNobodyWantsAnyMoreGoesBack() {
    Claim claim = claim(LARGE, KEY, Mode.leased());
    warm(claim);
    for (int i = 0; i < 500; i++) {
      take(claim);
    }
    timers.advance(Duration.ofSeconds(5));
    assertThat(store.counts().leases()).isZero();
    assertThat(used(LARGE, KEY)).isBetween(500L, 503L);
    assertThat(store.counts().stranded()).isZero();
  }

  @Test
  void whatIsLeftGoesBackWhenAServerStops() {
    Claim claim = claim(LARGE, KEY, Mode.leased());
    warm(claim);
    for (int i = 0; i < 500; i++) {
      take(claim);
    }
    CompletableFuture<Void> closed = store.close().toCompletableFuture();
    timers.advance(Duration.ofMillis(100));
    assertThat(closed).isCompleted();
    assertThat(used(LARGE, KEY)).isBetween(500L, 503L);
    take(claim);
    take(claim);
    take(claim);
    assertThat(store.counts().leases()).as("nothing more is leased").isZero();
  }

  @Test
  void permitsOfAWindowAreNotSpentInTheNext() {
    Limit limit = Limit.fixedWindow(10_000, Duration.ofSeconds(10));
    Claim claim = claim(limit, KEY, Mode.leased());
    ticker.set(Duration.ofDays(20_000).plusSeconds(9));
    warm(claim);
    for (int i = 0; i < 100; i++) {
      take(claim);
    }
    long inFirst = 103;
    timers.advance(Duration.ofSeconds(1));
    long before = store.counts().granted();
    assertThat(take(claim).basis()).isEqualTo(Basis.COUNTED);
    assertThat(store.counts().granted()).isEqualTo(before);
    assertThat(used(limit, KEY)).as("one, and what is leased anew").isBetween(1L, 1L + 125);
    assertThat(inFirst).isLessThan(10_000);
  }

  @Test
  void whatWasSpentForARequestThatDoesNotPassIsTakenBack() {
    Claim leased = claim(LARGE, KEY, Mode.leased());
    warm(leased);
    Limit none = Limit.fixedWindow(1, Duration.ofHours(1));
    Claim strict = claim(none, new LimitKey(7, 7), Mode.STRICT);
    Claim here = claim(none, new LimitKey(8, 8), Mode.local());
    assertThat(take(leased, strict, here).allowed()).isTrue();
    Decision denied = take(leased, strict);
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.decisive()).isEqualTo(1);
    assertThat(denied.each()).hasSize(2);
    assertThat(take(leased, here).allowed()).isFalse();
    far.cut = true;
    Answer failed = store.take(List.of(leased, claim(LARGE, new LimitKey(9, 9), Mode.STRICT)));
    assertThat(failed.stage().toCompletableFuture()).isCompletedExceptionally();
    far.cut = false;
    timers.advance(Duration.ofSeconds(10));
    assertThat(used(LARGE, KEY)).as("three to warm up, and the one that passed").isEqualTo(4);
  }

  @Test
  void claimsOfThisServerAloneAskNobody() {
    Limit two = Limit.fixedWindow(2, Duration.ofHours(1));
    Claim claim = claim(two, KEY, Mode.local());
    assertThat(take(claim).allowed()).isTrue();
    assertThat(take(claim).allowed()).isTrue();
    assertThat(take(claim).allowed()).isFalse();
    assertThat(store.refund(List.of(claim)).join().remaining()).isEqualTo(1);
    assertThat(take(claim).allowed()).isTrue();
    assertThat(far.asked).isEmpty();
  }

  @Test
  void aKeyIsLeasedWhileItIsHotOnThisServer() {
    Claim claim = claim(LARGE, KEY, Mode.automatic());
    for (int i = 0; i < 50; i++) {
      take(claim);
      timers.advance(Duration.ofMillis(100));
    }
    assertThat(store.isLeased(KEY)).as("ten a second").isFalse();
    for (int i = 0; i < 300; i++) {
      take(claim);
    }
    assertThat(store.isLeased(KEY)).as("hundreds a second").isTrue();
    for (int i = 0; i < 100; i++) {
      take(claim);
      timers.advance(Duration.ofMillis(19));
    }
    assertThat(store.isLeased(KEY)).as("fifty a second: not so few").isTrue();
    for (int i = 0; i < 50; i++) {
      take(claim);
      timers.advance(Duration.ofMillis(99));
    }
    assertThat(store.isLeased(KEY)).as("ten a second").isFalse();
  }

  @Test
  void aRefillOfWhichNobodyKnowsIsNotSpent() {
    Claim claim = claim(LARGE, KEY, Mode.leased());
    take(claim);
    far.losesAnswers = true;
    var unused = store.take(List.of(claim));
    timers.advance(Duration.ofMillis(100));
    far.losesAnswers = false;
    timers.advance(Duration.ofSeconds(1));
    assertThat(store.counts().granted()).isZero();
  }

  @Test
  void forgettingACounterForgetsItsLease() {
    Claim claim = claim(LARGE, KEY, Mode.leased());
    warm(claim);
    var unused = store.forget(List.of(claim));
    timers.advance(Duration.ofSeconds(5));
    assertThat(store.isLeased(KEY)).isFalse();
    assertThat(used(LARGE, KEY)).isZero();
  }
}
