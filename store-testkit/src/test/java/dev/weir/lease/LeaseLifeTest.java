package dev.weir.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.Mode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How leases begin, and what becomes of them. */
class LeaseLifeTest extends OneOfFour {
  @Test
  void whatNobodyWantsAnyMoreGoesBack() {
    Claim claim = claim(LARGE, KEY, Mode.leased());
    warm(claim);
    for (int i = 0; i < 500; i++) {
      take(claim);
    }
    assertThat(used(LARGE, KEY)).as("with what is held").isGreaterThan(503);
    timers.advance(Duration.ofMillis(1_100));
    assertThat(used(LARGE, KEY)).isEqualTo(503);
    assertThat(store.counts().stranded()).isZero();
    timers.advance(Duration.ofSeconds(1));
    assertThat(store.counts().leases()).as("nor is more asked for").isZero();
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
  void aKeyThatHasCooledIsCountedStrictlyHoweverLittleIsHeld() {
    Limit small = Limit.tokenBucket(600, Duration.ofMinutes(1), 600);
    Claim claim = claim(small, KEY, Mode.automatic());
    for (int i = 0; i < 200; i++) {
      take(claim);
    }
    assertThat(store.isLeased(KEY)).isTrue();
    for (int i = 0; i < 24; i++) {
      take(claim);
      timers.advance(Duration.ofMillis(124));
    }
    assertThat(store.isLeased(KEY)).as("eight a second, of seven that are held").isFalse();
  }

  @Test
  void permitsOfAWindowAreNotSpentInTheNext() {
    Limit limit = Limit.fixedWindow(10_000, Duration.ofSeconds(10));
    Claim claim = claim(limit, KEY, Mode.leased());
    ticker.set(Duration.ofDays(20_000).plusMillis(9_500));
    warm(claim);
    timers.advance(Duration.ofMillis(300));
    assertThat(take(claim).basis()).isEqualTo(Basis.LEASED);
    timers.advance(Duration.ofMillis(250));
    Decision next = take(claim);
    assertThat(next.basis()).as("a term would not be over yet").isEqualTo(Basis.COUNTED);
    assertThat(used(limit, KEY)).as("one, and what is leased anew").isBetween(1L, 1L + 125);
    timers.advance(Duration.ofSeconds(2));
    assertThat(used(limit, KEY)).as("given back, and only what is of it").isEqualTo(1);
    assertThat(store.counts().stranded()).as("went with its window").isPositive();
  }

  /** A second request, a moment before its answer, which sets a refill off. */
  private Answer almostLeased(Claim claim) {
    take(claim);
    Answer second = store.take(List.of(claim));
    timers.advance(Duration.ofNanos(999_999));
    return second;
  }

  @Test
  void aRefillOfWhichNobodyKnowsIsNotSpent() {
    Claim claim = claim(LARGE, KEY, Mode.leased());
    var second = almostLeased(claim);
    far.losesAnswers = true; // of the refill that this answer sets off
    timers.advance(Duration.ofMillis(20));
    assertThat(second.join().allowed()).isTrue();
    assertThat(far.asked).last().asString().as("a refill was paid for").isEqualTo("take 16");
    far.losesAnswers = false;
    for (int i = 0; i < 20; i++) {
      assertThat(take(claim).basis()).isEqualTo(Basis.COUNTED);
    }
    assertThat(far.asked).filteredOn("take 16"::equals).as("once at a time").hasSize(1);
  }

  @Test
  void aRefillThatComesToAServerThatStoodStillGoesBack() {
    Claim claim = claim(LARGE, KEY, Mode.leased());
    var second = almostLeased(claim);
    far.trip = Duration.ofMillis(1_001); // of the refill that this answer sets off
    timers.advance(Duration.ofMillis(1));
    assertThat(second.join().allowed()).isTrue();
    timers.advance(Duration.ofSeconds(1));
    far.trip = Duration.ofMillis(1);
    assertThat(used(LARGE, KEY)).as("paid for").isEqualTo(2 + 16);
    assertThat(store.counts().taken()).isZero();
    timers.advance(Duration.ofMillis(2));
    assertThat(store.counts().taken()).isEqualTo(16);
    assertThat(used(LARGE, KEY)).as("given back").isEqualTo(2);
    assertThat(store.counts().returned()).isEqualTo(16);
    assertThat(take(claim).basis()).isEqualTo(Basis.COUNTED);
  }

  @Test
  void forgettingACounterForgetsItsLease() {
    Claim claim = claim(LARGE, KEY, Mode.leased());
    warm(claim);
    far.asked.clear();
    Answer unused = store.forget(List.of(claim));
    assertThat(store.isLeased(KEY)).isFalse();
    timers.advance(far.trip);
    shared.take(claim.costing(100)).join();
    timers.advance(Duration.ofSeconds(5));
    assertThat(far.asked).as("nothing to give back").containsExactly("forget 1");
    assertThat(used(LARGE, KEY)).isEqualTo(100);
  }

  @Test
  void aStoreThatHasForgottenGetsNothingBack() {
    Claim claim = claim(LARGE, KEY, Mode.leased());
    warm(claim);
    shared.forget(List.of(claim));
    shared.take(claim.costing(100)).join();
    memory = "another";
    fleet.announce().toCompletableFuture().join();
    timers.advance(Duration.ofSeconds(5));
    assertThat(store.isLeased(KEY)).isFalse();
    assertThat(used(LARGE, KEY)).isEqualTo(100);
    assertThat(store.counts().returned()).isZero();
  }

  @Test
  void whatWasOnItsWayWhenACounterWasForgottenIsNotGivenBack() {
    Claim claim = claim(LARGE, KEY, Mode.leased());
    take(claim);
    take(claim); // which sets a refill off
    Answer unused = store.forget(List.of(claim));
    timers.advance(far.trip.dividedBy(2));
    shared.take(claim.costing(100)).join();
    timers.advance(Duration.ofSeconds(5));
    assertThat(used(LARGE, KEY)).isEqualTo(100);
  }

  @Test
  void aNewShareHoldsAtOnceAndTheOldLeaseGoesBack() {
    warm(claim(LARGE, KEY, Mode.leased()));
    Claim claim = claim(LARGE, KEY, new Mode(Mode.Kind.LEASED, 100)); // one percent
    assertThat(take(claim).basis()).as("not of the old lease").isEqualTo(Basis.COUNTED);
    timers.advance(Duration.ofMillis(10));
    assertThat(used(LARGE, KEY)).isEqualTo(4);
    for (int i = 0; i < 5_000; i++) {
      take(claim);
      assertThat(used(LARGE, KEY)).isLessThanOrEqualTo(i + 5 + 250);
    }
    assertThat(store.isLeased(KEY)).isTrue();
  }

  @Test
  void permitsOnTheirWayHereGoBackBeforeAServerHasStopped() {
    Claim claim = claim(LARGE, KEY, Mode.leased());
    take(claim);
    take(claim); // which sets a refill off
    assertThat(store.isLeased(KEY)).isTrue();
    CompletableFuture<Void> closed = store.close().toCompletableFuture();
    assertThat(closed).isNotCompleted();
    timers.advance(far.trip.multipliedBy(2));
    assertThat(closed).isCompleted();
    assertThat(used(LARGE, KEY)).isEqualTo(2);
  }

  @Test
  void whatIsSpentForARequestThatFailsAfterItsTermIsVoid() {
    Limit limit = Limit.fixedWindow(10_000, Duration.ofSeconds(10));
    Claim leased = claim(limit, KEY, Mode.leased());
    ticker.set(Duration.ofDays(20_000).plusMillis(9_700));
    warm(leased);
    far.trip = Duration.ofMillis(600);
    Claim denied = claim(Limit.fixedWindow(1, Duration.ofDays(1)), new LimitKey(9, 9), Mode.STRICT);
    assertThat(shared.take(denied).join().allowed()).isTrue();
    Answer slow = store.take(List.of(leased, denied));
    timers.advance(Duration.ofMillis(310));
    far.trip = Duration.ofMillis(1);
    warm(leased); // in the next window
    long held = used(limit, KEY);
    timers.advance(Duration.ofMillis(300));
    assertThat(slow.join().allowed()).isFalse();
    timers.advance(Duration.ofSeconds(3));
    assertThat(used(limit, KEY)).as("of %s no more came back than was leased", held).isEqualTo(3);
  }

  @Test
  void manyLeasesGoBackSomeAtATime() {
    for (int key = 0; key < 500; key++) {
      Claim claim = claim(LARGE, new LimitKey(7, key), Mode.leased());
      Answer unused = store.take(List.of(claim));
      unused = store.take(List.of(claim));
    }
    timers.advance(Duration.ofMillis(10));
    int leases = store.counts().leases();
    assertThat(leases).as("but for a few that are taken for others").isBetween(400, 500);
    far.asked.clear();
    CompletableFuture<Void> closed = store.close().toCompletableFuture();
    timers.advance(far.trip.dividedBy(2));
    assertThat(far.asked).hasSize(64);
    timers.advance(far.trip.multipliedBy(8));
    assertThat(far.asked).hasSize(leases);
    assertThat(closed).isCompleted();
    assertThat(store.counts().stranded()).isZero();
  }
}
