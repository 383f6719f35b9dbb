package dev.weir.server;

import static dev.weir.server.store.FourServers.LEASED;
import static dev.weir.server.store.FourServers.STRICT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.SteadyLoad.Result;
import dev.weir.server.store.FourServers;
import dev.weir.testkit.Effort;
import dev.weir.testkit.redis.Await;
import dev.weir.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * An outage: Redis was killed under the load of four servers, and restarted under it. Checks what
 * holds whether or not Redis has lost its data.
 *
 * @param killing when the kill began
 * @param killed when Redis was gone
 * @param over when Redis was restarted
 * @param doubtsBefore requests before the outage of which it is unknown whether they were counted
 * @param doubtsByThen such requests by the end of the outage
 * @param lost permits by the end of the outage whose pending charge may or may not have arrived
 */
record Outage(
    long killing, long killed, long over, long doubtsBefore, long doubtsByThen, long lost) {
  /** The minimum part of the load that must be sent for meaningful results. */
  private static final int MIN_PERCENT = 90;

  /** After this time the circuit breakers are open. */
  private static final Duration NOTICED = Duration.ofMillis(500);

  /** After this time Redis is used again, and has counted everything. */
  private static final Duration BACK = Duration.ofSeconds(Effort.of(60, 2));

  /** The consecutive failures that open a breaker take less than this. */
  private static final Duration FAILURES = Duration.ofMillis(100);

  /** How long the load continues after the restart. */
  private static final Duration AFTER = Duration.ofSeconds(3);

  private static final long DEADLINE_NANOS = FourServers.DEADLINE.toNanos();

  /**
   * Kills and restarts Redis under load.
   *
   * @param audited the paths of which Redis has counted, in the end, exactly what was granted
   */
  static Outage of(
      RedisServer redis, FourServers servers, Duration duration, List<List<String>> audited) {
    calm(servers);
    assertCounted(servers, List.of(STRICT, LEASED), BACK);
    Outage outage =
        servers.load.during(
            () -> {
              SteadyLoad.rest(Duration.ofMillis(10));
              Outage gone = gone(redis, servers, duration);
              redis.restart();
              assertRecovered(servers, audited, System.nanoTime());
              return gone;
            });
    assertCounted(servers, audited, BACK);
    if (Effort.isThorough()) {
      assertThat(servers.load.percent())
          .as("percent of the load")
          .isGreaterThanOrEqualTo(MIN_PERCENT);
      outage.assertBreakersOpen(servers);
    }
    outage.assertDoubts(servers);
    return outage;
  }

  /**
   * Runs the servers until the breakers are closed; where time is judged, until they stay closed
   * for a second, since a new server takes some time to warm up.
   */
  private static void calm(FourServers servers) {
    if (!Effort.isThorough()) {
      servers.load.during(Duration.ofSeconds(1));
      servers.awaitClosed(BACK, "before");
      return;
    }
    for (int i = 0; i < 20; i++) {
      servers.load.during(Duration.ofSeconds(1));
      servers.awaitClosed(BACK, "before");
      long from = System.nanoTime();
      servers.load.during(Duration.ofSeconds(1));
      if (servers.load.percent() >= MIN_PERCENT
          && servers.breakers.areClosed(from, System.nanoTime())) {
        return;
      }
    }
    throw new AssertionError("the breakers are not closed for a second, although Redis answers");
  }

  private static Outage gone(RedisServer redis, FourServers servers, Duration duration) {
    long before = servers.doubts(STRICT) + servers.doubts(LEASED);
    long killing = System.nanoTime();
    redis.kill();
    long killed = System.nanoTime();
    SteadyLoad.rest(duration);
    assertThat(servers.isAnswering()).isFalse();
    long byThen = servers.doubts(STRICT) + servers.doubts(LEASED);
    return new Outage(killing, killed, System.nanoTime(), before, byThen, servers.lost());
  }

  /** The store is used again, has counted all local grants, and stays in use. */
  private static void assertRecovered(
      FourServers servers, List<List<String>> audited, long restarted) {
    servers.awaitClosed(BACK, "after");
    long closed = System.nanoTime();
    assertCounted(servers, audited, BACK.minusNanos(System.nanoTime() - restarted));
    if (!Effort.isThorough()) {
      return;
    }
    SteadyLoad.rest(AFTER.minusNanos(System.nanoTime() - restarted));
    assertThat(servers.breakers.stayClosed(closed, System.nanoTime(), servers.stalls, FAILURES))
        .as("in use from then on")
        .isTrue();
  }

  private static void assertCounted(
      FourServers servers, List<List<String>> audited, Duration timeout) {
    long from = System.nanoTime();
    try (StoreAudit books = servers.books()) {
      for (List<String> paths : audited) {
        Duration left = timeout.minusNanos(System.nanoTime() - from);
        String first = books.describe(paths);
        Await.until("all grants are counted; at first " + first, left, () -> books.balance(paths));
        System.out.println("outage: " + books.describe(paths));
      }
    }
  }

  private void assertBreakersOpen(FourServers servers) {
    for (int i = 0; i < servers.size(); i++) {
      assertThat(servers.breakers.states(i, killed + NOTICED.toNanos(), over))
          .as("breaker of " + i + " while Redis is gone")
          .isNotEmpty()
          .doesNotContain("closed");
    }
  }

  /**
   * Unknown are only requests that were in flight when Redis was killed, and requests that waited
   * for a stalled machine; hardly any others.
   */
  private void assertDoubts(FourServers servers) {
    long inFlight =
        counted(servers)
            .filter(one -> one.answeredNanos() - killing >= 0)
            .filter(one -> one.sentNanos() - killed < DEADLINE_NANOS)
            .count();
    List<Result> since = counted(servers).filter(one -> one.sentNanos() - over >= 0).toList();
    long stalled =
        since.stream()
            .filter(one -> one.answeredNanos() - one.sentNanos() >= DEADLINE_NANOS)
            .filter(one -> servers.stalls.nanosIn(one.sentNanos(), one.answeredNanos()) > 0)
            .count();
    long during = doubtsByThen - doubtsBefore;
    long after = servers.doubts(STRICT) + servers.doubts(LEASED) - doubtsByThen;
    long lostAfter = servers.lost() - lost;
    System.out.printf(
        "outage: %d unknown of %d in flight, after it %d of %d that waited, %d lost%n",
        during, inFlight, after, stalled, lostAfter);
    assertThat(during).as("unknown").isLessThanOrEqualTo(inFlight);
    assertThat(after)
        .as("unknown after the restart")
        .isLessThanOrEqualTo(stalled + since.size() / 200);
    long now = System.nanoTime();
    boolean calm = servers.stalls.nanosIn(over, now) < (now - over) / 20;
    assertThat(lostAfter == 0 || !calm).as("all pending charges have arrived").isTrue();
  }

  private static Stream<Result> counted(FourServers servers) {
    return servers
        .load
        .resultsBetween(servers.load.beganNanos, System.nanoTime())
        .filter(one -> STRICT.contains(one.path()) || LEASED.contains(one.path()));
  }
}
