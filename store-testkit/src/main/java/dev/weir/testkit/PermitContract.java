package dev.weir.testkit;

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

  private Claim hold(long permit) {
    return Claim.hold(two, key, permit);
  }

  private Decision standing() {
    return look(hold(999).costing(0));
  }

  @Test
  void noMoreThanTheLimitAreHeld() {
    assertAllowed(take(hold(1)), 1);
    assertAllowed(take(hold(2)), 0);
    assertDenied(take(hold(3)), Duration.ofSeconds(1));
  }

  @Test
  void aReleasedPermitCanBeTakenByAnother() {
    take(hold(1));
    take(hold(2));
    assertAllowed(refund(hold(1)), 1);
    assertAllowed(take(hold(3)), 0);
  }

  @Test
  void releasingTwiceFreesOnePlace() {
    take(hold(1));
    take(hold(2));
    refund(hold(1));
    assertAllowed(refund(hold(1)), 1);
    assertAllowed(take(hold(3)), 0);
    assertAllowed(refund(hold(1)), 0);
    assertDenied(take(hold(4)), Duration.ofSeconds(1));
  }

  @Test
  void aPermitNobodyReleasesReturnsAtItsExpiry() {
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
  void releasingAfterExpiryDoesNotFreeThePlaceOfAnother() {
    take(hold(1));
    atSeconds(30);
    take(hold(2));
    take(hold(3));
    assertAllowed(refund(hold(1)), 0);
  }

  @Test
  void takingAgainRenewsTheExpiryAndTakesNoSecondPlace() {
    take(hold(1));
    atSeconds(20);
    assertAllowed(take(hold(1)), 1);
    atSeconds(49);
    assertAllowed(standing(), 1);
    assertThat(standing().resetAfter()).isEqualTo(Duration.ofSeconds(1));
    atSeconds(50);
    assertAllowed(standing(), 2);
  }

  @Test
  void aHolderRenewsWhenAllPlacesAreTaken() {
    take(hold(1));
    take(hold(2));
    atSeconds(20);
    assertAllowed(take(hold(1)), 0);
    atSeconds(30);
    assertAllowed(standing(), 1);
  }

  @Test
  void aChargeChangesNothing() {
    take(hold(1));
    Decision before = standing();
    assertAllowed(charge(hold(1)), 1);
    assertAllowed(charge(hold(7)), 1);
    assertThat(standing()).isEqualTo(before);
  }

  @Test
  void aHolderMayNeedSeveralPlaces() {
    assertAllowed(take(hold(1).costing(2)), 0);
    assertDenied(take(hold(2)), Duration.ofSeconds(1));
    assertAllowed(refund(hold(1).costing(2)), 2);
  }

  @Test
  void anyNumberButZeroNamesAHolder() {
    for (long permit : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE}) {
      assertAllowed(take(hold(permit)), 1);
      assertAllowed(look(hold(permit)), 1);
      assertAllowed(look(hold(5)), 1);
      assertAllowed(refund(hold(permit)), 2);
    }
  }

  @Test
  void eachHolderThatIsNotNamedHasAPlaceOfItsOwn() {
    Claim one = Claim.hold(two, key);
    assertAllowed(take(one), 1);
    assertAllowed(take(Claim.hold(two, key)), 0);
    assertDenied(take(Claim.hold(two, key)), Duration.ofSeconds(1));
    assertAllowed(refund(one), 1);
  }

  @Test
  void forgettingReleasesEverybody() {
    take(hold(1));
    take(hold(2));
    assertAllowed(forget(hold(1)), 2);
    assertAllowed(take(hold(3)), 1);
  }
}
