package dev.weir.server.store;

import dev.weir.Claim;
import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.Mode;
import dev.weir.key.KeySpace;
import dev.weir.limiter.Limiter;
import dev.weir.rule.FailureMode;
import dev.weir.rule.Rule;
import dev.weir.rule.book.Match;
import dev.weir.rule.book.RuleBook;
import dev.weir.rule.condition.Condition;
import dev.weir.server.StallDetector;
import dev.weir.server.SteadyLoad;
import dev.weir.server.StoreAudit;
import dev.weir.server.UnknownEffects;
import dev.weir.shared.GuardSettings;
import dev.weir.shared.fallback.LocalFallback;
import dev.weir.shared.lease.ModeRoutingStore.Counts;
import dev.weir.testkit.Effort;
import dev.weir.testkit.redis.Await;
import dev.weir.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Four servers on one Redis, under load; each rule is for the requests of one path. */
public final class FourServers implements AutoCloseable {
  public static final int RATE = Effort.of(100, 1_000);
  public static final int BURST = RATE / 4;
  public static final int PLENTY = 10_000_000;

  /** The paths of which the store counts each request. */
  public static final List<String> STRICT = List.of("books");

  /** The paths of which servers lease permits. */
  public static final List<String> LEASED = List.of("leased", "automatic");

  private static final int SERVERS = 4;
  private static final int REQUESTS_PER_SECOND = Effort.of(1_000, 5_000);

  /** The default where time is judged; elsewhere long enough for a busy machine. */
  public static final Duration DEADLINE =
      Effort.isThorough() ? GuardSettings.DEFAULT.deadline() : Duration.ofSeconds(2);

  /** A window that does not end during the test. */
  private static final Limit ENDLESS_WINDOW = Limit.fixedWindow(PLENTY, Duration.ofDays(3_000));

  private static final List<String> PATHS =
      List.of("local", "deny", "leased", "local", "allow", "automatic", "local", "books");

  private final RuleBook rules =
      RuleBook.of(
          List.of(
              rule("local", Limit.tokenBucket(RATE, Duration.ofSeconds(1), BURST))
                  .failureMode(FailureMode.LOCAL)
                  .build(),
              rule("deny", ENDLESS_WINDOW).failureMode(FailureMode.DENY).build(),
              rule("allow", ENDLESS_WINDOW).failureMode(FailureMode.ALLOW).build(),
              rule("books", ENDLESS_WINDOW).failureMode(FailureMode.LOCAL).build(),
              rule("leased", ENDLESS_WINDOW)
                  .mode(Mode.leased())
                  .failureMode(FailureMode.LOCAL)
                  .build(),
              rule("automatic", ENDLESS_WINDOW)
                  .mode(Mode.automatic())
                  .failureMode(FailureMode.LOCAL)
                  .build()),
          KeySpace.random());

  private final String url;
  private final List<OneServer> servers;
  private final UnknownEffects doubts = new UnknownEffects();
  public final StallDetector stalls = new StallDetector();
  public final BreakerSampler breakers;
  public final SteadyLoad load;

  public FourServers(RedisServer redis) {
    url = redis.url();
    servers = OneServer.several(SERVERS, url + "?deadline=" + DEADLINE.toMillis() + "ms");
    breakers = new BreakerSampler(servers.stream().map(server -> server.shared).toList());
    List<Limiter> limiters = servers.stream().map(this::limiter).toList();
    load = new SteadyLoad(REQUESTS_PER_SECOND, PATHS, limiters, this::match, stalls);
  }

  private Limiter limiter(OneServer server) {
    StoreMonitor shared = server.shared;
    return new Limiter(
        doubts.noting(shared.store()), shared.fallback(), (rule, outcome, subject) -> {});
  }

  private static Rule.Builder rule(String name, Limit limit) {
    return Rule.named(name).match(new Condition.OneOf("path", Set.of(name))).limit(limit);
  }

  private Match match(String path) {
    return rules.match(Descriptor.of(Map.of("path", path)));
  }

  public Claim claim(String path) {
    return match(path).claims().get(0);
  }

  public StoreAudit books() {
    return new StoreAudit(this, url);
  }

  public int size() {
    return SERVERS;
  }

  /** Requests so far that Redis may or may not have counted, and that are not charged again. */
  public long doubts(List<String> paths) {
    return paths.stream().mapToLong(path -> doubts.of(claim(path).key())).sum();
  }

  /** Permits whose pending charge may or may not have arrived in Redis. */
  public long lost() {
    return servers.stream()
        .map(server -> server.shared.fallback())
        .mapToLong(LocalFallback::lost)
        .sum();
  }

  /** Permits of some paths that Redis may have counted, and that were not granted. */
  public long held(List<String> paths) {
    return paths.equals(LEASED)
        ? servers.stream().map(server -> server.shared.counts()).mapToLong(FourServers::held).sum()
        : 0;
  }

  private static long held(Counts counts) {
    return counts.taken() - counts.granted() - counts.returned() + counts.stranded();
  }

  /** Waits until all circuit breakers are closed. */
  public void awaitClosed(Duration timeout, String when) {
    Await.until(
        "circuit breakers are closed " + when,
        timeout,
        () -> servers.stream().allMatch(server -> server.shared.breaker().equals("closed")));
  }

  public boolean isAnswering() {
    return servers.stream().anyMatch(server -> server.shared.isAnswering());
  }

  @Override
  public void close() {
    breakers.close();
    stalls.close();
    servers.forEach(OneServer::close);
  }
}
