package dev.weir.shared.lease;

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

/** The life of leases: demand, terms, refills, returns. */
class LeaseLifecycleTest extends FourServerFixture {
  @Test
  void permitsWithoutDemandAreReturned() {
    Claim claim = claim(LARGE, KEY, Mode.leased());
    warm(claim);
    for (int i = 0; i < 500; i++) {
      take(claim);
    }
    assertThat(used(LARGE, KEY)).as("with what is held").isGreaterThan(503);
    scheduler.advance(Duration.ofMillis(1_100));
    assertThat(used(LARGE, KEY)).isEqualTo(503);
    assertThat(store.counts().stranded()).isZero();
    scheduler.advance(Duration.ofSeconds(1));
    assertThat(store.counts().leases()).as("nor is it refilled").isZero();
  }

  @Test
  void unspentPermitsAreReturnedWhenAServerStops() {
    Claim claim = claim(LARGE, KEY, Mode.leased());
    warm(claim);
    for (int i = 0; i < 500; i++) {
      take(claim);
    }
    CompletableFuture<Void> closed = store.close().toCompletableFuture();
    scheduler.advance(Duration.ofMillis(100));
    assertThat(closed).isCompleted();
    assertThat(used(LARGE, KEY)).isBetween(500L, 503L);
    take(claim);
    take(claim);
    take(claim);
    assertThat(store.counts().leases()).as("nothing more is leased").isZero();
  }

  @Test
  void keyIsLeasedWhileItIsHotOnThisServer() {
    Claim claim = claim(LARGE, KEY, Mode.automatic());
    for (int i = 0; i < 50; i++) {
      take(claim);
      scheduler.advance(Duration.ofMillis(100));
    }
    assertThat(store.isLeased(KEY)).as("ten a second").isFalse();
    for (int i = 0; i < 300; i++) {
      take(claim);
    }
    assertThat(store.isLeased(KEY)).as("hundreds a second").isTrue();
    for (int i = 0; i < 100; i++) {
      take(claim);
      scheduler.advance(Duration.ofMillis(19));
    }
    assertThat(store.isLeased(KEY)).as("fifty a second: not so few").isTrue();
    for (int i = 0; i < 50; i++) {
      take(claim);
      scheduler.advance(Duration.ofMillis(99));
    }
    assertThat(store.isLeased(KEY)).as("ten a second").isFalse();
  }

  @Test
  void cooledKeyIsCountedStrictlyHoweverLittleIsHeld() {
    Limit small = Limit.tokenBucket(600, Duration.ofMinutes(1), 600);
    Claim claim = claim(small, KEY, Mode.automatic());
    for (int i = 0; i < 200; i++) {
      take(claim);
    }
    assertThat(store.isLeased(KEY)).isTrue();
    for (int i = 0; i < 24; i++) {
      take(claim);
      scheduler.advance(Duration.ofMillis(124));
    }
    assertThat(store.isLeased(KEY)).as("eight a second, of seven that are held").isFalse();
  }

  @Test
  void permitsOfAWindowAreNotSpentInTheNext() {
    Limit limit = Limit.fixedWindow(10_000, Duration.ofSeconds(10));
    Claim claim = claim(limit, KEY, Mode.leased());
    ticker.set(Duration.ofDays(20_000).plusMillis(9_500));
    warm(claim);
    scheduler.advance(Duration.ofMillis(300));
    assertThat(take(claim).basis()).isEqualTo(Basis.LEASED);
    scheduler.advance(Duration.ofMillis(250));
    Decision next = take(claim);
    assertThat(next.basis()).as("the term alone would not have ended").isEqualTo(Basis.COUNTED);
    assertThat(used(limit, KEY)).as("one, and the new lease").isBetween(1L, 1L + 125);
    scheduler.advance(Duration.ofSeconds(2));
    assertThat(used(limit, KEY)).as("only permits of this window were returned").isEqualTo(1);
    assertThat(store.counts().stranded()).as("permits of the window that ended").isPositive();
  }

  /** A second request, a moment before its answer, which triggers a refill. */
  private Answer almostLeased(Claim claim) {
    take(claim);
    Answer second = store.take(List.of(claim));
    scheduler.advance(Duration.ofNanos(999_999));
    return second;
  }

  @Test
  void refillWithoutAnswerIsNotSpent() {
    Claim claim = claim(LARGE, KEY, Mode.leased());
    var second = almostLeased(claim);
    remote.losesAnswers = true; // of the refill that this answer triggers
    scheduler.advance(Duration.ofMillis(20));
    assertThat(second.join().allowed()).isTrue();
    assertThat(remote.received).last().asString().as("a refill was charged").isEqualTo("take 16");
    remote.losesAnswers = false;
    for (int i = 0; i < 20; i++) {
      assertThat(take(claim).basis()).isEqualTo(Basis.COUNTED);
    }
    assertThat(remote.received).filteredOn("take 16"::equals).as("once at a time").hasSize(1);
  }

  @Test
  void refillThatArrivesAfterAPauseIsReturned() {
    Claim claim = claim(LARGE, KEY, Mode.leased());
    var second = almostLeased(claim);
    remote.roundTrip = Duration.ofMillis(1_001); // of the refill that this answer triggers
    scheduler.advance(Duration.ofMillis(1));
    assertThat(second.join().allowed()).isTrue();
    scheduler.advance(Duration.ofSeconds(1));
    remote.roundTrip = Duration.ofMillis(1);
    assertThat(used(LARGE, KEY)).as("charged").isEqualTo(2 + 16);
    assertThat(store.counts().taken()).isZero();
    scheduler.advance(Duration.ofMillis(2));
    assertThat(store.counts().taken()).isEqualTo(16);
    assertThat(used(LARGE, KEY)).as("returned").isEqualTo(2);
    assertThat(store.counts().returned()).isEqualTo(16);
    assertThat(take(claim).basis()).isEqualTo(Basis.COUNTED);
  }

