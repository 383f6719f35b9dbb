package dev.weir.server;

import dev.weir.Claim;
import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.Mode;
import dev.weir.guard.GuardSettings;
import dev.weir.guard.Standby;
import dev.weir.key.KeySpace;
import dev.weir.lease.ByMode.Counts;
import dev.weir.rule.Condition;
import dev.weir.rule.Limiter;
import dev.weir.rule.Match;
import dev.weir.rule.Rule;
import dev.weir.rule.Rule.WhenStoreFails;
import dev.weir.rule.RuleBook;
import dev.weir.testkit.Effort;
import dev.weir.testkit.redis.Await;
import dev.weir.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Four servers on one Redis, under load; each rule is for the requests of one path. */
final class FourServers implements AutoCloseable {
  static final int RATE = Effort.of(100, 1_000);
  static final int BURST = RATE / 4;
  static final int PLENTY = 10_000_000;

  /** Of these the store counts each request. */
  static final List<String> STRICT = List.of("books");

  /** Of these servers take permits in advance. */
  static final List<String> LEASED = List.of("leased", "automatic");

  private static final int SERVERS = 4;
  private static final int REQUESTS_PER_SECOND = Effort.of(1_000, 5_000);

  /** Where time is not judged, so long that a busy machine answers in it. */
  static final Duration DEADLINE =
      Effort.isThorough() ? GuardSettings.DEFAULT.deadline() : Duration.ofSeconds(2);

  /** Counted in a window that does not end here. */
  private static final Limit BOOKS = Limit.fixedWindow(PLENTY, Duration.ofDays(3_000));

  private static final List<String> PATHS =
      List.of("local", "deny", "leased", "local", "allow", "automatic", "local", "books");

  private final RuleBook rules =
      RuleBook.of(
          List.of(
              rule("local", Limit.tokenBucket(RATE, Duration.ofSeconds(1), BURST))
                  .whenStoreFails(WhenStoreFails.LOCAL)
                  .build(),
              rule("deny", BOOKS).whenStoreFails(WhenStoreFails.DENY).build(),
              rule("allow", BOOKS).whenStoreFails(WhenStoreFails.ALLOW).build(),
              rule("books", BOOKS).whenStoreFails(WhenStoreFails.LOCAL).build(),
              rule("leased", BOOKS)
                  .mode(Mode.leased())
                  .whenStoreFails(WhenStoreFails.LOCAL)
                  .build(),
              rule("automatic", BOOKS)
                  .mode(Mode.automatic())
                  .whenStoreFails(WhenStoreFails.LOCAL)
                  .build()),
          KeySpace.random());

  private final String url;
  private final List<OneServer> servers;
  private final Doubts doubts = new Doubts();
  final Stalls stalls = new Stalls();
  final Breakers breakers;
  final EvenLoad load;

  FourServers(RedisServer redis) {
    url = redis.url();
    servers = OneServer.several(SERVERS, url + "?deadline=" + DEADLINE.toMillis() + "ms");
    breakers = new Breakers(servers.stream().map(server -> server.shared).toList());
    List<Limiter> limiters = servers.stream().map(this::limiter).toList();
    load = new EvenLoad(REQUESTS_PER_SECOND, PATHS, limiters, this::match, stalls);
  }

  private Limiter limiter(OneServer server) {
    SharedStore shared = server.shared;
    return new Limiter(doubts.noting(shared.asked()), shared.standby(), (rule, outcome) -> {});
  }

  private static Rule.Builder rule(String name, Limit limit) {
    return Rule.named(name).match(new Condition.OneOf("path", Set.of(name))).limit(limit);
  }

  private Match match(String path) {
    return rules.match(Descriptor.of(Map.of("path", path)));
  }

  Claim claim(String path) {
    return match(path).claims().get(0);
  }

  Books books() {
    return new Books(this, url);
  }

  int size() {
    return SERVERS;
  }

  /** Requests so far that Redis may or may not have counted, and nobody charges. */
  long doubts(List<String> paths) {
    return paths.stream().mapToLong(path -> doubts.of(claim(path).key())).sum();
  }

  /** Permits that servers owed to Redis, and may or may not have charged. */
  long lost() {
    return servers.stream().map(server -> server.shared.standby()).mapToLong(Standby::lost).sum();
  }

  /** What Redis may have counted of some paths, and nobody was granted. */
  long held(List<String> paths) {
    return paths.equals(LEASED)
        ? servers.stream().map(server -> server.shared.counts()).mapToLong(FourServers::held).sum()
        : 0;
  }

  private static long held(Counts counts) {
    return counts.taken() - counts.granted() - counts.returned() + counts.stranded();
  }

  void awaitAsked(Duration most, String when) {
    Await.until(
        "servers ask the store " + when,
        most,
        () -> servers.stream().allMatch(server -> server.shared.breaker().equals("closed")));
  }

  boolean isAnswering() {
    return servers.stream().anyMatch(server -> server.shared.isAnswering());
  }

  @Override
  public void close() {
    breakers.close();
    stalls.close();
    servers.forEach(OneServer::close);
  }
}
