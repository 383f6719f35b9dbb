package dev.weir.server;

import static dev.weir.server.FourServers.RATE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision.Basis;
import dev.weir.guard.Fleet;
import dev.weir.server.FourServers.Told;
import dev.weir.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Redis is killed under the load of four servers, and comes back. */
@Timeout(180)
class StoreOutageTest {
  private static final Duration OUTAGE = Duration.ofSeconds(10);

  /** So soon after Redis is gone is it no longer asked. */
  private static final Duration NOTICED = Duration.ofMillis(500);

  /** So soon after it is back is it asked, and has counted everything. */
  private static final Duration BACK = Duration.ofSeconds(2);

  /** Requests of one rule on their way when Redis is killed: some tens of milliseconds' worth. */
  private static final long MOST_DOUBTS = 100;

  @Test
  void rulesHoldThroughAnOutageAndTheBooksBalanceAfterIt() {
    try (RedisServer redis = RedisServer.start("appendonly yes", "appendfsync no");
        FourServers servers = new FourServers(redis)) {
      Outage outage = outage(redis, servers, OUTAGE);
      try (FourServers.Audit audit = servers.new Audit()) {
        assertBooksBalance(servers, audit, outage);
      }
      servers.load(Duration.ofSeconds(1));
      assertPromptness(servers, outage);
      assertRules(servers, outage);
    }
  }

  /**
   * Of callers in debt, servers tell a Redis that has lost everything what they know: all that was
   * granted through them before, and by them alone. Of others it has to begin anew.
   */
  @Test
  void aStoreThatHasForgottenIsToldAllThatIsKnownOfWhoeverIsInDebt() {
    try (RedisServer redis = RedisServer.start();
        FourServers servers = new FourServers(redis)) {
      Outage outage = outage(redis, servers, Duration.ofSeconds(3));
      try (FourServers.Audit audit = servers.new Audit()) {
        assertBooksBalance(servers, audit, outage);
        // Nor is it told twice, by whichever heartbeat hears of it next.
        long end = System.nanoTime() + Fleet.PERIOD.plus(BACK).toNanos();
        while (System.nanoTime() < end) {
          assertThat(audit.counted("books")).isLessThanOrEqualTo(servers.granted("books"));
          LockSupport.parkNanos(10_000_000);
        }
        assertThat(servers.granted("deny")).isPositive();
        assertThat(audit.counted("deny")).as("where nobody owes, nobody tells").isZero();
      }
    }
  }

  /**
   * When Redis was there, and when not.
   *
   * @param missing what it had not counted by then, though it was granted
   * @param doubts how much nobody knew about by then
   */
  private record Outage(long killed, long over, long back, long missing, long doubts) {}

  private static Outage outage(RedisServer redis, FourServers servers, Duration duration) {
    long calm = calm(servers);
    long missing;
    try (FourServers.Audit audit = servers.new Audit()) {
      missing = servers.granted("books") - audit.counted("books");
    }
    long doubts = servers.doubts();
    assertThat(missing).as("not counted before").isBetween(0L, doubts);
    assertThat(servers.breakers.areClosed(calm, System.nanoTime())).as("asked before").isTrue();
    AtomicLong killed = new AtomicLong();
    servers.load(
        duration,
        () -> {
          redis.kill();
          killed.set(System.nanoTime());
        });
    long over = System.nanoTime();
    assertThat(servers.isAnswering()).isFalse();
    redis.restart();
    long back = System.nanoTime();
    servers.awaitAsked(BACK, "after");
    for (int i = 0; i < servers.size(); i++) {
      List<String> during = servers.breakers.states(i, killed.get() + NOTICED.toNanos(), over);
      assertThat(during).as("breaker of " + i + " while Redis is gone").isNotEmpty();
      assertThat(during).as("breaker of " + i + " while Redis is gone").doesNotContain("closed");
    }
    return new Outage(killed.get(), over, back, missing, doubts);
  }

  /** Lets servers run until they have asked Redis for a second; a busy machine takes some time. */
  private static long calm(FourServers servers) {
    for (int i = 0; i < 20; i++) {
      servers.load(Duration.ofSeconds(1));
      servers.awaitAsked(BACK, "before");
      long from = System.nanoTime();
      servers.load(Duration.ofSeconds(1));
      if (servers.breakers.areClosed(from, System.nanoTime())) {
        return from;
      }
    }
    throw new AssertionError("Redis is never asked for a second, and is there");
  }

  /** The store knows of all that was granted, but for what it may or may not have counted. */
  private static void assertBooksBalance(
      FourServers servers, FourServers.Audit audit, Outage outage) {
    long granted = servers.granted("books");
    long alone = servers.count("books", "allowed " + Basis.ALONE, outage.killed(), outage.over());
    long doubts = servers.doubts() - outage.doubts();
    System.out.printf(
        "outage: %d granted, %d of them alone, %d in doubt, %d counted when it is back%n",
        granted, alone, doubts, audit.counted("books"));
    assertThat(alone).as("granted during the outage").isPositive();
    assertThat(doubts).as("in doubt").isLessThanOrEqualTo(MOST_DOUBTS);
    FourServers.await(
        () -> {
          long counted = audit.counted("books");
          return counted <= granted && counted >= granted - outage.missing() - doubts;
        },
        BACK.minusNanos(System.nanoTime() - outage.back()),
        "the count is right");
  }

  private static void assertRules(FourServers servers, Outage outage) {
    long killed = outage.killed();
    long over = outage.over();
    long limit = RATE * TimeUnit.NANOSECONDS.toMillis(over - killed) / 1_000;
    long offered = servers.count("local", "", killed, over);
    // A machine too busy to offer more than the limit cannot be granted all of it.
    long least = Math.min(limit * 90, offered * 75) / 100;
    assertThat(servers.count("local", "allowed", killed, over))
        .as("of " + limit + ", offered " + offered)
        .isBetween(least, limit * 105 / 100);
    // Those that were on their way when it was killed may have been granted.
    long settled = killed + TimeUnit.MILLISECONDS.toNanos(50);
    assertThat(servers.count("deny", "allowed", settled, over)).isZero();
    assertThat(servers.count("deny", "denied", killed, over)).as("never a denial").isZero();
    assertThat(servers.count("deny", "unanswered", settled, over)).isPositive();
    assertThat(servers.count("allow", "allowed " + Basis.UNCOUNTED, settled, over))
        .isEqualTo(servers.count("allow", "", settled, over));
  }

  private static void assertPromptness(FourServers servers, Outage outage) {
    List<Long> took =
        servers.told(outage.killed(), outage.over()).map(Told::tookNanos).sorted().toList();
    double p99 = took.get(took.size() * 99 / 100) / 1e6;
    System.out.printf(
        "outage: %d decisions in %d ms, p50 %.3f ms, p99 %.3f ms, slowest %.1f ms%n",
        took.size(),
        (outage.over() - outage.killed()) / 1_000_000,
        took.get(took.size() / 2) / 1e6,
        p99,
        took.get(took.size() - 1) / 1e6);
    assertThat(p99).as("p99 in ms").isLessThan(30);
  }
}
