package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.weir.Decision.Verdict;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DecisionTest {
  private static Decision allowed(long remaining, long delayMicros) {
    return Decision.of(Verdict.ALLOWED, remaining, delayMicros, 10);
  }

  private static Decision denied(long waitMicros) {
    return Decision.of(Verdict.DENIED, 0, waitMicros, 20);
  }

  @Test
  void theGrantedClaimWithTheFewestPermitsLeftIsDecisive() {
    Decision decision = Decision.of(List.of(allowed(9, 0), allowed(3, 0), allowed(7, 5)));
    assertThat(decision.allowed()).isTrue();
    assertThat(decision.decisive()).hasValue(1);
    assertThat(decision.remaining()).isEqualTo(3);
    assertThat(decision.delay()).isEqualTo(Duration.ofNanos(5_000));
  }

  @Test
  void theDeniedClaimWithTheLongestWaitIsDecisive() {
    Decision decision = Decision.of(List.of(allowed(1, 9), denied(50), denied(70), denied(60)));
    assertThat(decision.allowed()).isFalse();
    assertThat(decision.decisive()).hasValue(2);
    assertThat(decision.retryAfter()).contains(Duration.ofNanos(70_000));
    assertThat(decision.delay()).isZero();
  }

  @Test
  void aClaimThatCanNeverPassOutranksAnyWait() {
    Decision never = Decision.of(Verdict.NEVER, 4, 0, 0);
    Decision decision = Decision.of(List.of(denied(1_000_000), never));
    assertThat(decision.verdict()).isEqualTo(Verdict.NEVER);
    assertThat(decision.decisive()).hasValue(1);
    assertThat(decision.retryAfter()).isEmpty();
  }

  @Test
  void noClaimsAreAllowed() {
    Decision decision = Decision.of(List.of());
    assertThat(decision.allowed()).isTrue();
    assertThat(decision.each()).isEmpty();
    assertThat(decision.remaining()).isEqualTo(Long.MAX_VALUE);
    assertThat(decision.decisive()).isEmpty();
    assertThat(decision).hasToString("ALLOWED, 9223372036854775807 left, full in PT0S");
  }

  @Test
  void aBlockedDecisionHasNoDecisiveClaim() {
    Decision decision = Decision.blocked();
    assertThat(decision.verdict()).isEqualTo(Verdict.NEVER);
    assertThat(decision.retryAfter()).isEmpty();
    assertThat(decision.decisive()).isEmpty();
    assertThat(decision.each()).isEmpty();
  }

  @Test
  void negativePermitsAreDebt() {
    Decision decision = Decision.of(Verdict.ALLOWED, -3, 0, 10);
    assertThat(decision.debt()).isEqualTo(3);
    assertThat(decision.remaining()).isZero();
    assertThat(decision).hasToString("ALLOWED, 3 in debt, full in PT0.00001S");
    assertThat(decision).isNotEqualTo(allowed(0, 0));
    assertThat(allowed(3, 0).debt()).isZero();
    assertThat(allowed(0, 0).debt()).isZero();
  }

  @Test
  void theLargestDebtIsDecisive() {
    Decision decision = Decision.of(List.of(allowed(0, 0), allowed(-1, 0), allowed(-5, 0)));
    assertThat(decision.decisive()).hasValue(2);
    assertThat(decision.debt()).isEqualTo(5);
  }

  /** Compares the bytes that the virtual machine reports as allocated by this thread. */
  @Test
  void aDecisionTakes48Bytes() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    Decision[] decisions = new Decision[10_000];
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < decisions.length; i++) {
      decisions[i] = Decision.of(Verdict.ALLOWED, i, 0, 0);
    }
    long bytes = (threads.getCurrentThreadAllocatedBytes() - before) / decisions.length;
    assertThat(decisions).doesNotContainNull();
    assertThat(bytes).isLessThanOrEqualTo(48);
  }

  @Test
  void aDecisionIsItsOwnAnswer() throws Exception {
    Decision decision = allowed(1, 0);
    assertThat(decision.join()).isSameAs(decision);
    assertThat(decision.stage().toCompletableFuture().get()).isSameAs(decision);
    assertThat(decision.each()).containsExactly(decision);
  }

  @Test
  void toStringDescribesTheDecision() {
    assertThat(allowed(3, 0)).hasToString("ALLOWED, 3 left, full in PT0.00001S");
    assertThat(allowed(3, 2)).hasToString("ALLOWED after PT0.000002S, 3 left, full in PT0.00001S");
    assertThat(Decision.of(List.of(allowed(3, 0), denied(5))))
        .hasToString("DENIED for PT0.000005S, 0 left, full in PT0.00002S, claim 1 of 2");
  }
}
