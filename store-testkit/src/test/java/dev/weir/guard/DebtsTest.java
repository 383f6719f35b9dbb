package dev.weir.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.LimitKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What a server granted by itself, and how it comes to the store. */
class DebtsTest extends OneOfThree {
  @Test
  void whatWasGrantedIsChargedOnceTheStoreIsBack() {
    shared.take(claim(TEN, 4));
    grant(gone, TEN, 20);
    assertThat(standby.owing()).isEqualTo(1);
    standby.settle(shared, key -> true, false).toCompletableFuture().join();
    assertThat(used(TEN)).isEqualTo(7);
    assertThat(standby.settled()).isEqualTo(3);
    assertThat(standby.owing()).isZero();
    standby.settle(shared, key -> true, false).toCompletableFuture().join();
    assertThat(used(TEN)).as("once").isEqualTo(7);
  }

  @Test
  void whatTheStoreMayHaveCountedItselfIsNotChargedAgain() {
    grant(lost, TEN, 20);
    assertThat(standby.owing()).isZero();
    standby.settle(shared, key -> true, false).toCompletableFuture().join();
    assertThat(used(TEN)).isZero();
  }

  @Test
  void aStoreThatHasForgottenIsToldAlsoWhatItGrantedItself() {
    standby.counted(Claim.of(TEN, KEY, 2));
    grant(gone, TEN, 20);
    assertThat(fleet.announce().toCompletableFuture().join()).isTrue();
    standby.settle(shared, key -> true, true).toCompletableFuture().join();
    assertThat(used(TEN)).isEqualTo(3);
  }