  @Test
  void resetDropsTheLease() {
    Claim claim = claim(LARGE, KEY, Mode.leased());
    warm(claim);
    remote.received.clear();
    Answer unused = store.reset(List.of(claim));
    assertThat(store.isLeased(KEY)).isFalse();
    scheduler.advance(remote.roundTrip);
    shared.take(claim.withCost(100)).join();
    scheduler.advance(Duration.ofSeconds(5));
    assertThat(remote.received).as("nothing is returned").containsExactly("reset 1");
    assertThat(used(LARGE, KEY)).isEqualTo(100);
  }

  @Test
  void leasesAreDroppedAfterADataLoss() {
    Claim claim = claim(LARGE, KEY, Mode.leased());
    warm(claim);
    shared.reset(List.of(claim));
    shared.take(claim.withCost(100)).join();
    epoch = "another";
    fleet.announce().toCompletableFuture().join();
    scheduler.advance(Duration.ofSeconds(5));
    assertThat(store.isLeased(KEY)).isFalse();
    assertThat(used(LARGE, KEY)).isEqualTo(100);
    assertThat(store.counts().returned()).isZero();
  }

  @Test
  void refillOnItsWayDuringAResetIsNotReturned() {
    Claim claim = claim(LARGE, KEY, Mode.leased());
    take(claim);
    take(claim); // which triggers a refill
    Answer unused = store.reset(List.of(claim));
    scheduler.advance(remote.roundTrip.dividedBy(2));
    shared.take(claim.withCost(100)).join();
    scheduler.advance(Duration.ofSeconds(5));
    assertThat(used(LARGE, KEY)).isEqualTo(100);
  }

  @Test
  void newShareAppliesAtOnceAndTheOldLeaseIsReturned() {
    warm(claim(LARGE, KEY, Mode.leased()));
    Claim claim = claim(LARGE, KEY, new Mode(Mode.Kind.LEASED, 100)); // one percent
    assertThat(take(claim).basis()).as("not of the old lease").isEqualTo(Basis.COUNTED);
    scheduler.advance(Duration.ofMillis(10));
    assertThat(used(LARGE, KEY)).isEqualTo(4);
    for (int i = 0; i < 5_000; i++) {
      take(claim);
      assertThat(used(LARGE, KEY)).isLessThanOrEqualTo(i + 5 + 250);
    }
    assertThat(store.isLeased(KEY)).isTrue();
  }

  @Test
  void refillOnItsWayIsReturnedBeforeAServerHasStopped() {
    Claim claim = claim(LARGE, KEY, Mode.leased());
    take(claim);
    take(claim); // which triggers a refill
    assertThat(store.isLeased(KEY)).isTrue();
    CompletableFuture<Void> closed = store.close().toCompletableFuture();
    assertThat(closed).isNotCompleted();
    scheduler.advance(remote.roundTrip.multipliedBy(2));
    assertThat(closed).isCompleted();
    assertThat(used(LARGE, KEY)).isEqualTo(2);
  }

  @Test
  void permitsOfARequestDeniedAfterTheirTermAreNotReturned() {
    Limit limit = Limit.fixedWindow(10_000, Duration.ofSeconds(10));
    Claim leased = claim(limit, KEY, Mode.leased());
    ticker.set(Duration.ofDays(20_000).plusMillis(9_700));
    warm(leased);
    remote.roundTrip = Duration.ofMillis(600);
    Claim denied = claim(Limit.fixedWindow(1, Duration.ofDays(1)), new LimitKey(9, 9), Mode.STRICT);
    assertThat(shared.take(denied).join().allowed()).isTrue();
    Answer slow = store.take(List.of(leased, denied));
    scheduler.advance(Duration.ofMillis(310));
    remote.roundTrip = Duration.ofMillis(1);
    warm(leased); // in the next window
    long held = used(limit, KEY);
    scheduler.advance(Duration.ofMillis(300));
    assertThat(slow.join().allowed()).isFalse();
    scheduler.advance(Duration.ofSeconds(3));
    assertThat(used(limit, KEY))
        .as("of %s no more was returned than was leased", held)
        .isEqualTo(3);
  }

  @Test
  void manyLeasesAreReturnedSomeAtATime() {
    for (int key = 0; key < 500; key++) {
      Claim claim = claim(LARGE, new LimitKey(7, key), Mode.leased());
      Answer unused = store.take(List.of(claim));
      unused = store.take(List.of(claim));
    }
    scheduler.advance(Duration.ofMillis(10));
    int leases = store.counts().leases();
    assertThat(leases).as("but for a few keys that collide").isBetween(400, 500);
    remote.received.clear();
    CompletableFuture<Void> closed = store.close().toCompletableFuture();
    scheduler.advance(remote.roundTrip.dividedBy(2));
    assertThat(remote.received).hasSize(64);
    scheduler.advance(remote.roundTrip.multipliedBy(8));
    assertThat(remote.received).hasSize(leases);
    assertThat(closed).isCompleted();
    assertThat(store.counts().stranded()).isZero();
  }
}
