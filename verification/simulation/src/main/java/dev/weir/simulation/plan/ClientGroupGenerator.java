package dev.weir.simulation.plan;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.weir.Algorithm;
import dev.weir.Limit;
import dev.weir.Mode;
import dev.weir.key.KeySpace;
import dev.weir.rule.FailureMode;
import dev.weir.rule.Identity;
import dev.weir.rule.Rule;
import dev.weir.rule.book.RuleBook;
import dev.weir.simulation.plan.ClientGroup.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/** Draws client groups and their rules from the random numbers of the seed. */
final class ClientGroupGenerator {
  private static final KeySpace KEYS = KeySpace.withSecret("simulated secret".getBytes(US_ASCII));
  private static final int[] WINDOW_SECONDS = {1, 2, 5, 10, 30, 60, 3_600};

  /** How much slower one message may be than another while there is no fault. */
  private static final long JITTER_MILLIS = 2;

  private final SplittableRandom random;

  ClientGroupGenerator(SplittableRandom random) {
    this.random = random;
  }

  List<ClientGroup> draw() {
    List<ClientGroup> groups = new ArrayList<>();
    groups.add(polite());
    groups.add(patient());
    groups.add(crowd(pick(Kind.GREEDY, Kind.BURSTY, Kind.HOT), 1));
    if (random.nextInt(3) == 0) {
      groups.add(crowd(pick(Kind.GREEDY, Kind.BURSTY), 2));
    }
    if (random.nextInt(4) == 0) {
      groups.add(concurrent());
    }
    return groups;
  }

  /**
   * One client alone on its key, at its rate; where permits are leased, every other one is at two
   * thirds of the rate.
   */
  private ClientGroup polite() {
    Mode mode = pick(Mode.STRICT, lease(Mode.leased()), lease(Mode.leased()), Mode.automatic());
    boolean atRate = !mode.leases() || random.nextBoolean();
    int perSecond = mode.kind() == Mode.Kind.AUTOMATIC ? number(20, 150) : number(2, 5, 20, 40);
    long cost = number(1, 1, 2, 5);
    Duration window = window(30);
    long requests = perSecond * window.toSeconds();
    long wanted = requests * cost;
    long permits = atRate ? wanted : Math.max(10 * cost, wanted * 3 / 2);
    Algorithm algorithm = withinLogLimit(rate(mode), permits);
    double interval = 1.0 / perSecond;
    if (atRate && !isBucket(algorithm)) {
      // So no more requests than that reach the store in a window, though some messages are slower.
      interval = (window.toMillis() + JITTER_MILLIS) / 1_000.0 / requests;
    }
    // The counter rounds up the share of the previous window, by one more request at most.
    long more = atRate && algorithm == Algorithm.SLIDING_COUNTER ? cost : 0;
    Limit limit = limit(algorithm, permits + more, window, pick(permits, 2 * cost));
    Rule rule = rule("polite", limit, mode);
    return group(Kind.POLITE, List.of(rule), 1, 1 / interval, cost, false, atRate);
  }

  private ClientGroup patient() {
    Mode mode = pick(Mode.STRICT, Mode.STRICT, lease(Mode.leased()), lease(Mode.automatic()));
    Duration window = window(10);
    long permits = number(5, 8, 20, 100, 400);
    Limit limit = limit(rate(mode), permits, window, burst(permits));
    Rule rule = rule("patient", limit, mode);
    return group(Kind.PATIENT, List.of(rule), 1, 100, Math.max(1, permits / 20), false, false);
  }

  private ClientGroup crowd(Kind kind, int number) {
    int clients = kind == Kind.HOT ? 1 : 1 + random.nextInt(4);
    double perSecond = kind == Kind.HOT ? 250 : (20 + random.nextInt(60)) / (double) clients;
    long cost = number(1, 1, 1, 3, 50);
    String name = kind.name().toLowerCase(Locale.ROOT) + number;
    List<Rule> rules = new ArrayList<>();
    rules.add(crowdRule(name, perSecond * cost));
    if (random.nextInt(3) == 0) {
      rules.add(crowdRule(name + "-too", perSecond * cost));
    }
    return group(kind, rules, clients, perSecond, cost, random.nextBoolean(), false);
  }

