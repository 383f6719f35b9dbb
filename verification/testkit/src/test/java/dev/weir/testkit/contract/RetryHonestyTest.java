package dev.weir.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Verdict;
import dev.weir.Limit;
import dev.weir.testkit.PureCounter;
import dev.weir.testkit.Seeds;
import dev.weir.testkit.model.Arrivals;
import dev.weir.testkit.model.RandomLimits;
import dev.weir.testkit.time.ManualTicker;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A wait is exactly as long as necessary, also in debt and after the clock stepped back. */
class RetryHonestyTest {
  private static final int LIMITS = 500;
  private static final int REQUESTS = 500;

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void aRetryAfterRetryAfterSucceedsAndAMicrosecondSoonerDoesNot(Algorithm algorithm) {
    Seeds.run(
        random -> {
          RandomLimits limits = new RandomLimits(random);
          int denials = 0;
          for (int i = 0; i < LIMITS; i++) {
            Limit limit = limits.next(algorithm);
            Arrivals arrivals = new Arrivals(random, true);
            PureCounter counter = new PureCounter(limit);
            Decision last = Decision.of(Verdict.ALLOWED, 0, 0, 0);
            for (int j = 0; j < REQUESTS; j++) {
              long now = arrivals.next(limit, last);
              long cost = random.nextInt(4) == 0 ? 1 + random.nextLong(limit.capacity()) : 1;
              long holder = algorithm == Algorithm.CONCURRENCY ? random.nextLong(1, 50) : 0;
              Claim claim = new Claim(limit, PureCounter.KEY, cost, holder);
              if (random.nextInt(20) == 0) {
                last = counter.charge(claim, now);
                continue;
              }
              last = counter.take(claim, now);
              if (!last.allowed()) {
                denials++;
                long wait = ManualTicker.micros(last.retryAfter().orElseThrow());
                assertThat(wait).as("%s", limit).isPositive();
                PureCounter sooner = counter.copy();
                assertThat(sooner.take(claim, now + wait - 1).allowed()).as("%s", limit).isFalse();
                if (isHint(limit, wait)) {
                  continue;
                }
                PureCounter then = counter.copy();
                assertThat(then.take(claim, now + wait).allowed()).as("%s", limit).isTrue();
              }
            }
          }
          assertThat(denials).isGreaterThan(LIMITS * REQUESTS / 50);
        });
  }

  /** A wait of a second for a concurrency permit is a hint: a holder may release it by then. */
  private static boolean isHint(Limit limit, long waitMicros) {
    assertThat(limit.algorithm() == Algorithm.CONCURRENCY && waitMicros > 1_000_000).isFalse();
    return limit.algorithm() == Algorithm.CONCURRENCY && waitMicros == 1_000_000;
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void aCounterIsAsIfNeverUsedAfterResetAfterAndNotAMicrosecondSooner(Algorithm algorithm) {
    Seeds.run(
        random -> {
          RandomLimits limits = new RandomLimits(random);
          for (int i = 0; i < LIMITS; i++) {
            Limit limit = limits.next(algorithm);
            long start = random.nextLong(1L << 50);
            PureCounter counter = new PureCounter(limit);
            long holder = algorithm == Algorithm.CONCURRENCY ? 1 : 0;
            long cost = 1 + random.nextLong(limit.capacity());
            Claim claim = new Claim(limit, PureCounter.KEY, cost, holder);
            long reset = ManualTicker.micros(counter.take(claim, start).resetAfter());
            Claim nothing = new Claim(limit, PureCounter.KEY, 0, 2 * holder);
            Decision sooner = counter.peek(nothing, start + reset - 1);
            assertThat(sooner.resetAfter()).as("%s", limit).isEqualTo(ContractGroup.micros(1));
            Decision then = counter.peek(nothing, start + reset);
            assertThat(then).isEqualTo(Decision.of(Verdict.ALLOWED, limit.capacity(), 0, 0));
          }
        });
  }
}
