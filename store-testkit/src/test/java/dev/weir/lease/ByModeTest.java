package dev.weir.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.Mode;
import dev.weir.Store;
import dev.weir.StoreFailure;
import dev.weir.operation.Operation;
import dev.weir.operation.UniformStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ByModeTest extends OneOfFour {

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
      assertThat(used(LARGE, KEY)).isBetween(i + 1L, i + 4L + MAX_HELD);
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
      assertThat(held).isLessThanOrEqualTo(MAX_HELD);
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
  void whatWasSpentForARequestThatDoesNotPassIsTakenBack() {
    Claim leased = claim(LARGE, KEY, Mode.leased());
    warm(leased);
    Limit none = Limit.fixedWindow(1, Duration.ofHours(1));
    Claim strict = claim(none, new LimitKey(7, 7), Mode.STRICT);
    Claim here = claim(none, new LimitKey(8, 8), Mode.local());
    assertThat(take(leased, strict, here).allowed()).isTrue();
    Decision denied = take(leased, strict);
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.decisive()).hasValue(1);
    assertThat(denied.each()).hasSize(2);
    assertThat(take(leased, here).allowed()).isFalse();
    assertThat(store.counts().granted()).as("requests that passed").isEqualTo(1);
    far.cut = true;
    Answer failed = store.take(List.of(leased, claim(LARGE, new LimitKey(9, 9), Mode.STRICT)));
    assertThat(failed.stage().toCompletableFuture()).isCompletedExceptionally();
    far.cut = false;
    timers.advance(Duration.ofSeconds(10));
    assertThat(used(LARGE, KEY)).as("three to warm up, and the one that passed").isEqualTo(4);
  }

  @Test
  void whatIsGrantedToACallerWhoCancelledIsGivenBack() {
    Claim leased = claim(LARGE, KEY, Mode.leased());
    warm(leased);
    Limit ten = Limit.fixedWindow(10, Duration.ofHours(1));
    Claim strict = claim(ten, new LimitKey(7, 7), Mode.STRICT);
    Claim here = claim(ten, new LimitKey(8, 8), Mode.local());
    for (List<Claim> claims : List.of(List.of(strict), List.of(leased, strict, here))) {
      assertThat(store.take(claims).stage().toCompletableFuture().cancel(true)).isTrue();
      timers.advance(far.trip.multipliedBy(3));
      assertThat(used(ten, strict.key())).isZero();
      assertThat(local.look(List.of(here.costing(0))).remaining()).isEqualTo(10);
    }
    timers.advance(Duration.ofSeconds(10));
    assertThat(used(LARGE, KEY)).as("three to warm up").isEqualTo(3);
  }

  @Test
  void aLateAnswerAboutSomeOfTheClaimsIsNotOffered() {
    Limit ten = Limit.fixedWindow(10, Duration.ofHours(1));
    Claim strict = claim(ten, new LimitKey(7, 7), Mode.STRICT);
    Claim here = claim(ten, new LimitKey(8, 8), Mode.local());
    CompletableFuture<Decision> never = new CompletableFuture<>();
    StoreFailure late = StoreFailure.deadlineExceeded("late", () -> Answer.later(never));
    Store failing =
        new UniformStore() {
          @Override
          protected Answer ask(Operation operation, List<Claim> claims) {
            return Answer.failed(late);
          }
        };
    ByMode beside = new ByMode(failing, local, fleet, timers);
    assertThat(failure(beside.take(List.of(strict))).late()).isPresent();
    assertThat(failure(beside.take(List.of(strict, here))).late()).isEmpty();
    assertThat(local.look(List.of(here.costing(0))).remaining()).isEqualTo(10);
  }

  private static StoreFailure failure(Answer answer) {
    return catchThrowableOfType(StoreFailure.class, answer::join);
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
}