  private Rule crowdRule(String name, double demand) {
    int draw = random.nextInt(10);
    Mode mode =
        draw < 3
            ? Mode.STRICT
            : draw < 7
                ? lease(Mode.leased())
                : draw < 9 ? lease(Mode.automatic()) : new Mode(Mode.Kind.LOCAL, share());
    Duration window = window(3_600);
    double ratio = number(3, 15, 40, 300) / 10.0;
    long permits = Math.round(demand * Math.min(20, window.toSeconds()) / ratio);
    permits = Math.max(5, Math.min(100_000, permits));
    return rule(name, limit(rate(mode), permits, window, burst(permits)), mode);
  }

  private ClientGroup concurrent() {
    Limit limit = Limit.concurrent(number(1, 3, 10), Duration.ofMillis(number(200, 1_000, 30_000)));
    Rule rule = rule("holding", limit, Mode.STRICT);
    return group(Kind.CONCURRENT, List.of(rule), 1 + random.nextInt(2), 15, 1, false, false);
  }

  private ClientGroup group(
      Kind kind,
      List<Rule> rules,
      int clients,
      double perSecond,
      long cost,
      boolean refunds,
      boolean atRate) {
    RuleBook book = RuleBook.of(rules, KEYS);
    return new ClientGroup(
        kind, book, rules, clients, new ClientGroup.Load(perSecond, cost, refunds, atRate));
  }

  private Rule rule(String name, Limit limit, Mode mode) {
    return Rule.named(name)
        .per(Identity.of("client"))
        .limit(limit)
        .mode(mode)
        .failureMode(pick(FailureMode.values()))
        .build();
  }

  private Algorithm rate(Mode mode) {
    boolean leaky = mode.equals(Mode.STRICT) && random.nextInt(6) == 0;
    return leaky
        ? Algorithm.LEAKY_BUCKET
        : pick(
            Algorithm.TOKEN_BUCKET,
            Algorithm.FIXED_WINDOW,
            Algorithm.FIXED_WINDOW,
            Algorithm.SLIDING_LOG,
            Algorithm.SLIDING_COUNTER);
  }

  private static boolean isBucket(Algorithm algorithm) {
    return algorithm == Algorithm.TOKEN_BUCKET || algorithm == Algorithm.LEAKY_BUCKET;
  }

  /** Replaces the sliding log where there are too many permits for one. */
  private static Algorithm withinLogLimit(Algorithm algorithm, long permits) {
    return algorithm == Algorithm.SLIDING_LOG && permits > Limit.MAX_LOG_PERMITS
        ? Algorithm.SLIDING_COUNTER
        : algorithm;
  }

  private static Limit limit(Algorithm algorithm, long permits, Duration window, long burst) {
    return switch (withinLogLimit(algorithm, permits)) {
      case TOKEN_BUCKET -> Limit.tokenBucket(permits, window, burst);
      case LEAKY_BUCKET -> Limit.leakyBucket(permits, window, burst);
      case SLIDING_LOG -> Limit.slidingLog(permits, window);
      case SLIDING_COUNTER -> Limit.slidingCounter(permits, window);
      default -> Limit.fixedWindow(permits, window);
    };
  }

  private long burst(long permits) {
    return pick(permits, permits, Math.max(5L, permits / 4), 2 * permits);
  }

  private Duration window(int maxSeconds) {
    int seconds;
    do {
      seconds = WINDOW_SECONDS[random.nextInt(WINDOW_SECONDS.length)];
    } while (seconds > maxSeconds);
    return Duration.ofSeconds(seconds);
  }

  private Mode lease(Mode mode) {
    return new Mode(mode.kind(), number(Mode.DEFAULT_LEASE, Mode.DEFAULT_LEASE, 1_000, 3_000));
  }

  private int share() {
    return number(Mode.WHOLE, 2_500, 5_000);
  }

  private int number(int... values) {
    return values[random.nextInt(values.length)];
  }

  @SafeVarargs
  private <T> T pick(T... values) {
    return values[random.nextInt(values.length)];
  }
}
