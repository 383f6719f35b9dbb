package dev.weir.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.Decision.Verdict;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.StoreFailure;
import dev.weir.StoreFailure.Effect;
import dev.weir.memory.MemoryStore;
import dev.weir.testkit.ManualTicker;
import dev.weir.testkit.ManualTimers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class StandbyTest {
  private static final Limit TEN = Limit.fixedWindow(10, Duration.ofHours(1));
  private static final LimitKey KEY = new LimitKey(3, 4);
  private final StoreFailure gone = new StoreFailure(Effect.NONE, "gone", null);
  private final StoreFailure lost = new StoreFailure(Effect.UNKNOWN, "lost", null);

  private final ManualTicker ticker = ManualTicker.at(Duration.ofDays(20_000));
  private final ManualTimers timers = new ManualTimers(ticker);
  private final MemoryStore shared = new MemoryStore(1_000, ticker);
  private final Fleet fleet = new Fleet("b", new Three());
  private final Standby standby = new Standby(new MemoryStore(1_000, ticker), fleet, ticker);

  /** Three servers, of which this one is the second; the store may have forgotten. */
  private static final class Three implements Roster {
    private int memory;

    @Override
    public CompletionStage<Roll> announce(String server, Duration lasting) {
      return CompletableFuture.completedStage(new Roll(List.of("a", "b", "c"), "m" + memory++));
    }

    @Override
    public CompletionStage<Void> leave(String server) {
      return CompletableFuture.completedStage(null);
    }
  }

  StandbyTest() {
    assertThat(fleet.announce().toCompletableFuture().join()).isFalse();
  }

  private static List<Claim> claim(Limit limit, long cost) {
    return List.of(Claim.of(limit, KEY, cost));
  }

  private long used(Limit limit) {
    return limit.capacity() - shared.look(claim(limit, 0)).remaining();
  }

  private long grant(StoreFailure failure, Limit limit, int times) {
    long granted = 0;
    for (int i = 0; i < times; i++) {
      granted += standby.after(failure).take(claim(limit, 1)).allowed() ? 1 : 0;
    }
    return granted;
  }

  @Test
  void eachServerKeepsToItsPart() {
    assertThat(grant(gone, TEN, 20)).as("the second of three gets three of ten").isEqualTo(3);
    assertThat(standby.part(10)).isEqualTo(3);
    assertThat(standby.part(2)).isEqualTo(1);
    assertThat(standby.part(0)).isZero();
  }

  @Test
  void whatTheStoreGrantedIsCountedAgainstThePart() {
    standby.counted(Claim.of(TEN, KEY, 2));
    assertThat(grant(gone, TEN, 20)).isEqualTo(1);
    Limit bucket = Limit.tokenBucket(30, Duration.ofSeconds(30), 30);
    for (int i = 0; i < 100; i++) {
      standby.counted(Claim.of(bucket, KEY, 1));
    }
    ticker.advance(Duration.ofSeconds(6));
    assertThat(grant(gone, bucket, 20)).as("more than the part leaves no debt").isEqualTo(2);
  }

  @Test
  void whatDoesNotFitIntoThePartFillsIt() {
    standby.counted(Claim.of(TEN, KEY, 5));
    assertThat(grant(gone, TEN, 20)).isZero();
    LimitKey other = new LimitKey(8, 8);
    Limit whole = Limit.fixedWindow(1_000_000_000, Duration.ofHours(1));
    standby.counted(Claim.of(whole, other, 5), 10);
    Decision look = standby.unlimitedAfter(gone).look(List.of(Claim.of(whole, other, 0)));
    assertThat(whole.capacity() - look.remaining()).isEqualTo(3);
  }

  @Test
  void whatWasGrantedIsChargedOnceTheStoreIsBack() {
    shared.take(claim(TEN, 4));
    grant(gone, TEN, 20);
    assertThat(standby.owing()).isEqualTo(1);
    standby.settle(shared, false).toCompletableFuture().join();
    assertThat(used(TEN)).isEqualTo(7);
    assertThat(standby.settled()).isEqualTo(3);
    assertThat(standby.owing()).isZero();
    standby.settle(shared, false).toCompletableFuture().join();
    assertThat(used(TEN)).as("once").isEqualTo(7);
  }

  @Test
  void whatTheStoreMayHaveCountedItselfIsNotChargedAgain() {
    grant(lost, TEN, 20);
    assertThat(standby.owing()).isZero();
    standby.settle(shared, false).toCompletableFuture().join();
    assertThat(used(TEN)).isZero();
  }

  @Test
  void aStoreThatHasForgottenIsToldAlsoWhatItGrantedItself() {
    standby.counted(Claim.of(TEN, KEY, 2));
    grant(gone, TEN, 20);
    assertThat(fleet.announce().toCompletableFuture().join()).isTrue();
    standby.settle(shared, true).toCompletableFuture().join();
    assertThat(used(TEN)).isEqualTo(3);
  }

  @Test
  void whatAStoreThatHasForgottenWasNotToldIsStillOwed() {
    standby.counted(Claim.of(TEN, KEY, 2));
    grant(gone, TEN, 20);
    FarStore far = new FarStore(shared, timers);
    far.cut = true;
    standby.settle(far, true).toCompletableFuture().join();
    standby.settle(shared, false).toCompletableFuture().join();
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
    standby.settle(shared, false).toCompletableFuture().join();
    assertThat(used(bucket)).isLessThanOrEqualTo(20);
    grant(gone, TEN, 20);
    ticker.advance(Duration.ofHours(1));
    standby.settle(shared, false).toCompletableFuture().join();
    assertThat(used(TEN)).as("the window has ended, and the debt with it").isZero();
  }

  @Test
  void whatIsNotChargedBecauseTheStoreIsGoneAgainIsStillOwed() {
    grant(gone, TEN, 20);
    FarStore far = new FarStore(shared, timers);
    far.cut = true;
    standby.settle(far, false).toCompletableFuture().join();
    assertThat(standby.owing()).isEqualTo(1);
    assertThat(standby.settled()).isZero();
    standby.settle(shared, false).toCompletableFuture().join();
    assertThat(used(TEN)).isEqualTo(3);
  }

  @Test
  void debtsAreChargedEachByItself() {
    for (int i = 0; i < 200; i++) {
      standby.after(gone).take(List.of(Claim.of(TEN, new LimitKey(9, i), 1)));
    }
    FarStore far = new FarStore(shared, timers);
    var settled = standby.settle(far, false).toCompletableFuture();
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
    standby.settle(shared, false).toCompletableFuture().join();
    assertThat(used(TEN)).isEqualTo(3);
  }

  @Test
  void whatMayHaveBeenChargedIsNotChargedAgain() {
    grant(gone, TEN, 20);
    FarStore far = new FarStore(shared, timers);
    far.losesAnswers = true;
    Guarded guarded = new Guarded(far, GuardSettings.DEFAULT, timers, new Quiet());
    var unused = standby.settle(guarded, false);
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
    public void opened(Throwable failure) {}

    @Override
    public CompletionStage<?> answering() {
      return CompletableFuture.completedStage(null);
    }

    @Override
    public void closed() {}
  }

  @Test
  void whatIsGivenBackIsNotOwed() {
    grant(gone, TEN, 3);
    standby.after(gone).refund(claim(TEN, 2));
    standby.settle(shared, false).toCompletableFuture().join();
    assertThat(used(TEN)).isEqualTo(1);
  }

  @Test
  void decisionsSayThatTheStoreHadNoPartInThem() {
    Decision decision = standby.after(gone).take(claim(TEN, 1));
    assertThat(decision.basis()).isEqualTo(Basis.ALONE);
    Decision denied = standby.after(gone).take(claim(TEN, 9));
    assertThat(denied.verdict()).as("not for ever: the store holds ten").isEqualTo(Verdict.DENIED);
    assertThat(denied.retryAfter()).contains(Duration.ofHours(1));
    assertThat(standby.after(gone).take(claim(TEN, 11)).verdict()).isEqualTo(Verdict.NEVER);
  }

  @Test
  void placesInFlightAreHeldAndReleasedHereAndOwedToNobody() {
    Limit three = Limit.concurrent(3, Duration.ofMinutes(1));
    Claim first = Claim.hold(three, KEY, 1);
    assertThat(standby.after(gone).take(List.of(first)).allowed()).isTrue();
    List<Claim> second = List.of(Claim.hold(three, KEY, 2));
    assertThat(standby.after(gone).take(second).allowed()).as("its part is one").isFalse();
    standby.release(List.of(first));
    assertThat(standby.after(gone).take(second).allowed()).isTrue();
    assertThat(standby.owing()).isZero();
  }

  @Test
  void debtsAreBounded() {
    for (int i = 0; i < Owed.MOST_KEYS + 10; i++) {
      standby.after(gone).charge(List.of(Claim.of(TEN, new LimitKey(9, i), 1)));
    }
    assertThat(standby.owing()).isEqualTo(Owed.MOST_KEYS);
    assertThat(standby.lost()).isEqualTo(10);
    standby.settle(shared, false).toCompletableFuture().join();
    assertThat(standby.settled()).isEqualTo(Owed.MOST_KEYS);
  }
}
