package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.StoreFailure;
import dev.weir.guard.Standby;
import dev.weir.key.KeySpace;
import dev.weir.redis.RedisSettings;
import dev.weir.redis.RedisStore;
import dev.weir.rule.Condition;
import dev.weir.rule.Limiter;
import dev.weir.rule.Match;
import dev.weir.rule.Rule;
import dev.weir.rule.Rule.WhenStoreFails;
import dev.weir.rule.RuleBook;
import dev.weir.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** Four servers on one Redis, under load; each rule is for the requests of one path. */
final class FourServers implements AutoCloseable {
  static final int RATE = 1_000;
  static final int PLENTY = 10_000_000;

  private static final int SERVERS = 4;
  private static final int REQUESTS_PER_SECOND = 5_000;

  /** Counted in a window that does not end here. */
  private static final Limit BOOKS = Limit.fixedWindow(PLENTY, Duration.ofDays(3_000));

  private static final List<String> PATHS =
      List.of("local", "deny", "local", "allow", "local", "books");

  private final RuleBook rules =
      RuleBook.of(
          List.of(
              rule("local", Limit.tokenBucket(RATE, Duration.ofSeconds(1), RATE / 4))
                  .whenStoreFails(WhenStoreFails.LOCAL)
                  .build(),
              rule("deny", BOOKS).whenStoreFails(WhenStoreFails.DENY).build(),
              rule("allow", BOOKS).whenStoreFails(WhenStoreFails.ALLOW).build(),
              rule("books", BOOKS).whenStoreFails(WhenStoreFails.LOCAL).build()),
          KeySpace.random());

  private final String url;
  private final List<OneServer> servers = new ArrayList<>();
  private final List<Limiter> limiters = new ArrayList<>();
  private final LongAdder doubts = new LongAdder();
  private final ConcurrentLinkedQueue<Told> told = new ConcurrentLinkedQueue<>();
  private final AtomicInteger asked = new AtomicInteger();
  final long began = System.nanoTime();
  final Breakers breakers;

  /** What became of one request. */
  record Told(String path, long askedNanos, long tookNanos, String how) {}

  FourServers(RedisServer redis) {
    url = redis.url();
    for (int i = 0; i < SERVERS; i++) {
      OneServer server = new OneServer(url);
      servers.add(server);
      Doubts store = new Doubts(server.shared.asked(), claim("books").key(), doubts);
      limiters.add(new Limiter(store, server.shared.standby(), (rule, outcome) -> {}));
    }
    breakers = new Breakers(servers.stream().map(server -> server.shared).toList());
    await(
        () -> servers.stream().allMatch(server -> server.shared.servers() == SERVERS),
        Duration.ofSeconds(20),
        "servers know each other");
  }

  private static Rule.Builder rule(String name, Limit limit) {
    return Rule.named(name).match(new Condition.OneOf("path", Set.of(name))).limit(limit);
  }

  private Match match(String path) {
    return rules.match(Descriptor.of(Map.of("path", path)));
  }

  private Claim claim(String path) {
    return match(path).claims().get(0);
  }

  int size() {
    return SERVERS;
  }

  /** Asks at an even pace for so long, each server in turn, until all is answered. */
  void load(Duration duration) {
    load(duration, () -> {});
  }

  /**
   * @param meanwhile happens while requests are on their way
   */
  void load(Duration duration, Runnable meanwhile) {
    Thread other = new Thread(meanwhile, "meanwhile");
    long end = System.nanoTime() + duration.toNanos();
    long due = System.nanoTime();
    long pause = TimeUnit.SECONDS.toNanos(1) / REQUESTS_PER_SECOND;
    for (int i = 0; System.nanoTime() < end; i++) {
      ask(limiters.get(i % SERVERS), PATHS.get(i / SERVERS % PATHS.size()));
      if (i == REQUESTS_PER_SECOND / 100) {
        other.start();
      }
      due += pause;
      LockSupport.parkNanos(due - System.nanoTime());
    }
    await(() -> told.size() == asked.get(), Duration.ofSeconds(1), "none is lost");
  }

  private void ask(Limiter limiter, String path) {
    long start = System.nanoTime();
    asked.incrementAndGet();
    var unused =
        limiter
            .take(match(path))
            .stage()
            .whenComplete(
                (decision, failure) ->
                    told.add(
                        new Told(path, start, System.nanoTime() - start, how(decision, failure))));
  }

  private static String how(Decision decision, Throwable failure) {
    if (failure == null) {
      return decision.allowed() ? "allowed " + decision.basis() : "denied";
    }
    Throwable cause = StoreFailure.cause(failure);
    return cause instanceof StoreFailure ? "unanswered" : String.valueOf(cause);
  }

  /** What was asked in that time. */
  Stream<Told> told(long fromNanos, long toNanos) {
    return told.stream()
        .filter(one -> one.askedNanos - fromNanos >= 0 && one.askedNanos - toNanos < 0);
  }

  long count(String path, String how, long fromNanos, long toNanos) {
    return told(fromNanos, toNanos)
        .filter(one -> one.path.equals(path) && one.how.startsWith(how))
        .count();
  }

  /** All that was ever granted. */
  long granted(String path) {
    return count(path, "allowed", began, System.nanoTime());
  }

  /** Asks Redis by itself, what it has counted, and waits for it on a busy machine. */
  final class Audit implements AutoCloseable {
    private final RedisStore redis = RedisStore.connect(RedisSettings.parse(url + "?deadline=5s"));

    long counted(String path) {
      return PLENTY - redis.look(List.of(claim(path).costing(0))).join().remaining();
    }

    @Override
    public void close() {
      redis.close();
    }
  }

  /** Permits of {@code books} so far that Redis may or may not have counted, and nobody charges. */
  long doubts() {
    long lost =
        servers.stream().map(server -> server.shared.standby()).mapToLong(Standby::lost).sum();
    return doubts.sum() + lost;
  }

  void awaitAsked(Duration most, String when) {
    await(
        () -> servers.stream().allMatch(server -> server.shared.breaker().equals("closed")),
        most,
        "servers ask the store " + when);
  }

  boolean isAnswering() {
    return servers.stream().anyMatch(server -> server.shared.isAnswering());
  }

  static void await(BooleanSupplier condition, Duration most, String what) {
    long end = System.nanoTime() + most.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(end);
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Override
  public void close() {
    breakers.close();
    servers.forEach(OneServer::close);
  }
}
