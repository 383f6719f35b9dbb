package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Algorithm;
import dev.weir.Decision;
import dev.weir.Decision.Verdict;
import dev.weir.Limit;
import dev.weir.testkit.model.Arrivals;
import dev.weir.testkit.model.RandomLimits;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A request of cost n is n requests of cost 1 that pass or fail together. */
class CostTest {
  private static final int LIMITS = 300;
  private static final int REQUESTS = 300;
  private static final int MAX_COST = 40;

  @ParameterizedTest
  @EnumSource(value = Algorithm.class, names = "CONCURRENCY", mode = EnumSource.Mode.EXCLUDE)
  void grantingNEqualsNGrantsOfOneInStateAndAdmission(Algorithm algorithm) {
    Seeds.run(
        random -> {
          RandomLimits limits = new RandomLimits(random);
          for (int i = 0; i < LIMITS; i++) {
            Limit limit = limits.next(algorithm);
            Arrivals arrivals = new Arrivals(random, true);
            PureCounter whole = new PureCounter(limit);
            Decision last = Decision.of(Verdict.ALLOWED, 0, 0, 0);
            for (int j = 0; j < REQUESTS; j++) {
              long now = arrivals.next(limit, last);
              long cost = 1 + random.nextLong(Math.min(MAX_COST, limit.capacity()));
              PureCounter ones = whole.copy();
              last = whole.take(cost, now);
              compare(last, whole, ones, cost, now);
            }
          }
        });
  }

  private static void compare(
      Decision decision, PureCounter whole, PureCounter ones, long cost, long now) {
    long admitted = 0;
    Decision one = ones.take(1, now);
    while (one.allowed() && ++admitted < cost) {
      one = ones.take(1, now);
    }
    if (decision.allowed()) {
      assertThat(admitted).isEqualTo(cost);
      assertThat(ones.state().level()).isEqualTo(whole.state().level());
      assertThat(ones.state().at()).isEqualTo(whole.state().at());
      assertThat(ones.state().log()).isEqualTo(whole.state().log());
      // The last of the single requests gets the same decision, including a leaky bucket's delay.
      assertThat(one).isEqualTo(decision);
    } else {
      assertThat(admitted).isEqualTo(decision.remaining()).isLessThan(cost);
    }
  }
}
