package dev.weir.testkit;

import dev.weir.Decision;
import dev.weir.Limit;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * Times at which requests come: half of them exactly where a decision changes.
 *
 * <p>Those are the end of the last wait, window edges, and the grid on which permits flow, each met
 * exactly, one microsecond early or one late.
 */
public final class Arrivals {
  private static final long YEAR_MICROS = 365L * 86_400 * 1_000_000;

  /** Debts may take thousands of years to pay; time must not run out over it. */
  private static final long HORIZON_MICROS = 1L << 60;

  private final SplittableRandom random;
  private final boolean mayRunBack;
  private final long horizonMicros;
  private long nowMicros;

  public Arrivals(SplittableRandom random, boolean mayRunBack) {
    this(random, mayRunBack, HORIZON_MICROS);
  }

  /** Times up to {@code horizonMicros}, for stores whose time ends sooner than that of Java. */
  public Arrivals(SplittableRandom random, boolean mayRunBack, long horizonMicros) {
    this.random = random;
    this.mayRunBack = mayRunBack;
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
      nowMicros = Math.max(0, nowMicros - (mayRunBack ? back(limit) : 0));
    } else {
      nowMicros += random.nextLong(20 * YEAR_MICROS);
    }
    nowMicros = Math.min(nowMicros, horizonMicros);
    return nowMicros;
  }

  /** About as long as a counter waits for the clock, or longer, or exactly as long. */
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
    return kind == 0 && mayRunBack ? -1 : kind == 1 ? 1 : 0;
  }
}
