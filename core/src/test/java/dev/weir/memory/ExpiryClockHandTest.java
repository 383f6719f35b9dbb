package dev.weir.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ExpiryClockHandTest {
  private static final long NOW = 1_000_000_000;
  private static final long SECOND = 1_000_000;

  @Test
  void aTurnReachesEverySlotOnceWhereverItStarts() {
    for (int slots = 8; slots < 600; slots++) {
      ExpiryClockHand hand = new ExpiryClockHand(slots);
      hand.advance(NOW);
      hand.startTurn();
      Set<Integer> seen = new HashSet<>();
      for (int i = 0; i < slots; i++) {
        assertThat(hand.leaps(false, NOW)).isPositive();
        assertThat(seen.add(hand.slot())).as("slot %d of %d", hand.slot(), slots).isTrue();
        hand.advance(NOW);
      }
      assertThat(hand.leaps(true, NOW)).as("rests after %d", slots).isZero();
    }
  }

  @Test
  void theHandRestsUntilTheNextRowExpiresButAtMostASecond() {
    ExpiryClockHand hand = turned(NOW + 5_000);
    assertThat(hand.leaps(true, NOW + 4_999)).isZero();
    assertThat(hand.leaps(true, NOW + 5_000)).isPositive();
    hand = turned(NOW + 60 * SECOND);
    assertThat(hand.leaps(true, NOW + SECOND - 1)).isZero();
    assertThat(hand.leaps(true, NOW + SECOND)).isPositive();
  }

  @Test
  void aNewRowThatExpiresSoonerWakesTheHand() {
    ExpiryClockHand hand = turned(NOW + 60 * SECOND);
    hand.recordExpiry(NOW + 10);
    assertThat(hand.leaps(true, NOW + 9)).isZero();
    assertThat(hand.leaps(true, NOW + 10)).isPositive();
  }

  @Test
  void theHandLeapsFurtherInAFullTableUnlessItBacksOff() {
    ExpiryClockHand hand = new ExpiryClockHand(100);
    int far = hand.leaps(true, NOW);
    assertThat(far).isGreaterThan(hand.leaps(false, NOW));
    hand.backOff(NOW);
    int both = hand.leaps(true, NOW + 1) + hand.leaps(true, NOW + 1);
    assertThat(both).isBetween(1, far - 1);
    assertThat(hand.leaps(true, NOW + SECOND)).isEqualTo(far);
  }

  @Test
  void aClockThatIsSetBackWakesTheHand() {
    ExpiryClockHand hand = turned(NOW + 60 * SECOND);
    hand.backOff(NOW);
    assertThat(hand.leaps(true, NOW)).isZero();
    assertThat(hand.leaps(true, NOW - SECOND)).isEqualTo(new ExpiryClockHand(8).leaps(true, NOW));
  }

  /** A hand that found nothing in a turn and knows when the next row expires. */
  private static ExpiryClockHand turned(long expiryMicros) {
    ExpiryClockHand hand = new ExpiryClockHand(8);
    hand.recordExpiry(expiryMicros);
    for (int i = 0; i < 8; i++) {
      hand.advance(NOW);
    }
    return hand;
  }
}
