package dev.weir.shared.fallback;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.Decision.Verdict;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.memory.MemoryStore;
import dev.weir.shared.ThreeServerFixture;
import dev.weir.shared.fleet.Fleet;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Local counting by the second of three servers during an outage. */
class LocalFallbackTest extends ThreeServerFixture {
  @Test
  void serverGrantsItsPartOfALimit() {
    assertThat(grant(gone, TEN, 20)).as("the second of three gets three of ten").isEqualTo(3);
    assertThat(fallback.part(10)).isEqualTo(3);
    assertThat(fallback.part(2)).isEqualTo(1);
    assertThat(fallback.part(0)).isZero();
  }

  @Test
  void grantsOfTheStoreCountAgainstThePart() {
    fallback.mirrorGrant(Claim.of(TEN, KEY, 2));
    assertThat(grant(gone, TEN, 20)).isEqualTo(1);
    Limit bucket = Limit.tokenBucket(30, Duration.ofSeconds(30), 30);
    for (int i = 0; i < 100; i++) {
      fallback.mirrorGrant(Claim.of(bucket, KEY, 1));
    }
    ticker.advance(Duration.ofSeconds(6));
    assertThat(grant(gone, bucket, 20))
        .as("grants above the part are not carried over")
        .isEqualTo(2);
  }

  @Test
  void grantLargerThanThePartFillsIt() {
    fallback.mirrorGrant(Claim.of(TEN, KEY, 5));
    assertThat(grant(gone, TEN, 20)).isZero();
    LimitKey other = new LimitKey(8, 8);
    Limit whole = Limit.fixedWindow(1_000_000_000, Duration.ofHours(1));
    fallback.mirrorTally(Claim.of(whole, other, 5), 10);
    Decision peeked = fallback.talliesAfter(gone).peek(List.of(Claim.of(whole, other, 0)));
    assertThat(whole.capacity() - peeked.remaining()).isEqualTo(3);
  }

  @Test
  void refundsAndResetsOfTheStoreAreMirrored() {
    fallback.mirrorGrant(Claim.of(TEN, KEY, 3));
    assertThat(grant(gone, TEN, 1)).as("its part is used").isZero();
    fallback.mirrorRefund(Claim.of(TEN, KEY, 2));
    assertThat(grant(gone, TEN, 3)).isEqualTo(2);
    fallback.mirrorReset(Claim.of(TEN, KEY, 1));
    assertThat(fallback.pendingKeys()).as("pending for a key that was reset").isZero();
    assertThat(grant(gone, TEN, 5)).isEqualTo(3);
  }

  @Test
  void localDecisionsHaveTheBasisOfTheFallback() {
    Decision decision = fallback.storeAfter(gone).take(claim(TEN, 1));
    assertThat(decision.basis()).isEqualTo(Basis.LOCAL);
    Decision denied = fallback.storeAfter(gone).take(claim(TEN, 9));
    assertThat(denied.verdict()).as("not for ever: the store holds ten").isEqualTo(Verdict.DENIED);
    assertThat(denied.retryAfter()).contains(Duration.ofHours(1));
    assertThat(fallback.storeAfter(gone).take(claim(TEN, 11)).verdict()).isEqualTo(Verdict.NEVER);
  }

  @Test
  void concurrencyPermitsAreHeldAndReleasedLocallyAndNeverCharged() {
    Limit three = Limit.concurrent(3, Duration.ofMinutes(1));
    Claim first = Claim.hold(three, KEY, 1);
    assertThat(fallback.storeAfter(gone).take(List.of(first)).allowed()).isTrue();
    List<Claim> second = List.of(Claim.hold(three, KEY, 2));
    Decision denied = fallback.storeAfter(gone).take(second);
    assertThat(denied.allowed()).as("its part is one").isFalse();
    assertThat(denied.retryAfter()).contains(Duration.ofSeconds(1));
    List<Claim> two = List.of(second.get(0).withCost(2));
    Decision tooMany = fallback.storeAfter(gone).take(two);
    assertThat(tooMany.verdict()).as("not for ever").isEqualTo(Verdict.DENIED);
    assertThat(tooMany.retryAfter()).contains(Duration.ofSeconds(1));
    fallback.release(List.of(first));
    assertThat(fallback.storeAfter(gone).take(second).allowed()).isTrue();
    assertThat(fallback.pendingKeys()).isZero();
  }

  @Test
  void partsOfEqualLimitsKeepTheGroupsOfTheirRules() {
    MemoryStore small = new MemoryStore(100, ticker);
    LocalFallback alone = new LocalFallback(small, Fleet.alone(), ticker);
    Limit flooded = TEN.ofRule("flooded");
    Limit other = TEN.ofRule("other");
    for (int i = 0; i < 110; i++) {
      alone.mirrorGrant(Claim.of(flooded, new LimitKey(1, i), 1));
    }
    for (int i = 0; i < 20; i++) {
      Claim claim = Claim.of(other, new LimitKey(2, i), 1);
      assertThat(alone.storeAfter(gone).take(List.of(claim)).remaining()).isEqualTo(9);
    }
  }
}
