package dev.weir.gateway.cost;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.algorithm.Bucket;
import dev.weir.algorithm.Step;
import dev.weir.key.KeySpace;
import dev.weir.testkit.Effort;
import dev.weir.testkit.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A bucket with estimates that are settled later, compared in its own units with one that was
 * charged the true costs at once and forgives nothing. It is below that one by what it has forgiven
 * of debts at most, and never if it has forgiven none.
 */
class BucketRefundsTest {
  private static final long START_MICROS = Duration.ofDays(20_000).toSeconds() * 1_000_000;

  static List<Limit> limits() {
    return List.of(
        Limit.tokenBucket(1_000, Duration.ofSeconds(10)),
        Limit.tokenBucket(7, Duration.ofMillis(3), 2_000), // forgives debts beyond 28 permits
        Limit.tokenBucket(3, Duration.ofSeconds(1), 1_000), // seldom empty
        Limit.tokenBucket(999_999_937, Duration.ofSeconds(1), 3_000_000_000L), // coarse ticks
        Limit.leakyBucket(100, Duration.ofSeconds(1), 999));
  }

  private record Open(Claim claim, Decision granted, long actual, long takenMicros) {}

  /** One bucket with refunds, and the truth. */
  private static final class Ledger {
    private final Limit limit;
    private final Claim one;
    private final List<Open> open = new ArrayList<>();
    private long micros;
    private long level;
    private long at;
    private long truth;
    private long forgiven;
    private long refunded;

    Ledger(Limit limit, long micros) {
      this.limit = limit;
      this.one = Claim.of(limit, KeySpace.random().key("caller"), 1);
      this.micros = micros;
      this.at = micros / limit.tickMicros();
    }

    void advance(long by) {
      long before = micros / limit.tickMicros();
      micros += by;
      long ticks = micros / limit.tickMicros() - before;
      truth = Math.max(0, truth - ticks * limit.unitsPerTick());
    }

    void take(long estimate, long actual) {
      Step step = Bucket.take(level, at, limit, micros, estimate);
      if (step.decision().allowed()) {
        apply(step);
        truth += actual * limit.unitsPerPermit();
        open.add(new Open(one.withCost(estimate), step.decision(), actual, micros));
      }
    }

    void settle(Open request) {
      long difference = request.actual - request.claim.cost();
      if (difference > 0) {
        long wanted = levelNow() + difference * limit.unitsPerPermit();
        apply(Bucket.charge(level, at, limit, micros, difference));
        forgiven += wanted - level;
      } else {
        // The refund takes as long as it may to reach the counter.
        long elapsed = micros - request.takenMicros - Refunds.MARGIN_MICROS;
        long max = Refunds.max(request.claim, request.granted, elapsed);
        long before = levelNow();
        apply(Bucket.refund(level, at, limit, micros, Math.min(-difference, max)));
        refunded += before - level;
      }
    }

    private void apply(Step step) {
      level = step.level();
      at = step.at();
    }

    long levelNow() {
      return Bucket.charge(level, at, limit, micros, 0).level();
    }

    /** What open requests will be charged beyond their estimates. */
    long uncharged() {
      return open.stream().mapToLong(one -> Math.max(0, one.actual - one.claim.cost())).sum()
          * limit.unitsPerPermit();
    }
  }

  @ParameterizedTest
  @MethodSource("limits")
  void bucketIsBelowTheTruthByForgivenDebtsAtMost(Limit limit) {
    Seeds.run(
        random -> {
          long refunded = 0;
          for (int i = 0; i < Effort.of("weir.refunds", 500, 20_000); i++) {
            refunded += run(limit, random);
          }
          assertThat(refunded).as("refunded").isPositive();
        });
  }

  private static long run(Limit limit, SplittableRandom random) {
    Ledger ledger = new Ledger(limit, START_MICROS + random.nextInt(1_000_000));
    long emptyMicros = limit.drainTicks(limit.capacityUnits()) * limit.tickMicros();
    long maxStepMicros = 1 + random.nextLong(Math.max(1, emptyMicros >> random.nextInt(8)));
    long maxEstimate = 1 + random.nextLong(limit.capacity() / 2);
    long maxActual = 1 + random.nextLong(limit.capacity() / 2);
    for (int step = 0; step < 60; step++) {
      ledger.advance(random.nextLong(maxStepMicros));
      if (ledger.open.isEmpty() || random.nextBoolean()) {
        ledger.take(1 + random.nextLong(maxEstimate), random.nextLong(maxActual));
      } else {
        ledger.settle(ledger.open.remove(random.nextInt(ledger.open.size())));
      }
      assertThat(ledger.levelNow() + ledger.uncharged() + ledger.forgiven)
          .isGreaterThanOrEqualTo(ledger.truth);
    }
    return ledger.refunded;
  }

  /** The truth does not drain while it is empty; the estimate does, and that part is lost. */
  @Test
  void drainedPartOfAnEstimateStaysSpent() {
    Limit limit = Limit.tokenBucket(1, Duration.ofSeconds(1), 100);
    Ledger ledger = new Ledger(limit, START_MICROS);
    ledger.take(10, 0);
    ledger.advance(4_500_000);
    ledger.take(20, 20);
    ledger.settle(ledger.open.remove(0));
    // 10 − 4.5 are still there; whole permits less one tick are given back.
    assertThat(ledger.levelNow()).isEqualTo(20_500_000);
    assertThat(ledger.truth).isEqualTo(20_000_000);
  }

  @Test
  void nothingIsGivenBackOnceAllMayHaveDrained() {
    Limit limit = Limit.tokenBucket(1, Duration.ofSeconds(1), 100);
    Claim claim = Claim.of(limit, KeySpace.random().key("caller"), 10);
    Decision granted = Bucket.take(0, 0, limit, START_MICROS, 10).decision();
    assertThat(Refunds.max(claim, granted, 0)).isEqualTo(9);
    assertThat(Refunds.max(claim, granted, 8_800_000)).isEqualTo(1);
    assertThat(Refunds.max(claim, granted, 8_900_000)).isZero();
    assertThat(Refunds.max(claim, granted, Long.MAX_VALUE / 2)).isZero();
  }
}