  @Test
  void whatIsGrantedWhileAStoreIsToldWhatItForgotIsChargedOnce() {
    List<Claim> all = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      all.add(Claim.of(NINETY, new LimitKey(9, i), 1));
    }
    all.forEach(one -> standby.counted(one.costing(2)));
    all.forEach(one -> standby.after(gone).take(List.of(one)));
    FarStore far = new FarStore(shared, timers);
    var told = standby.settle(far, key -> true, true).toCompletableFuture();
    all.forEach(one -> standby.after(gone).take(List.of(one))); // most wait for their turn
    timers.advance(far.trip.multipliedBy(5));
    assertThat(told).isCompleted();
    standby.settle(shared, key -> true, false).toCompletableFuture().join();
    assertThat(all).allMatch(one -> shared.look(List.of(one.costing(0))).remaining() == 90 - 4);
  }

  @Test
  void debtsOfCountersThatCannotBeReachedWait() {
    grant(gone, TEN, 3);
    standby.after(gone).take(List.of(Claim.of(TEN, new LimitKey(9, 9), 1)));
    LimitKey unreachable = claim(TEN, 1).get(0).key();
    standby.settle(shared, key -> !key.equals(unreachable), false).toCompletableFuture().join();
    assertThat(standby.settled()).isEqualTo(1);
    assertThat(standby.owing()).isEqualTo(1);
    standby.settle(shared, key -> true, false).toCompletableFuture().join();
    assertThat(used(TEN)).isEqualTo(3);
  }

  @Test
  void whatAStoreThatHasForgottenWasNotToldIsStillOwed() {
    standby.counted(Claim.of(TEN, KEY, 2));
    grant(gone, TEN, 20);
    FarStore far = new FarStore(shared, timers);
    far.cut = true;
    standby.settle(far, key -> true, true).toCompletableFuture().join();
    standby.settle(shared, key -> true, false).toCompletableFuture().join();
    assertThat(used(TEN)).isEqualTo(3);
  }

  @Test
  void nobodyOwesMoreThanAWindowIsWorth() {
    Limit bucket = Limit.tokenBucket(30, Duration.ofSeconds(1), 60);
    long granted = 0;
    for (int i = 0; i < 600; i++) {
      granted += grant(gone, bucket, 1);
      ticker.advance(Duration.ofMillis(100));
    }
    assertThat(granted).as("a third of the rate for a minute").isBetween(600L, 620L);
    standby.settle(shared, key -> true, false).toCompletableFuture().join();
    assertThat(used(bucket)).isLessThanOrEqualTo(20);
    grant(gone, TEN, 20);
    ticker.advance(Duration.ofHours(1));
    standby.settle(shared, key -> true, false).toCompletableFuture().join();
    assertThat(used(TEN)).as("the window has ended, and the debt with it").isZero();
  }

  @Test
  void whatIsNotChargedBecauseTheStoreIsGoneAgainIsStillOwed() {
    grant(gone, TEN, 20);
    FarStore far = new FarStore(shared, timers);
    far.cut = true;
    standby.settle(far, key -> true, false).toCompletableFuture().join();
    assertThat(standby.owing()).isEqualTo(1);
    assertThat(standby.settled()).isZero();
    standby.settle(shared, key -> true, false).toCompletableFuture().join();
    assertThat(used(TEN)).isEqualTo(3);
  }

  @Test
  void debtsAreChargedEachByItself() {
    for (int i = 0; i < 200; i++) {
      standby.after(gone).take(List.of(Claim.of(TEN, new LimitKey(9, i), 1)));
    }
    FarStore far = new FarStore(shared, timers);
    var settled = standby.settle(far, key -> true, false).toCompletableFuture();
    timers.advance(far.trip.dividedBy(2));
    assertThat(far.asked).as("so many at a time").hasSize(64).containsOnly("charge 1");
    far.cut = true; // from now on
    timers.advance(far.trip);
    assertThat(settled).isCompleted();
    assertThat(standby.settled()).isEqualTo(64);
    assertThat(standby.owing()).isEqualTo(136);
    assertThat(standby.lost()).isZero();
  }

  @Test
  void whatTheStoreMayHaveGivenBackIsStillOwed() {
    grant(gone, TEN, 3);
    standby.after(lost).refund(claim(TEN, 2));
    standby.settle(shared, key -> true, false).toCompletableFuture().join();
    assertThat(used(TEN)).isEqualTo(3);
  }

  @Test
  void whatMayHaveBeenChargedIsNotChargedAgain() {
    grant(gone, TEN, 20);
    FarStore far = new FarStore(shared, timers);
    far.losesAnswers = true;
    Guarded guarded = new Guarded(far, Places.ONE, GuardSettings.DEFAULT, timers, new Quiet());
    var unused = standby.settle(guarded, key -> true, false);
    timers.advance(Duration.ofSeconds(1));
    assertThat(standby.owing()).isZero();
    assertThat(standby.lost()).isEqualTo(3);
    assertThat(used(TEN)).isEqualTo(3);
  }

  /** Hears nothing. */
  private static final class Quiet implements Guarded.Watcher {
    @Override
    public void told(@org.jspecify.annotations.Nullable Throwable failure) {}

    @Override
    public void opened(String place, Throwable failure) {}

    @Override
    public CompletionStage<?> answering() {
      return CompletableFuture.completedStage(null);
    }

    @Override
    public void closed(String place) {}
  }

  @Test
  void whatIsGivenBackIsNotOwed() {
    grant(gone, TEN, 3);
    standby.after(gone).refund(claim(TEN, 2));
    standby.settle(shared, key -> true, false).toCompletableFuture().join();
    assertThat(used(TEN)).isEqualTo(1);
  }

  @Test
  void debtsThatHaveFadedMakeRoom() {
    Limit second = Limit.fixedWindow(10, Duration.ofSeconds(1));
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < Owed.MAX_KEYS / 2; i++) {
        standby.after(gone).charge(List.of(Claim.of(second, new LimitKey(round, i), 1)));
      }
      ticker.advance(Duration.ofSeconds(1));
    }
    assertThat(standby.lost()).isZero();
    assertThat(standby.owing()).isLessThanOrEqualTo(Owed.MAX_KEYS);
  }

  @Test
  void debtsAreBounded() {
    for (int i = 0; i < Owed.MAX_KEYS + 10; i++) {
      standby.after(gone).charge(List.of(Claim.of(TEN, new LimitKey(9, i), 1)));
    }
    assertThat(standby.owing()).isEqualTo(Owed.MAX_KEYS);
    assertThat(standby.lost()).isEqualTo(10);
    standby.settle(shared, key -> true, false).toCompletableFuture().join();
    assertThat(standby.settled()).isEqualTo(Owed.MAX_KEYS);
  }

  @Test
  void aFloodUnderOneRuleCostsAnotherRuleNoneOfItsDebts() {
    Limit flooded = TEN.ofRule("flooded");
    Limit other = TEN.ofRule("other");
    for (int i = 0; i < Owed.MAX_KEYS + 10; i++) {
      standby.after(gone).charge(List.of(Claim.of(flooded, new LimitKey(9, i), 1)));
    }
    assertThat(standby.lost()).isEqualTo(10);
    for (int i = 0; i < 1_000; i++) {
      standby.after(gone).charge(List.of(Claim.of(other, new LimitKey(10, i), 1)));
    }
    assertThat(standby.owing()).isEqualTo(Owed.MAX_KEYS);
    assertThat(standby.lost()).as("let go of the flood").isEqualTo(1_010);
    standby.settle(shared, key -> key.high() == 10, false).toCompletableFuture().join();
    assertThat(standby.settled()).isEqualTo(1_000);
  }

  @Test
  void logsOfOneRuleTakeNoRoomFromThoseOfAnother() {
    long now = 1_800_000_000_000_000L;
    Owed owed = new Owed(10_000, 1_000);
    Limit flooded = Limit.slidingLog(5, Duration.ofDays(1)).ofRule("flooded");
    Limit other = Limit.slidingLog(5, Duration.ofDays(1)).ofRule("other");
    for (int i = 0; i < 990; i++) {
      owed.add(Claim.of(flooded, new LimitKey(9, i), 1), flooded, now + i);
    }
    assertThat(owed.letGo()).as("what finds no room").isPositive();
    for (int i = 0; i < 10; i++) {
      Claim claim = Claim.of(other, new LimitKey(10, i), 1);
      owed.add(claim, other, now + i);
      assertThat(owed.of(claim.key(), now + i)).isEqualTo(1);
    }
    List<Claim> all = owed.takeAll(key -> true, now + 100);
    assertThat(all.stream().filter(claim -> claim.key().high() == 10)).hasSize(10);
    assertThat(owed.letGo() + all.size()).isEqualTo(1_000);
    assertThat(owed.size()).isZero();
  }
}
