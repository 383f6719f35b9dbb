package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Verdict;
import dev.weir.Limit;
import dev.weir.testkit.model.Arrivals;
import dev.weir.testkit.model.RandomLimits;
import dev.weir.testkit.model.ReferenceModel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The pure functions answer like the model, in every field: two hundred thousand times each in
 * every build, a million times in a thorough one.
 */
class DifferentialTest {
  private static final int OPERATIONS = Effort.of(200_000, 1_000_000);
  private static final int OPERATIONS_PER_LIMIT = 2_000;
  private static final int MAX_SHOWN = 12;

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void randomOperationsMatchTheModel(Algorithm algorithm) {
    Seeds.run(
        random -> {
          RandomLimits limits = new RandomLimits(random);
          Map<Verdict, Integer> verdicts = new EnumMap<>(Verdict.class);
          for (int i = 0; i < OPERATIONS; i += OPERATIONS_PER_LIMIT) {
            Limit limit = limits.next(algorithm);
            Run run = new Run(random, limit);
            run.operations(OPERATIONS_PER_LIMIT);
            run.verdicts.forEach((verdict, count) -> verdicts.merge(verdict, count, Integer::sum));
          }
          // Equal decisions prove little unless each verdict occurred often.
          assertThat(verdicts.get(Verdict.ALLOWED)).isGreaterThan(OPERATIONS / 5);
          assertThat(verdicts.get(Verdict.DENIED)).isGreaterThan(OPERATIONS / 20);
          assertThat(verdicts.get(Verdict.NEVER)).isGreaterThan(OPERATIONS / 200);
        });
  }

  @Test
  void countersWithChangingLimitsMatchTheModel() {
    Seeds.run(
        random -> {
          RandomLimits limits = new RandomLimits(random);
          Algorithm[] algorithms = Algorithm.values();
          for (int i = 0; i < 1_000; i++) {
            Run run = new Run(random, limits.next(Algorithm.TOKEN_BUCKET));
            for (int change = 0; change < 20; change++) {
              run.operations(10);
              run.limit = limits.next(algorithms[random.nextInt(algorithms.length)]);
            }
          }
        });
  }

  private record Operation(
      String name, Claim claim, long nowMicros, Decision actual, Decision expected) {
    @Override
    public String toString() {
      String differs = actual.equals(expected) ? "" : " but the model answers " + expected;
      String cost = " cost " + claim.cost() + " holder " + claim.holder();
      return "at "
          + nowMicros
          + " "
          + name
          + cost
          + " of "
          + claim.limit()
          + ": "
          + actual
          + differs;
    }
  }

  private static final class Run {
    private final SplittableRandom random;
    private final RandomLimits limits;
    private final Arrivals arrivals;
    private final PureCounter counter;
    private final ReferenceModel model = new ReferenceModel();
    private final Deque<Operation> latest = new ArrayDeque<>();
    private final Map<Verdict, Integer> verdicts = new EnumMap<>(Verdict.class);
    private final boolean chargesMuch;
    private Limit limit;
    private Decision last = Decision.of(Verdict.ALLOWED, 0, 0, 0);

    Run(SplittableRandom random, Limit limit) {
      this.random = random;
      this.limits = new RandomLimits(random);
      this.arrivals = new Arrivals(random, true);
      this.counter = new PureCounter(limit);
      this.limit = limit;
      this.chargesMuch = random.nextInt(20) == 0;
    }

    void operations(int count) {
      for (int i = 0; i < count; i++) {
        Operation operation = next();
        latest.addLast(operation);
        if (latest.size() > MAX_SHOWN) {
          latest.removeFirst();
        }
        last = operation.actual;
        verdicts.merge(last.verdict(), 1, Integer::sum);
        if (!operation.actual.equals(operation.expected)) {
          throw new AssertionError("operation " + i + " differs, last of\n" + history());
        }
      }
    }

    private Operation next() {
      Claim claim = new Claim(limit, PureCounter.KEY, limits.cost(limit), holder());
      List<Claim> claims = List.of(claim);
      long now = arrivals.next(limit, last);
      int kind = random.nextInt(100);
      if (kind < (chargesMuch ? 10 : 75)) {
        return new Operation("take", claim, now, counter.take(claim, now), model.take(claims, now));
      } else if (kind < 85) {
        return new Operation(
            "charge", claim, now, counter.charge(claim, now), model.charge(claims, now));
      } else if (kind < 95) {
        return new Operation(
            "refund", claim, now, counter.refund(claim, now), model.refund(claims, now));
      }
      return new Operation("peek", claim, now, counter.peek(claim, now), model.peek(claims, now));
    }

    private long holder() {
      return limit.algorithm() == Algorithm.CONCURRENCY ? random.nextLong(1, 30) : 0;
    }

    private String history() {
      StringBuilder lines = new StringBuilder();
      latest.forEach(operation -> lines.append(operation).append('\n'));
      return lines.toString();
    }
  }
}
