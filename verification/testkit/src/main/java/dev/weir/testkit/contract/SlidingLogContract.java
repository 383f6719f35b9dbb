package dev.weir.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Limit;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Timelines of a sliding log. */
abstract class SlidingLogContract extends ContractGroup {
  private final Limit limit = Limit.slidingLog(3, Duration.ofSeconds(10));

  SlidingLogContract(StoreContract contract) {
    super(contract);
  }

  @Test
  void aGrantCountsForExactlyOneWindow() {
    assertAllowed(take(limit, 2), 1);
    atSeconds(4);
    assertAllowed(take(limit, 1), 0);
    assertDenied(take(limit, 1), Duration.ofSeconds(6));
    at(micros(9_999_999));
    assertDenied(take(limit, 1), micros(1));
    atSeconds(10);
    assertAllowed(take(limit, 2), 0);
    assertDenied(take(limit, 1), Duration.ofSeconds(4));
  }

  @Test
  void aLargerRequestWaitsForMoreGrantsToLeave() {
    for (int second = 0; second < 3; second++) {
      atSeconds(second);
      take(limit, 1);
    }
    assertDenied(take(limit, 1), Duration.ofSeconds(8));
    assertDenied(take(limit, 2), Duration.ofSeconds(9));
    assertDenied(take(limit, 3), Duration.ofSeconds(10));
  }

  @Test
  void resetAfterIsWhenTheNewestGrantHasLeft() {
    assertThat(take(limit, 1).resetAfter()).isEqualTo(Duration.ofSeconds(10));
    atSeconds(3);
    assertThat(take(limit, 1).resetAfter()).isEqualTo(Duration.ofSeconds(10));
    atSeconds(12);
    assertThat(peek(limit).resetAfter()).isEqualTo(Duration.ofSeconds(1));
    atSeconds(13);
    assertThat(peek(limit).resetAfter()).isZero();
  }

  @Test
  void aRefundTakesFromTheNewestGrants() {
    take(limit, 2);
    atSeconds(4);
    take(limit, 1);
    Decision refunded = refund(limit, 2);
    assertAllowed(refunded, 2);
    assertThat(refunded.resetAfter()).isEqualTo(Duration.ofSeconds(6));
  }

  @Test
  void theLongestLogIsRememberedGrantByGrant() {
    Limit longest = Limit.slidingLog(Limit.MAX_LOG_PERMITS, Duration.ofSeconds(10));
    for (int i = 0; i < Limit.MAX_LOG_PERMITS; i++) {
      at(Duration.ofMillis(i));
      assertAllowed(take(longest, 1), Limit.MAX_LOG_PERMITS - 1 - i);
    }
    assertDenied(take(longest, 1), Duration.ofMillis(10_000 - 999));
    assertDenied(take(longest, 500), Duration.ofMillis(10_000 - 999 + 499));
    at(Duration.ofMillis(10_499));
    assertAllowed(take(longest, 500), 0);
  }

  @Test
  void chargesBeyondTheLongestLogJoinTheNewest() {
    Limit longest = Limit.slidingLog(Limit.MAX_LOG_PERMITS, Duration.ofSeconds(10));
    for (int i = 0; i <= Limit.MAX_LOG_PERMITS; i++) {
      at(Duration.ofMillis(i));
      charge(longest, 1);
    }
    // The grant of 999 ms is now as new as the charge that was added to it.
    at(Duration.ofMillis(10_998));
    assertAllowed(peek(longest), Limit.MAX_LOG_PERMITS - 2);
    at(Duration.ofMillis(10_999));
    assertAllowed(peek(longest), Limit.MAX_LOG_PERMITS - 2);
    atSeconds(11);
    assertAllowed(peek(longest), Limit.MAX_LOG_PERMITS);
  }
}
