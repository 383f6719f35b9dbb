package dev.weir.testkit.model;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.testkit.time.ManualTicker;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * Random arrival times of requests: half of them exactly where a decision changes.
 *
 * <p>Those are the end of the last wait, window boundaries, and the moments at which whole permits
 * have flowed, each exactly, one microsecond early or one late.
 *
 * <p>Not thread-safe.
 */
public final class Arrivals {
  private static final long YEAR_MICROS = 365L * 86_400 * 1_000_000;

  /** Debts may take thousands of years to drain; arrival times must not overflow by then. */
  private static final long HORIZON_MICROS = 1L << 60;

  private final SplittableRandom random;
  private final boolean mayStepBack;
  private final long horizonMicros;
  private long nowMicros;

  /** Arrival times that may step back if {@code mayStepBack}. */
  public Arrivals(SplittableRandom random, boolean mayStepBack) {
    this(random, mayStepBack, HORIZON_MICROS);
  }

  /** Arrival times up to {@code horizonMicros}, for stores with a shorter range of time. */
  public Arrivals(SplittableRandom random, boolean mayStepBack, long horizonMicros) {
    this.random = random;
    this.mayStepBack = mayStepBack;
    this.horizonMicros = horizonMicros;
    this.nowMicros = random.nextLong(60 * YEAR_MICROS);
  }

  /** The time of the next request, after one that was answered with {@code last}. */
  public long next(Limit limit, Decision last) {
    int kind = random.nextInt(1_000);
    if (kind < 500) {
      nowMicros = Math.max(0, boundary(limit, last) + nudge());
    } else if (kind < 700) {
      // Same moment again.
    } else if (kind < 960) {
      nowMicros += random.nextLong(2 * limit.windowMicros() / limit.permits() + 2);
    } else if (kind < 980) {
      nowMicros += random.nextLong(2 * limit.windowMicros());
    } else if (kind < 999) {
      nowMicros = Math.max(0, nowMicros - (mayStepBack ? back(limit) : 0));
    } else {
      nowMicros += random.nextLong(20 * YEAR_MICROS);
    }
    nowMicros = Math.min(nowMicros, horizonMicros);
    return nowMicros;
  }

  /** A step back of about, or exactly, the time for which a counter waits for the clock. */
  private long back(Limit limit) {
    long longest = limit.maxAheadTicks() * limit.tickMicros();
    return switch (random.nextInt(4)) {
      case 0 -> longest + random.nextLong(-1, 2) * limit.tickMicros();
      case 1 -> random.nextLong(2 * longest);
      default -> random.nextLong(2 * limit.windowMicros());
    };
  }

  private long boundary(Limit limit, Decision last) {
    long window = limit.windowMicros();
    return switch (random.nextInt(8)) {
      case 0, 1, 2 -> after(last.retryAfter().orElse(last.delay()));
      case 3 -> after(last.resetAfter());
      case 4 -> nowMicros - nowMicros % window + window;
      case 5 -> nowMicros - nowMicros % limit.tickMicros() + limit.tickMicros();
      default -> onGrid(limit);
    };
  }

  private long after(Duration wait) {
    long micros = ManualTicker.micros(wait);
    return nowMicros > horizonMicros - micros ? nowMicros : nowMicros + micros;
  }

  /** The next moment at which a whole permit has flowed since the start of this window. */
  private long onGrid(Limit limit) {
    long window = limit.windowMicros();
    long start = nowMicros - nowMicros % window;
    Rational flowed = Rational.of(limit.permits(), window).times(Rational.of(nowMicros - start));
    Rational next = Rational.of(flowed.floor() + 1 + random.nextInt(3));
    return start + next.times(Rational.of(window, limit.permits())).ceil();
  }

  private long nudge() {
    int kind = random.nextInt(10);
    return kind == 0 && mayStepBack ? -1 : kind == 1 ? 1 : 0;
  }
}
