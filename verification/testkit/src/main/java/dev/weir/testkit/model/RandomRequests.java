package dev.weir.testkit.model;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.key.KeySpace;
import dev.weir.testkit.time.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Random requests on a few counters of every algorithm. Not thread-safe. */
public final class RandomRequests {
  /** The time for which no counter of {@link #thatNeverExpire} can be as if never used. */
  public static final long NEVER_EXPIRE_MICROS = 15L * 60 * 1_000_000;

  private static final long YEAR_MICROS = 365L * 86_400 * 1_000_000;

  private final SplittableRandom random;
  private final boolean mayCostNothing;
  private final List<Counter> counters = new ArrayList<>();

  /** A counter, and the limits under which it is used, one at a time. */
  private record Counter(LimitKey key, List<Limit> limits) {}

  private RandomRequests(SplittableRandom random, boolean mayCostNothing) {
    this.random = random;
    this.mayCostNothing = mayCostNothing;
  }

  /** Requests of any cost on counters that fill within seconds and whose limits change. */
  public static RandomRequests ofAllKinds(SplittableRandom random, KeySpace keys) {
    RandomRequests requests = new RandomRequests(random, true);
    Duration second = Duration.ofSeconds(1);
    Duration uneven = Duration.ofMillis(1_237);
    for (String name : new String[] {"one", "two"}) {
      requests.add(keys.key(name, "token"), Limit.tokenBucket(3, second, 5));
      requests.add(
          keys.key(name, "bucket"), Limit.tokenBucket(7, uneven), Limit.tokenBucket(11, second, 9));
      requests.add(
          keys.key(name, "leaky"),
          Limit.leakyBucket(7, uneven, 4),
          Limit.leakyBucket(3, second, 9));
      requests.add(
          keys.key(name, "window"), Limit.fixedWindow(7, second), Limit.fixedWindow(5, uneven));
      // One window for both: a shorter one would drop grants that the other needs.
      requests.add(keys.key(name, "log"), Limit.slidingLog(7, uneven), Limit.slidingLog(4, uneven));
      requests.add(
          keys.key(name, "counter"),
          Limit.slidingCounter(7, uneven),
          Limit.slidingCounter(4, uneven),
          Limit.slidingCounter(9, second));
      requests.add(
          keys.key(name, "holders"), Limit.concurrent(4, second), Limit.concurrent(2, uneven));
      requests.add(
          keys.key(name, "any"),
          Limit.tokenBucket(3, second, 5),
          Limit.leakyBucket(5, second, 5),
          Limit.fixedWindow(4, uneven),
          Limit.slidingCounter(6, second),
          Limit.concurrent(2, second));
    }
    return requests;
  }

  /** Requests that cost something, on counters that remember them for longer than the test. */
  public static RandomRequests thatNeverExpire(SplittableRandom random, KeySpace keys) {
    RandomRequests requests = new RandomRequests(random, false);
    Duration hour = Duration.ofHours(1);
    requests.add(keys.key("token"), Limit.tokenBucket(3, hour, 50));
    requests.add(keys.key("leaky"), Limit.leakyBucket(2, hour, 50));
    requests.add(keys.key("window"), Limit.fixedWindow(50, hour));
    requests.add(keys.key("log"), Limit.slidingLog(50, hour));
    requests.add(keys.key("counter"), Limit.slidingCounter(50, hour));
    requests.add(keys.key("holders"), Limit.concurrent(5, hour));
    return requests;
  }

  private void add(LimitKey key, Limit... limits) {
    counters.add(new Counter(key, List.of(limits)));
  }

  /** One to four claims; a key may occur twice, but then under one limit. */
  public List<Claim> claims() {
    List<Claim> claims = new ArrayList<>();
    for (int count = random.nextInt(3) == 0 ? 1 + random.nextInt(4) : 1; count > 0; count--) {
      Counter counter = counters.get(random.nextInt(counters.size()));
      Limit limit =
          claims.stream()
              .filter(claim -> claim.key().equals(counter.key))
              .map(Claim::limit)
              .findFirst()
              .orElseGet(() -> limit(counter));
      long holder = limit.algorithm() == Algorithm.CONCURRENCY ? random.nextLong(1, 8) : 0;
      claims.add(new Claim(limit, counter.key, cost(limit), holder));
    }
    return List.copyOf(claims);
  }

  /** The time until the next request: in half of the cases until a decision changes. */
  public long advanceMicros(Decision last) {
    int kind = random.nextInt(100);
    if (kind < 30) {
      return ManualTicker.micros(last.retryAfter().orElse(last.delay()));
    } else if (kind < 40) {
      return Math.min(YEAR_MICROS, ManualTicker.micros(last.resetAfter()));
    } else if (kind < 55) {
      return random.nextLong(300_000);
    } else if (kind < 56) {
      return random.nextLong(20 * YEAR_MICROS / 1_000);
    }
    return random.nextInt(2);
  }

  private Limit limit(Counter counter) {
    boolean first = random.nextInt(4) > 0;
    return counter.limits.get(first ? 0 : random.nextInt(counter.limits.size()));
  }

  private long cost(Limit limit) {
    int kind = random.nextInt(20);
    if (kind == 0) {
      return mayCostNothing ? 0 : 1;
    } else if (kind == 1) {
      return limit.capacity() + random.nextInt(2);
    } else if (kind < 6) {
      return 1 + random.nextLong(limit.capacity());
    }
    return 1;
  }
}
