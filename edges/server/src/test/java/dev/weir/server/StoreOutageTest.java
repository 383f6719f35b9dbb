package dev.weir.server;

import static dev.weir.server.store.FourServers.BURST;
import static dev.weir.server.store.FourServers.LEASED;
import static dev.weir.server.store.FourServers.RATE;
import static dev.weir.server.store.FourServers.STRICT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision.Basis;
import dev.weir.server.SteadyLoad.Result;
import dev.weir.server.store.FourServers;
import dev.weir.shared.fleet.Fleet;
import dev.weir.testkit.Effort;
import dev.weir.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Redis is killed under the load of four servers, and restarted under it. Every build checks what
 * is granted and counted; a thorough one, with more load for longer, also how soon.
 */
@Timeout(600)
class StoreOutageTest {
  /** The paths whose counts match in the end. */
  private static final List<List<String>> EXACT = List.of(STRICT, LEASED);

  /**
   * The paths whose counts match although Redis has lost its data, with it the leases that servers
   * still spend. Under the load of a thorough build, they lease more than that.
   */
  private static final List<List<String>> AFTER_DATA_LOSS =
      Effort.isThorough() ? EXACT : List.of(STRICT);

  private static final Duration OUTAGE = Duration.ofSeconds(Effort.of(2, 10));

  @Test
  void rulesHoldThroughAnOutageAndCountsMatchAfterIt() {
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
   * For keys with pending charges, servers restore what they know to a Redis that has lost its
   * data: all grants through them before, and their local grants. Other keys begin anew.
   */
  @Test
  void pendingChargesAreRestoredToAStoreThatLostItsData() {
    try (RedisServer redis = RedisServer.start();
        FourServers servers = new FourServers(redis)) {
      Outage outage =
          Outage.of(redis, servers, Duration.ofSeconds(Effort.of(1, 3)), AFTER_DATA_LOSS);
      try (StoreAudit books = servers.books()) {
        // Nor is anything charged twice, whichever heartbeat notices the loss next.
        long end = System.nanoTime() + Fleet.ANNOUNCE_INTERVAL.plusSeconds(2).toNanos();
        while (System.nanoTime() < end) {
          assertThat(books.balance(STRICT)).as(books.describe(STRICT)).isTrue();
          SteadyLoad.rest(Duration.ofMillis(10));
        }
        long since = servers.load.count("deny", "allowed", outage.over(), System.nanoTime());
        assertThat(books.counted(List.of("deny")))
            .as("without pending charges nothing is restored")
            .isLessThan(servers.load.granted(List.of("deny")))
            .isLessThanOrEqualTo(since + servers.doubts(List.of("deny")));
      }
    }
  }

  private static void assertRules(FourServers servers, Outage outage) {
    SteadyLoad load = servers.load;
    long killed = outage.killed();
    long over = outage.over();
    long limit = RATE * (over - killed) / 1_000_000_000;
    // While the machine stalls, no requests are sent, and none granted.
    long stalled = RATE * servers.stalls.nanosIn(killed, over) / 1_000_000_000;
    long min = Effort.isThorough() ? (limit - stalled) * 90 / 100 : 1;
    long slack = Effort.isThorough() ? 0 : BURST;
    assertThat(load.count("local", "allowed", killed, over))
        .as("of " + limit)
        .isBetween(min, limit * 105 / 100 + slack);
    assertThat(load.count("deny", "unanswered", killed, over))
        .isEqualTo(load.count("deny", "", killed, over))
        .isPositive();
    assertThat(load.count("allow", "allowed " + Basis.UNCOUNTED, killed, over))
        .isEqualTo(load.count("allow", "", killed, over))
        .isPositive();
    // With the smaller load of a normal build, no key is hot enough for an automatic lease.
    for (String path : Effort.isThorough() ? LEASED : List.of("leased")) {
      assertThat(load.count(path, "allowed " + Basis.LEASED, load.beganNanos, killed))
          .as(path)
          .isPositive();
    }
    for (String path : List.of("books", "leased", "automatic")) {
      assertThat(load.count(path, "allowed", killed, over))
          .isEqualTo(load.count(path, "", killed, over));
      assertThat(load.count(path, "allowed " + Basis.LOCAL, killed, over)).isPositive();
    }
  }

  private static void assertPromptness(FourServers servers, Outage outage) {
    List<Long> took =
        servers
            .load
            .resultsBetween(outage.killing(), outage.over())
            .map(Result::tookNanos)
            .sorted()
            .toList();
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
