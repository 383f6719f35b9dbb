package dev.weir.client.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RetryBudgetTest {
  private static final long SECOND = 1_000_000_000L;

  private static int retries(RetryBudget budget, long nowNanos) {
    int retries = 0;
    while (budget.tryRetry(nowNanos)) {
      retries++;
    }
    return retries;
  }

  @Test
  void retriesAreAPartOfTheRequestsAndAMinimum() {
    RetryBudget budget = new RetryBudget(20, 3);
    assertThat(retries(budget, 0)).isEqualTo(3);
    for (int i = 0; i < 50; i++) {
      budget.onRequest(5 * SECOND);
    }
    assertThat(retries(budget, 9 * SECOND)).isEqualTo(10);
  }

  @Test
  void whatIsTenSecondsAgoDoesNotCount() {
    RetryBudget budget = new RetryBudget(20, 3);
    budget.onRequest(0);
    assertThat(retries(budget, 0)).isEqualTo(3);
    assertThat(retries(budget, 9 * SECOND)).isZero();
    assertThat(retries(budget, 10 * SECOND)).isEqualTo(3);
    assertThat(retries(budget, 1_000_000 * SECOND)).isEqualTo(3);
    // A thread that read the clock earlier does not bring old numbers back.
    assertThat(retries(budget, 999_999 * SECOND)).isZero();
  }
}
