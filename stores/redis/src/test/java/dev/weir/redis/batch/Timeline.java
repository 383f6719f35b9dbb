package dev.weir.redis.batch;

import dev.weir.Algorithm;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Verdict;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.Operation;
import dev.weir.testkit.model.Arrivals;
import dev.weir.testkit.model.RandomLimits;
import dev.weir.time.CalendarWindow;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/** Random calls on a few counters with one clock. */
final class Timeline {
  private static final long YEAR_MICROS = micros(Duration.ofDays(365));

  /** A century after this a script can still count, before the year 2255. */
  private static final long HORIZON_MICROS = 180 * YEAR_MICROS;

  /** No calendar window begins before 1970. */
  private static final long CALENDARS_FROM_MICROS = 5 * YEAR_MICROS;

  private static final List<ZoneId> ZONES =
      List.of(ZoneId.of("UTC"), ZoneId.of("Europe/Berlin"), ZoneId.of("America/St_Johns"));

  /** A holder whose bytes equal those of a cost of 1, which the state stores next to holders. */
  private static final long LIKE_A_COST = 0xF03F;

  private static final int SHOWN = 12;

  /** The algorithms of {@code takes.lua}. */
  private static final List<Algorithm> PLAIN =
      List.of(Algorithm.TOKEN_BUCKET, Algorithm.LEAKY_BUCKET, Algorithm.FIXED_WINDOW);

  private final SplittableRandom random;
  private final RandomLimits limits;
  private final Arrivals arrivals;
  private final List<LimitKey> keys = new ArrayList<>();
  private final List<Limit> current = new ArrayList<>();
  private final boolean limitsChange;
  private final boolean chargesMuch;

  /** Whether nearly all operations suit {@code takes.lua}. */
  private final boolean onlyTakes;

  private final JavaCounters java = new JavaCounters();
  private final Deque<Answered> latest = new ArrayDeque<>();
  private Decision last = Decision.of(Verdict.ALLOWED, 0, 0, 0);
  private int lastIndex;

  Timeline(SplittableRandom random) {
    this.random = random;
    this.limits = new RandomLimits(random);
    this.arrivals = new Arrivals(random, random.nextInt(4) > 0, HORIZON_MICROS);
    this.limitsChange = random.nextInt(3) == 0;
    this.chargesMuch = random.nextInt(20) == 0;
    this.onlyTakes = random.nextInt(4) == 0;
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      keys.add(new LimitKey(random.nextLong(), random.nextLong()));
      current.add(limit());
    }
  }

  /** The requests of one call, and when they are made. */
  record Call(List<PendingRequest> requests, long nowMicros, long localMicros) {}

  private record Answered(long nowMicros, PendingRequest request) {
    @Override
    public String toString() {
      String shown = "at " + nowMicros + " " + request.operation + " " + request.claims;
      return shown + describe(request.join());
    }
  }

  Call next() {
    if (limitsChange && random.nextInt(8) == 0) {
      current.set(random.nextInt(current.size()), limit());
    }
    long earliest =
        current.stream().anyMatch(limit -> limit.calendar().isPresent())
            ? CALENDARS_FROM_MICROS
            : 1;
    long now = Math.max(earliest, arrivals.next(current.get(lastIndex), last));
    List<PendingRequest> requests = new ArrayList<>();
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      requests.add(new PendingRequest(operation(), claims(), new Deadline(0, 0, 0)));
    }
    return new Call(requests, now, Math.max(earliest, now + skew()));
  }

  /** Usually 0; sometimes so large that the calendar windows sent do not include the time. */
  private long skew() {
    int kind = random.nextInt(20);
    if (kind > 2) {
      return 0;
    }
    long max = kind == 0 ? micros(Duration.ofSeconds(5)) : 3 * YEAR_MICROS;
    return random.nextLong(-max, max);
  }

  private Operation operation() {
    int kind = random.nextInt(100);
    if (onlyTakes && kind < 97) {
      return Operation.TAKE;
    }
    if (kind < (chargesMuch ? 10 : 74)) {
      return Operation.TAKE;
    } else if (kind < 84) {
      return Operation.CHARGE;
    } else if (kind < 94) {
      return Operation.REFUND;
    }
    return kind < 99 ? Operation.PEEK : Operation.RESET;
  }

  private List<Claim> claims() {
    List<Claim> claims = new ArrayList<>();
    boolean several = random.nextInt(onlyTakes ? 100 : 4) == 0;
    for (int i = several ? 2 + random.nextInt(2) : 1; i > 0; i--) {
      int index = random.nextInt(keys.size());
      Limit limit = current.get(index);
      long holder = limit.algorithm() == Algorithm.CONCURRENCY ? holder() : 0;
      claims.add(new Claim(limit, keys.get(index), limits.cost(limit), holder));
    }
    return claims;
  }

  /** Few, so that they recur; some with bits that a number in a script does not have. */
  private long holder() {
    long holder = random.nextLong(1, 30);
    return holder == 29 ? LIKE_A_COST : holder % 3 == 0 ? -holder : holder;
  }

  private Limit limit() {
    int kind = random.nextInt(70);
    if (kind == 0) {
      return hugeBucket();
    } else if (onlyTakes && kind < 69) {
      return limits.next(PLAIN.get(kind % PLAIN.size()));
    } else if (kind < 10) {
      return Limit.fixedWindow(1 + random.nextLong(20), calendar());
    }
    Algorithm[] algorithms = Algorithm.values();
    return limits.next(algorithms[random.nextInt(algorithms.length)]);
  }

  private static Limit hugeBucket() {
    return Limit.tokenBucket(1_000_000, Duration.ofSeconds(1), Limit.MAX_CAPACITY_UNITS);
  }

  private CalendarWindow calendar() {
    ZoneId zone = ZONES.get(random.nextInt(ZONES.size()));
    CalendarWindow.Unit[] units = CalendarWindow.Unit.values();
    int kind = random.nextInt(units.length + 1);
    return kind < units.length
        ? CalendarWindow.of(units[kind], zone)
        : CalendarWindow.billingMonth(1 + random.nextInt(31), zone);
  }

  /**
   * Compares the decisions of the script with those of the Java functions.
   *
   * @throws AssertionError if they differ
   */
  void compare(Call call) {
    for (PendingRequest request : call.requests) {
      Decision actual = request.join();
      Decision expected = java.apply(request.operation, request.claims, call.nowMicros);
      latest.addLast(new Answered(call.nowMicros, request));
      if (latest.size() > SHOWN) {
        latest.removeFirst();
      }
      if (!actual.equals(expected)) {
        String shown = latest.stream().map(Answered::toString).collect(Collectors.joining("\n"));
        throw new AssertionError(
            "the script differs; expected" + describe(expected) + "\n" + shown);
      }
      last = actual;
      lastIndex = keys.indexOf(request.claims.get(actual.decisive().orElseThrow()).key());
    }
    java.endOfCall(call.nowMicros);
  }

  private static String describe(Decision decision) {
    return "\n  " + decision + " " + decision.each();
  }

  private static long micros(Duration duration) {
    return duration.toMillis() * 1_000;
  }
}
