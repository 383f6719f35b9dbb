package dev.weir.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DivisorTest {
  private static final long MAX = Divisor.MAX_DIVIDEND - 1;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 5, 7, 10, 1_000, 999_983, 1L << 20, (1L << 51) - 1, 1L << 51})
  void dividesExactlyAroundMultiplesUpToTheMaximum(long divisor) {
    Divisor by = Divisor.of(divisor);
    long last = MAX / divisor * divisor;
    for (long multiple : new long[] {0, divisor, 2 * divisor, last / 2 / divisor * divisor, last}) {
      for (long n = Math.max(0, multiple - 2); n <= Math.min(MAX, multiple + 2); n++) {
        assertThat(by.floor(n)).as("%d / %d", n, divisor).isEqualTo(n / divisor);
      }
    }
  }

  @Test
  void dividesLikeTheDivisionOperator() {
    long seed = Long.getLong("weir.seed", System.nanoTime());
    Random random = new Random(seed);
    for (int i = 0; i < 5_000_000; i++) {
      long divisor = 1 + (random.nextLong() >>> (13 + random.nextInt(50)));
      long dividend = random.nextLong() >>> (10 + random.nextInt(53));
      if (random.nextBoolean()) {
        dividend = Math.min(MAX, Math.max(0, dividend / divisor * divisor - random.nextInt(2)));
      }
      Divisor by = Divisor.of(divisor);
      if (by.floor(dividend) != dividend / divisor) {
        throw new AssertionError("seed " + seed + ": " + dividend + " / " + divisor);
      }
      long rounded = Math.min(dividend, MAX - divisor);
      if (rounded >= 0 && by.ceil(rounded) != -Math.floorDiv(-rounded, divisor)) {
        throw new AssertionError("seed " + seed + ": up " + rounded + " / " + divisor);
      }
    }
  }
}
