package dev.weir.redis;

import dev.weir.Algorithm;
import dev.weir.CalendarWindow;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Verdict;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.operation.Operation;
import dev.weir.testkit.Arrivals;
import dev.weir.testkit.RandomLimits;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/** A few counters under one clock, asked at random in call after call. */
final class Timeline {
  private static final long YEAR_MICROS = micros(Duration.ofDays(365));

  /** A century after this is still a time that a script can count, before the year 2255. */
  private static final long HORIZON_MICROS = 180 * YEAR_MICROS;

  /** No window of the calendar begins before 1970. */
  private static final long CALENDARS_FROM_MICROS = 5 * YEAR_MICROS;

  private static final List<ZoneId> ZONES =
      List.of(ZoneId.of("UTC"), ZoneId.of("Europe/Berlin"), ZoneId.of("America/St_Johns"));

  /** A holder whose bytes are those of a cost of 1, as it stands beside the holders in a state. */
  private static final long LIKE_A_COST = 0xF03F;

  private static final int SHOWN = 12;

  /** What the script that only takes knows. */
  private static final List<Algorithm> PLAIN =
      List.of(Algorithm.TOKEN_BUCKET, Algorithm.LEAKY_BUCKET, Algorithm.FIXED_WINDOW);

  private final SplittableRandom random;
  private final RandomLimits limits;
  private final Arrivals arrivals;
  private final List<LimitKey> keys = new ArrayList<>();
  private final List<Limit> current = new ArrayList<>();
  private final boolean limitsChange;
  private final boolean chargesMuch;

  /** For the script that does nothing else. */
  private final boolean onlyTakes;

  private final JavaCounters java = new JavaCounters();
  private final Deque<Answered> latest = new ArrayDeque<>();
  private Decision last = Decision.of(Verdict.ALLOWED, 0, 0, 0);
  private int lastOn;

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
  record Call(List<Pending> requests, long nowMicros, long nearMicros) {}

  private record Answered(long nowMicros, Pending request) {
    @Override
    public String toString() {
      String asked = "at " + nowMicros + " " + request.operation + " " + request.claims;
      return asked + told(request.join());
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
    long now = Math.max(earliest, arrivals.next(current.get(lastOn), last));
    List<Pending> requests = new ArrayList<>();
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      requests.add(new Pending(operation(), claims(), new Deadline(0, 0, 0)));
    }
    return new Call(requests, now, Math.max(earliest, now + skew()));
  }

  /** Mostly none; now and then so much that the windows told do not include the time. */
  private long skew() {
    int kind = random.nextInt(20);
    if (kind > 2) {
      return 0;
    }
    long most = kind == 0 ? micros(Duration.ofSeconds(5)) : 3 * YEAR_MICROS;
    return random.nextLong(-most, most);
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
    return kind < 99 ? Operation.LOOK : Operation.FORGET;
  }

  private List<Claim> claims() {
    List<Claim> claims = new ArrayList<>();
    boolean several = random.nextInt(onlyTakes ? 100 : 4) == 0;
    for (int i = several ? 2 + random.nextInt(2) : 1; i > 0; i--) {
      int which = random.nextInt(keys.size());
      Limit limit = current.get(which);
      long permit = limit.algorithm() == Algorithm.CONCURRENCY ? permit() : 0;
      claims.add(new Claim(limit, keys.get(which), limits.cost(limit), permit));
    }
    return claims;
  }

  /** Few, so that they come again; some with bits that a number in a script does not have. */
  private long permit() {
    long permit = random.nextLong(1, 30);
    return permit == 29 ? LIKE_A_COST : permit % 3 == 0 ? -permit : permit;
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
   * @throws AssertionError if one of the answers is not what Java says
   */
  void compare(Call call) {
    for (Pending request : call.requests) {
      Decision got = request.join();
      Decision due = java.apply(request.operation, request.claims, call.nowMicros);
      latest.addLast(new Answered(call.nowMicros, request));
      if (latest.size() > SHOWN) {
        latest.removeFirst();
      }
      if (!got.equals(due)) {
        String shown = latest.stream().map(Answered::toString).collect(Collectors.joining("\n"));
        throw new AssertionError("the script differs; Java says" + told(due) + "\n" + shown);
      }
      last = got;
      lastOn = keys.indexOf(request.claims.get(got.decisive().orElseThrow()).key());
    }
    java.endOfCall(call.nowMicros);
  }

  private static String told(Decision decision) {
    return "\n  " + decision + " " + decision.each();
  }

  private static long micros(Duration duration) {
    return duration.toMillis() * 1_000;
  }
}
