package dev.weir.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.Decision.Verdict;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.memory.MemoryStore;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class StandbyTest extends OneOfThree {
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
  void whatTheStoreWasGivenBackIsNotHeldAgainstAnybodyInAnOutage() {
    standby.counted(Claim.of(TEN, KEY, 3));
    assertThat(grant(gone, TEN, 1)).as("its part is used").isZero();
    standby.gaveBack(Claim.of(TEN, KEY, 2));
    assertThat(grant(gone, TEN, 3)).isEqualTo(2);
    standby.forgot(Claim.of(TEN, KEY, 1));
    assertThat(standby.owing()).as("of a counter that begins anew").isZero();
    assertThat(grant(gone, TEN, 5)).isEqualTo(3);
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
    Decision denied = standby.after(gone).take(second);
    assertThat(denied.allowed()).as("its part is one").isFalse();
    assertThat(denied.retryAfter()).contains(Duration.ofSeconds(1));
    List<Claim> two = List.of(second.get(0).costing(2));
    Decision tooMany = standby.after(gone).take(two);
    assertThat(tooMany.verdict()).as("not for ever").isEqualTo(Verdict.DENIED);
    assertThat(tooMany.retryAfter()).contains(Duration.ofSeconds(1));
    standby.release(List.of(first));
    assertThat(standby.after(gone).take(second).allowed()).isTrue();
    assertThat(standby.owing()).isZero();
  }

  @Test
  void partsOfEqualLimitsStayWithTheirRules() {
    MemoryStore small = new MemoryStore(100, ticker);
    Standby alone = new Standby(small, Fleet.alone(), ticker);
    Limit flooded = TEN.ofRule("flooded");
    Limit other = TEN.ofRule("other");
    for (int i = 0; i < 110; i++) {
      alone.counted(Claim.of(flooded, new LimitKey(1, i), 1));
    }
    for (int i = 0; i < 20; i++) {
      Claim claim = Claim.of(other, new LimitKey(2, i), 1);
      assertThat(alone.after(gone).take(List.of(claim)).remaining()).isEqualTo(9);
    }
  }
}
