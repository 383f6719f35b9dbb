package dev.weir.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Permits of a concurrency limit: held, renewed, released, expired. */
abstract class PermitContract extends ContractGroup {
  private final Limit two = Limit.concurrent(2, Duration.ofSeconds(30));

  PermitContract(StoreContract contract) {
    super(contract);
  }

  private Claim hold(long holder) {
    return Claim.hold(two, key, holder);
  }

  private Decision status() {
    return peek(hold(999).withCost(0));
  }

  @Test
  void noMorePermitsThanTheLimitAreHeld() {
    assertAllowed(take(hold(1)), 1);
    assertAllowed(take(hold(2)), 0);
    assertDenied(take(hold(3)), Duration.ofSeconds(1));
  }

  @Test
  void aReleasedPermitCanBeTakenByAnotherHolder() {
    take(hold(1));
    take(hold(2));
    assertAllowed(refund(hold(1)), 1);
    assertAllowed(take(hold(3)), 0);
  }

  @Test
  void releasingTwiceFreesOnePermit() {
    take(hold(1));
    take(hold(2));
    refund(hold(1));
    assertAllowed(refund(hold(1)), 1);
    assertAllowed(take(hold(3)), 0);
    assertAllowed(refund(hold(1)), 0);
    assertDenied(take(hold(4)), Duration.ofSeconds(1));
  }

  @Test
  void aPermitThatIsNotReleasedExpires() {
    take(hold(1));
    atSeconds(10);
    take(hold(2));
    at(micros(29_999_999));
    assertDenied(take(hold(3)), micros(1));
    atSeconds(30);
    assertAllowed(take(hold(3)), 0);
    assertDenied(take(hold(4)), Duration.ofSeconds(1));
  }

  @Test
  void releasingAfterExpiryDoesNotFreeThePermitOfAnotherHolder() {
    take(hold(1));
    atSeconds(30);
    take(hold(2));
    take(hold(3));
    assertAllowed(refund(hold(1)), 0);
  }

  @Test
  void takingAgainRenewsTheExpiryAndTakesNoSecondPermit() {
    take(hold(1));
    atSeconds(20);
    assertAllowed(take(hold(1)), 1);
    atSeconds(49);
    assertAllowed(status(), 1);
    assertThat(status().resetAfter()).isEqualTo(Duration.ofSeconds(1));
    atSeconds(50);
    assertAllowed(status(), 2);
  }

  @Test
  void aHolderRenewsWhenAllPermitsAreHeld() {
    take(hold(1));
    take(hold(2));
    atSeconds(20);
    assertAllowed(take(hold(1)), 0);
    atSeconds(30);
    assertAllowed(status(), 1);
  }

  @Test
  void aChargeChangesNothing() {
    take(hold(1));
    Decision before = status();
    assertAllowed(charge(hold(1)), 1);
    assertAllowed(charge(hold(7)), 1);
    assertThat(status()).isEqualTo(before);
  }

  @Test
  void aHolderMayHoldSeveralPermits() {
    assertAllowed(take(hold(1).withCost(2)), 0);
    assertDenied(take(hold(2)), Duration.ofSeconds(1));
    assertAllowed(refund(hold(1).withCost(2)), 2);
  }

  @Test
  void anyNumberButZeroIdentifiesAHolder() {
    for (long holder : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE}) {
      assertAllowed(take(hold(holder)), 1);
      assertAllowed(peek(hold(holder)), 1);
      assertAllowed(peek(hold(5)), 1);
      assertAllowed(refund(hold(holder)), 2);
    }
  }

  @Test
  void eachHolderWithARandomNumberHasItsOwnPermit() {
    Claim one = Claim.hold(two, key);
    assertAllowed(take(one), 1);
    assertAllowed(take(Claim.hold(two, key)), 0);
    assertDenied(take(Claim.hold(two, key)), Duration.ofSeconds(1));
    assertAllowed(refund(one), 1);
  }

  @Test
  void resetReleasesAllHolders() {
    take(hold(1));
    take(hold(2));
    assertAllowed(reset(hold(1)), 2);
    assertAllowed(take(hold(3)), 1);
  }
}
