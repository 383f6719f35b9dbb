package dev.weir.testkit.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Algorithm;
import dev.weir.Decision;
import dev.weir.Decision.Verdict;
import dev.weir.Limit;
import dev.weir.testkit.PureCounter;
import dev.weir.testkit.Seeds;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Whatever the arrival times, no algorithm admits more than its guarantee. */
class AdmissionBoundTest {
  private static final int LIMITS = 300;
  private static final int REQUESTS = 1_000;
  private static final Decision UNUSED = Decision.of(Verdict.ALLOWED, 0, 0, 0);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final long SECOND_MICROS = 1_000_000;

  private record Grant(long micros, long permits) {}

  /** Checks every grant, in order of time. */
  private interface Auditor {
    void onGrant(long micros, long permits);
  }

  @Test
  void aTokenBucketAdmitsAtMostBurstPlusRateTimesTInAnyInterval() {
    neverMoreThanTheBucketHolds(Algorithm.TOKEN_BUCKET);
  }

  @Test
  void aLeakyBucketAdmitsAtMostQueuePlusOnePlusRateTimesTInAnyInterval() {
    neverMoreThanTheBucketHolds(Algorithm.LEAKY_BUCKET);
  }

  /**
   * With A the sum admitted before a grant, an interval from grant i to grant j is within the bound
   * if A(j) + cost(j) − rate·t(j) exceeds A(i) − rate·t(i) by no more than the burst: so it is
   * enough to compare with the minimum of all earlier A(i) − rate·t(i).
   */
  private static void neverMoreThanTheBucketHolds(Algorithm algorithm) {
    attack(
        algorithm,
        limit -> {
          Rational rate = Rational.of(limit.permits(), limit.windowMicros());
          Rational[] min = {null};
          long[] admitted = {0};
          return (micros, permits) -> {
            Rational flowed = rate.times(Rational.of(ModelCounter.quantised(limit, micros)));
            Rational before = Rational.of(admitted[0]).minus(flowed);
            min[0] = min[0] == null ? before : min[0].min(before);
            admitted[0] += permits;
            Rational interval = Rational.of(admitted[0]).minus(flowed).minus(min[0]);
            assertThat(interval).isLessThanOrEqualTo(Rational.of(limit.capacity()));
          };
        });
  }

  @Test
  void aFixedWindowAdmitsAtMostTheLimitInsideAndTwiceTheLimitAcrossAnEdge() {
    attack(
        Algorithm.FIXED_WINDOW,
        limit -> {
          Auditor inside = insideEachWindow(limit);
          Auditor across = inAnyWindow(limit, 2 * limit.permits());
          return (micros, permits) -> {
            inside.onGrant(micros, permits);
            across.onGrant(micros, permits);
          };
        });
  }

  @Test
  void aSlidingLogAdmitsAtMostTheLimitInAnyWindow() {
    attack(Algorithm.SLIDING_LOG, limit -> inAnyWindow(limit, limit.permits()));
  }

  @Test
  void aSlidingCounterAdmitsAtMostTwiceTheLimitLessOneInAnyWindow() {
    attack(Algorithm.SLIDING_COUNTER, limit -> inAnyWindow(limit, 2 * limit.permits() - 1));
  }

  @Test
  void twiceTheLimitOfAFixedWindowIsReachedAcrossAnEdge() {
    PureCounter counter = new PureCounter(Limit.fixedWindow(100, SECOND));
    assertThat(counter.take(100, SECOND_MICROS - 1).allowed()).isTrue();
    assertThat(counter.take(1, SECOND_MICROS - 1).allowed()).isFalse();
    assertThat(counter.take(100, SECOND_MICROS).allowed()).isTrue();
    assertThat(counter.take(1, SECOND_MICROS).allowed()).isFalse();
  }

  @Test
  void twiceTheLimitLessOneOfASlidingCounterIsReachedInOneWindow() {
    PureCounter counter = new PureCounter(Limit.slidingCounter(100, SECOND));
    long admitted = 0;
    for (long micros = SECOND_MICROS - 1; micros < 2 * SECOND_MICROS - 1; micros++) {
      while (counter.take(1, micros).allowed()) {
        admitted++;
      }
    }
    assertThat(admitted).isEqualTo(2 * 100 - 1);
  }

  private static Auditor insideEachWindow(Limit limit) {
    long[] windowAndCount = {-1, 0};
    return (micros, permits) -> {
      long window = micros / limit.windowMicros();
      boolean same = window == windowAndCount[0];
      windowAndCount[0] = window;
      windowAndCount[1] = same ? windowAndCount[1] + permits : permits;
      assertThat(windowAndCount[1]).isLessThanOrEqualTo(limit.permits());
    };
  }

  /** Checks every half-open window: it suffices to check those that end with a grant. */
  private static Auditor inAnyWindow(Limit limit, long max) {
    Deque<Grant> young = new ArrayDeque<>();
    return (micros, permits) -> {
      young.addLast(new Grant(micros, permits));
      while (young.getFirst().micros <= micros - limit.windowMicros()) {
        young.removeFirst();
      }
      long admitted = young.stream().mapToLong(Grant::permits).sum();
      assertThat(admitted).isLessThanOrEqualTo(max);
    };
  }

  private interface Audit {
    Auditor of(Limit limit);
  }

  /** Spends greedily, half of the time exactly where a decision changes. */
  private static void attack(Algorithm algorithm, Audit audit) {
    Seeds.run(
        random -> {
          RandomLimits limits = new RandomLimits(random);
          for (int i = 0; i < LIMITS; i++) {
            Limit limit = limits.next(algorithm);
            attack(random, limit, audit.of(limit));
          }
        });
  }

  private static void attack(SplittableRandom random, Limit limit, Auditor auditor) {
    PureCounter counter = new PureCounter(limit);
    Arrivals arrivals = new Arrivals(random, false);
    Decision last = UNUSED;
    int granted = 0;
    for (int i = 0; i < REQUESTS; i++) {
      long now = arrivals.next(limit, last);
      long cost = random.nextBoolean() ? 1 : Math.max(1, last.remaining());
      last = counter.take(cost, now);
      if (last.allowed()) {
        granted++;
        auditor.onGrant(now, cost);
      }
    }
    assertThat(granted).isPositive();
  }
}
