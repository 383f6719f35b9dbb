package dev.weir.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Limit;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Timelines of a fixed window. */
abstract class FixedWindowContract extends ContractGroup {
  private final Limit limit = Limit.fixedWindow(3, Duration.ofSeconds(10));

  FixedWindowContract(StoreContract contract) {
    super(contract);
  }

  @Test
  void aWindowEndsOnItsEdgeWheneverItWasFirstUsed() {
    atSeconds(9);
    assertThat(take(limit, 1).resetAfter()).isEqualTo(Duration.ofSeconds(1));
    assertAllowed(take(limit, 2), 0);
    assertDenied(take(limit, 1), Duration.ofSeconds(1));
    at(micros(9_999_999));
    assertDenied(take(limit, 1), micros(1));
    atSeconds(10);
    assertAllowed(take(limit, 3), 0);
    assertDenied(take(limit, 1), Duration.ofSeconds(10));
  }

  @Test
  void anUnusedWindowIsFullAlready() {
    Decision unused = peek(limit);
    assertAllowed(unused, 3);
    assertThat(unused.resetAfter()).isZero();
    take(limit, 2);
    atSeconds(10);
    assertThat(peek(limit)).isEqualTo(unused);
  }

  @Test
  void debtEndsWithTheWindow() {
    charge(limit, 100);
    assertDenied(take(limit, 0), Duration.ofSeconds(10));
    atSeconds(10);
    assertAllowed(take(limit, 3), 0);
  }

  @Test
  void permitsOfAnEndedWindowCannotBeRefunded() {
    take(limit, 3);
    atSeconds(10);
    take(limit, 1);
    assertAllowed(refund(limit, 3), 3);
    assertAllowed(take(limit, 3), 0);
    assertDenied(take(limit, 1), Duration.ofSeconds(10));
  }

  @Test
  void aWindowStaysWhenTheClockStepsBackBeforeIt() {
    atSeconds(10);
    take(limit, 3);
    atSeconds(5);
    assertDenied(take(limit, 1), Duration.ofSeconds(15));
    atSeconds(20);
    assertAllowed(take(limit, 1), 2);
  }
}
