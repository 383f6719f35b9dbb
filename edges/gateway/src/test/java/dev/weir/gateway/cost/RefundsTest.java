package dev.weir.gateway.cost;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.key.KeySpace;
import dev.weir.memory.MemoryStore;
import dev.weir.testkit.Effort;
import dev.weir.testkit.Seeds;
import dev.weir.testkit.time.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A window with estimates that are settled later is never below one that was charged the true costs
 * at once.
 */
class RefundsTest {
  private static final Duration WINDOW = Duration.ofSeconds(10);

  static List<Limit> limits() {
    return List.of(Limit.fixedWindow(1_000, WINDOW), Limit.slidingCounter(1_000, WINDOW));
  }

  private record Open(Claim claim, Decision granted, long actual, long takenMicros) {}

  @ParameterizedTest
  @MethodSource("limits")
  void counterIsNeverBelowTheTruth(Limit limit) {
    Seeds.run(
        random -> {
          for (int i = 0; i < Effort.of(200, 5_000); i++) {
            run(limit, random);
          }
        });
  }

  private static void run(Limit limit, SplittableRandom random) {
    ManualTicker ticker = ManualTicker.at(Duration.ofDays(20_000));
    MemoryStore settled = new MemoryStore(10, ticker);
    MemoryStore truth = new MemoryStore(10, ticker);
    Claim one = Claim.of(limit, KeySpace.random().key("caller"), 1);
    List<Open> open = new ArrayList<>();
    int maxStepMicros = 1 + random.nextInt(2_000_000);
    for (int step = 0; step < 60; step++) {
      ticker.advanceMicros(random.nextInt(maxStepMicros));
      if (open.isEmpty() || random.nextBoolean()) {
        Claim claim = one.withCost(1 + random.nextInt(400));
        Decision granted = settled.take(List.of(claim));
        if (granted.allowed()) {
          long actual = random.nextInt(500);
          truth.charge(List.of(claim.withCost(actual)));
          open.add(new Open(claim, granted, actual, ticker.micros()));
        }
      } else {
        settle(open.remove(random.nextInt(open.size())), settled, ticker.micros());
      }
      assertThat(balance(settled, one) - unsettled(open)).isLessThanOrEqualTo(balance(truth, one));
    }
  }

  /** What open requests will be charged beyond their estimates. */
  private static long unsettled(List<Open> open) {
    return open.stream().mapToLong(one -> Math.max(0, one.actual - one.claim.cost())).sum();
  }

  private static void settle(Open request, MemoryStore store, long nowMicros) {
    long difference = request.actual - request.claim.cost();
    if (difference > 0) {
      store.charge(List.of(request.claim.withCost(difference)));
    } else {
      // The refund takes as long as it may to reach the counter.
      long elapsed = nowMicros - request.takenMicros - Refunds.MARGIN_MICROS;
      long max = Refunds.max(request.claim, request.granted, elapsed);
      store.refund(List.of(request.claim.withCost(Math.min(-difference, max))));
    }
  }

  private static long balance(MemoryStore store, Claim claim) {
    Decision now = store.peek(List.of(claim.withCost(0)));
    return now.remaining() - now.debt();
  }
}
