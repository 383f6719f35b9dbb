package dev.weir.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Limit;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Timelines of a sliding counter. */
abstract class SlidingCounterContract extends ContractGroup {
  private final Limit limit = Limit.slidingCounter(10, Duration.ofSeconds(10));

  SlidingCounterContract(StoreContract contract) {
    super(contract);
  }

  @Test
  void thePreviousWindowCountsByTheShareStillCovered() {
    atSeconds(5);
    assertAllowed(take(limit, 10), 0);
    assertDenied(take(limit, 1), Duration.ofSeconds(6));
    atSeconds(10);
    assertDenied(take(limit, 1), Duration.ofSeconds(1));
    atSeconds(11);
    assertAllowed(take(limit, 1), 0);
    atSeconds(15);
    assertAllowed(peek(limit), 4);
  }

  @Test
  void aShareIsNotRounded() {
    take(limit, 10);
    at(micros(10_999_999));
    assertDenied(take(limit, 1), micros(1));
    at(micros(11_000_000));
    assertAllowed(take(limit, 1), 0);
    at(micros(11_000_001));
    assertDenied(take(limit, 1), micros(999_999));
  }

  @Test
  void aShareThatNoMicrosecondHitsExactlyIsWaitedFor() {
    Limit three = Limit.slidingCounter(3, Duration.ofSeconds(1));
    take(three, 3);
    // One fits when no more than two thirds of the window are still covered.
    assertDenied(take(three, 1), micros(1_333_334));
    at(micros(1_333_333));
    assertDenied(take(three, 1), micros(1));
    at(micros(1_333_334));
    assertAllowed(take(three, 1), 0);
  }

  @Test
  void aCountIsGoneAfterTheWindowThatFollowsIt() {
    atSeconds(3);
    assertThat(take(limit, 4).resetAfter()).isEqualTo(Duration.ofSeconds(17));
    atSeconds(12);
    Decision fading = peek(limit);
    assertAllowed(fading, 6);
    assertThat(fading.resetAfter()).isEqualTo(Duration.ofSeconds(8));
    atSeconds(20);
    assertAllowed(peek(limit), 10);
    assertThat(peek(limit).resetAfter()).isZero();
  }

  @Test
  void aRefundTakesFromThisWindowThenFromTheOneBefore() {
    take(limit, 6);
    atSeconds(15);
    take(limit, 2);
    assertAllowed(refund(limit, 1), 6);
    // One from this window, two from the previous: half of four is left.
    assertAllowed(refund(limit, 3), 8);
    assertAllowed(refund(limit, 100), 10);
  }
}
