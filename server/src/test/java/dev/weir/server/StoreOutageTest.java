package dev.weir.server;

import static dev.weir.server.FourServers.BURST;
import static dev.weir.server.FourServers.LEASED;
import static dev.weir.server.FourServers.RATE;
import static dev.weir.server.FourServers.STRICT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision.Basis;
import dev.weir.guard.Fleet;
import dev.weir.server.EvenLoad.Told;
import dev.weir.testkit.Effort;
import dev.weir.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Redis is killed under the load of four servers, and comes back under it. Every build judges what
 * is granted and counted; a thorough one, with more load for longer, also how soon.
 */
@Timeout(600)
class StoreOutageTest {
  /** The books that balance in the end. */
  private static final List<List<String>> EXACT = List.of(STRICT, LEASED);

  /**
   * The same when Redis has forgotten everything: also what servers held in advance, which they
   * still spend. Under the load of a thorough build, they take more in advance than that.
   */
  private static final List<List<String>> AFTER_FORGETTING =
      Effort.isThorough() ? EXACT : List.of(STRICT);

  private static final Duration OUTAGE = Duration.ofSeconds(Effort.of(2, 10));

  @Test
  void rulesHoldThroughAnOutageAndTheBooksBalanceAfterIt() {
    try (RedisServer redis = RedisServer.start("appendonly yes", "appendfsync no");
        FourServers servers = new FourServers(redis)) {
      Outage outage = Outage.of(redis, servers, OUTAGE, EXACT);
      if (Effort.isThorough()) {
        assertPromptness(servers, outage);
      }
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
      Outage outage =
          Outage.of(redis, servers, Duration.ofSeconds(Effort.of(1, 3)), AFTER_FORGETTING);
      try (Books books = servers.books()) {
        // Nor is it told twice, by whichever heartbeat hears of it next.
        long end = System.nanoTime() + Fleet.PERIOD.plusSeconds(2).toNanos();
        while (System.nanoTime() < end) {
          assertThat(books.balance(STRICT)).as(books.tell(STRICT)).isTrue();
          EvenLoad.rest(Duration.ofMillis(10));
        }
        long since = servers.load.count("deny", "allowed", outage.over(), System.nanoTime());
        assertThat(books.counted(List.of("deny")))
            .as("where nobody owes, nobody tells")
            .isLessThan(servers.load.granted(List.of("deny")))
            .isLessThanOrEqualTo(since + servers.doubts(List.of("deny")));
      }
    }
  }

  private static void assertRules(FourServers servers, Outage outage) {
    EvenLoad load = servers.load;
    long killed = outage.killed();
    long over = outage.over();
    long limit = RATE * (over - killed) / 1_000_000_000;
    // What is not asked for while the machine stands still cannot be granted.
    long stalled = RATE * servers.stalls.nanosIn(killed, over) / 1_000_000_000;
    long least = Effort.isThorough() ? (limit - stalled) * 90 / 100 : 1;
    long slack = Effort.isThorough() ? 0 : BURST;
    assertThat(load.count("local", "allowed", killed, over))
        .as("of " + limit)
        .isBetween(least, limit * 105 / 100 + slack);
    assertThat(load.count("deny", "unanswered", killed, over))
        .isEqualTo(load.count("deny", "", killed, over))
        .isPositive();
    assertThat(load.count("allow", "allowed " + Basis.UNCOUNTED, killed, over))
        .isEqualTo(load.count("allow", "", killed, over))
        .isPositive();
    // With the lesser load of a usual build, no caller is asked for often enough to be leased by
    // itself.
    for (String path : Effort.isThorough() ? LEASED : List.of("leased")) {
      assertThat(load.count(path, "allowed " + Basis.LEASED, load.beganNanos, killed))
          .as(path)
          .isPositive();
    }
    for (String path : List.of("books", "leased", "automatic")) {
      assertThat(load.count(path, "allowed", killed, over))
          .isEqualTo(load.count(path, "", killed, over));
      assertThat(load.count(path, "allowed " + Basis.ALONE, killed, over)).isPositive();
    }
  }

  private static void assertPromptness(FourServers servers, Outage outage) {
    List<Long> took =
        servers.load.told(outage.killing(), outage.over()).map(Told::tookNanos).sorted().toList();
    double p99 = took.get(took.size() * 99 / 100) / 1e6;
    System.out.printf(
        "outage: %d decisions in %d ms, p50 %.3f ms, p99 %.3f ms, slowest %.1f ms; stalls %d ms%n",
        took.size(),
        (outage.over() - outage.killing()) / 1_000_000,
        took.get(took.size() / 2) / 1e6,
        p99,
        took.get(took.size() - 1) / 1e6,
        servers.stalls.nanosIn(outage.killing(), outage.over()) / 1_000_000);
    assertThat(p99).as("p99 in ms").isLessThan(30);
  }
}
