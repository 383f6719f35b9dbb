package dev.weir.shared.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.Mode;
import dev.weir.Operation;
import dev.weir.Store;
import dev.weir.StoreFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Claims in each mode on one of four servers. */
class ModeRoutingStoreTest extends FourServerFixture {

  @Test
  void strictClaimsAlwaysCallTheStore() {
    for (int i = 0; i < 50; i++) {
      assertThat(take(claim(LARGE, KEY, Mode.STRICT)).basis()).isEqualTo(Basis.COUNTED);
    }
    assertThat(remote.received).hasSize(50).containsOnly("take 1");
  }

  @Test
  void leasedClaimsAreSpentLocallyAndChargedInAdvance() {
    Claim claim = claim(LARGE, KEY, Mode.leased());
    warm(claim);
    remote.received.clear();
    long spentLocally = 0;
    for (int i = 0; i < 10_000; i++) {
      Decision decision = take(claim);
      assertThat(decision.allowed()).isTrue();
      spentLocally += decision.basis() == Basis.LEASED ? 1 : 0;
      assertThat(used(LARGE, KEY)).isBetween(i + 1L, i + 4L + MAX_HELD);
    }
    assertThat(spentLocally).isGreaterThan(9_900);
    assertThat(remote.received).as("calls for ten thousand").hasSizeLessThan(60);
  }

  @Test
  void serverHoldsAtMostItsPartOfTheShare() {
    Claim claim = claim(LARGE, KEY, Mode.leased());
    for (int i = 0; i < 20_000; i++) {
      take(claim);
      ModeRoutingStore.Counts counts = store.counts();
      long held = counts.taken() - counts.granted() - counts.returned();
      assertThat(held).isLessThanOrEqualTo(MAX_HELD);
    }
  }

  @Test
  void limitTooSmallToBeDividedIsCountedStrictly() {
    Limit five = Limit.fixedWindow(5, Duration.ofMinutes(1));
    Claim claim = claim(five, KEY, Mode.leased());
    for (int i = 0; i < 5; i++) {
      assertThat(take(claim).allowed()).isTrue();
    }
    assertThat(take(claim).allowed()).isFalse();
    assertThat(store.counts().leases()).isZero();
  }

  @Test
  void lastPermitsAreTakenStrictlyAndExactly() {
    Limit limit = Limit.fixedWindow(1_000, Duration.ofHours(1));
    Claim claim = claim(limit, KEY, Mode.leased());
    List<Basis> granted = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      Decision decision = take(claim);
      if (decision.allowed()) {
        granted.add(decision.basis());
      }
    }
    assertThat(granted).hasSize(1_000).contains(Basis.LEASED);
    int share = 50;
    int held = share / SERVERS; // when the last of the share begins
    assertThat(granted.subList(1_000 - share + held, 1_000)).containsOnly(Basis.COUNTED);
  }

  @Test
  void leasedAndLocalPermitsOfADeniedRequestAreGivenBack() {
    Claim leased = claim(LARGE, KEY, Mode.leased());
    warm(leased);
    Limit none = Limit.fixedWindow(1, Duration.ofHours(1));
    Claim strict = claim(none, new LimitKey(7, 7), Mode.STRICT);
    Claim localClaim = claim(none, new LimitKey(8, 8), Mode.local());
    assertThat(take(leased, strict, localClaim).allowed()).isTrue();
    Decision denied = take(leased, strict);
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.decisive()).hasValue(1);
    assertThat(denied.each()).hasSize(2);
    assertThat(take(leased, localClaim).allowed()).isFalse();
    assertThat(store.counts().granted()).as("requests that passed").isEqualTo(1);
    remote.disconnected = true;
    Answer failed = store.take(List.of(leased, claim(LARGE, new LimitKey(9, 9), Mode.STRICT)));
    assertThat(failed.stage().toCompletableFuture()).isCompletedExceptionally();
    remote.disconnected = false;
    scheduler.advance(Duration.ofSeconds(10));
    assertThat(used(LARGE, KEY)).as("three to warm up, and the one that passed").isEqualTo(4);
  }

  @Test
  void grantToACancelledCallerIsRefunded() {
    Claim leased = claim(LARGE, KEY, Mode.leased());
    warm(leased);
    Limit ten = Limit.fixedWindow(10, Duration.ofHours(1));
    Claim strict = claim(ten, new LimitKey(7, 7), Mode.STRICT);
    Claim localClaim = claim(ten, new LimitKey(8, 8), Mode.local());
    for (List<Claim> claims : List.of(List.of(strict), List.of(leased, strict, localClaim))) {
      assertThat(store.take(claims).stage().toCompletableFuture().cancel(true)).isTrue();
      scheduler.advance(remote.roundTrip.multipliedBy(3));
      assertThat(used(ten, strict.key())).isZero();
      assertThat(local.peek(List.of(localClaim.withCost(0))).remaining()).isEqualTo(10);
    }
    scheduler.advance(Duration.ofSeconds(10));
    assertThat(used(LARGE, KEY)).as("three to warm up").isEqualTo(3);
  }

  @Test
  void lateAnswerAboutSomeOfTheClaimsIsDropped() {
    Limit ten = Limit.fixedWindow(10, Duration.ofHours(1));
    Claim strict = claim(ten, new LimitKey(7, 7), Mode.STRICT);
    Claim localClaim = claim(ten, new LimitKey(8, 8), Mode.local());
    CompletableFuture<Decision> never = new CompletableFuture<>();
    StoreFailure late = StoreFailure.deadlineExceeded("late", () -> Answer.later(never));
    Store failing =
        new Store() {
          @Override
          public Answer apply(Operation operation, List<Claim> claims) {
            return Answer.failed(late);
          }
        };
    ModeRoutingStore routing = new ModeRoutingStore(failing, local, fleet, scheduler);
    assertThat(failure(routing.take(List.of(strict))).late()).isPresent();
    assertThat(failure(routing.take(List.of(strict, localClaim))).late()).isEmpty();
    assertThat(local.peek(List.of(localClaim.withCost(0))).remaining()).isEqualTo(10);
  }

  private static StoreFailure failure(Answer answer) {
    return catchThrowableOfType(StoreFailure.class, answer::join);
  }

  @Test
  void localClaimsNeverCallTheStore() {
    Limit two = Limit.fixedWindow(2, Duration.ofHours(1));
    Claim claim = claim(two, KEY, Mode.local());
    assertThat(take(claim).allowed()).isTrue();
    assertThat(take(claim).allowed()).isTrue();
    assertThat(take(claim).allowed()).isFalse();
    assertThat(store.refund(List.of(claim)).join().remaining()).isEqualTo(1);
    assertThat(take(claim).allowed()).isTrue();
    assertThat(remote.received).isEmpty();
  }
}
