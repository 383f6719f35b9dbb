package dev.weir.server;

import static dev.weir.server.FourServers.LEASED;
import static dev.weir.server.FourServers.STRICT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.EvenLoad.Told;
import dev.weir.testkit.Effort;
import dev.weir.testkit.redis.Await;
import dev.weir.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Redis was killed under the load of four servers, and came back under it; what holds whether or
 * not it has forgotten everything is seen to.
 *
 * @param killing from then on it may have been gone
 * @param killed from then on it was
 * @param over until then it was
 * @param doubtsBefore requests by then of which nobody knows whether they were counted
 * @param doubtsByThen the same when it was over
 * @param lost permits by then that were owed, and may or may not have been charged
 */
record Outage(
    long killing, long killed, long over, long doubtsBefore, long doubtsByThen, long lost) {
  /** What is to be offered of the load, for this to say something. */
  private static final int LEAST_PERCENT = 90;

  /** So soon after Redis is gone is it no longer asked. */
  private static final Duration NOTICED = Duration.ofMillis(500);

  /** So soon after it is back is it asked, and has counted everything. */
  private static final Duration BACK = Duration.ofSeconds(Effort.of(60, 2));

  /** Less than this do failures in a row take that make a breaker open. */
  private static final Duration A_ROW = Duration.ofMillis(100);

  /** For so long after it is back do requests keep coming. */
  private static final Duration AFTER = Duration.ofSeconds(3);

  private static final long DEADLINE_NANOS = FourServers.DEADLINE.toNanos();

  /**
   * @param books the paths of which Redis has counted, in the end, what was granted
   */
  static Outage of(
      RedisServer redis, FourServers servers, Duration duration, List<List<String>> books) {
    calm(servers);
    assertRight(servers, List.of(STRICT, LEASED), BACK);
    Outage outage =
        servers.load.during(
            () -> {
              EvenLoad.rest(Duration.ofMillis(10));
              Outage gone = gone(redis, servers, duration);
              redis.restart();
              assertBack(servers, books, System.nanoTime());
              return gone;
            });
    assertRight(servers, books, BACK);
    if (Effort.isThorough()) {
      assertThat(servers.load.percent())
          .as("percent of the load")
          .isGreaterThanOrEqualTo(LEAST_PERCENT);
      outage.assertLeftAlone(servers);
    }
    outage.assertDoubts(servers);
    return outage;
  }

  /**
   * Lets servers run until the store is asked; where time is judged, until all is asked and
   * answered for a second, since what is new takes some time.
   */
  private static void calm(FourServers servers) {
    if (!Effort.isThorough()) {
      servers.load.during(Duration.ofSeconds(1));
      servers.awaitAsked(BACK, "before");
      return;
    }
    for (int i = 0; i < 20; i++) {
      servers.load.during(Duration.ofSeconds(1));
      servers.awaitAsked(BACK, "before");
      long from = System.nanoTime();
      servers.load.during(Duration.ofSeconds(1));
      if (servers.load.percent() >= LEAST_PERCENT
          && servers.breakers.areClosed(from, System.nanoTime())) {
        return;
      }
    }
    throw new AssertionError("Redis is never asked for a second, and is there");
  }

  private static Outage gone(RedisServer redis, FourServers servers, Duration duration) {
    long before = servers.doubts(STRICT) + servers.doubts(LEASED);
    long killing = System.nanoTime();
    redis.kill();
    long killed = System.nanoTime();
    EvenLoad.rest(duration);
    assertThat(servers.isAnswering()).isFalse();
    long byThen = servers.doubts(STRICT) + servers.doubts(LEASED);
    return new Outage(killing, killed, System.nanoTime(), before, byThen, servers.lost());
  }

  /** The store is asked again, knows of all that was granted meanwhile, and stays in use. */
  private static void assertBack(FourServers servers, List<List<String>> books, long back) {
    servers.awaitAsked(BACK, "after");
    long asked = System.nanoTime();
    assertRight(servers, books, BACK.minusNanos(System.nanoTime() - back));
    if (!Effort.isThorough()) {
      return;
    }
    EvenLoad.rest(AFTER.minusNanos(System.nanoTime() - back));
    assertThat(servers.breakers.stayClosed(asked, System.nanoTime(), servers.stalls, A_ROW))
        .as("asked from then on")
        .isTrue();
  }

  private static void assertRight(FourServers servers, List<List<String>> right, Duration most) {
    long from = System.nanoTime();
    try (Books books = servers.books()) {
      for (List<String> paths : right) {
        Duration left = most.minusNanos(System.nanoTime() - from);
        String first = books.tell(paths);
        Await.until("right books; at first " + first, left, () -> books.balance(paths));
        System.out.println("outage: " + books.tell(paths));
      }
    }
  }

  private void assertLeftAlone(FourServers servers) {
    for (int i = 0; i < servers.size(); i++) {
      assertThat(servers.breakers.states(i, killed + NOTICED.toNanos(), over))
          .as("breaker of " + i + " while Redis is gone")
          .isNotEmpty()
          .doesNotContain("closed");
    }
  }

  /**
   * In doubt is what was on its way when Redis was killed, and what waited for a machine that stood
   * still; hardly anything else.
   */
  private void assertDoubts(FourServers servers) {
    long onTheirWay =
        counted(servers)
            .filter(one -> one.toldNanos() - killing >= 0)
            .filter(one -> one.askedNanos() - killed < DEADLINE_NANOS)
            .count();
    List<Told> since = counted(servers).filter(one -> one.askedNanos() - over >= 0).toList();
    long stalled =
        since.stream()
            .filter(one -> one.toldNanos() - one.askedNanos() >= DEADLINE_NANOS)
            .filter(one -> servers.stalls.nanosIn(one.askedNanos(), one.toldNanos()) > 0)
            .count();
    long during = doubtsByThen - doubtsBefore;
    long after = servers.doubts(STRICT) + servers.doubts(LEASED) - doubtsByThen;
    long lostAfter = servers.lost() - lost;
    System.out.printf(
        "outage: %d in doubt of %d on their way, after it %d of %d who waited, %d lost%n",
        during, onTheirWay, after, stalled, lostAfter);
    assertThat(during).as("in doubt").isLessThanOrEqualTo(onTheirWay);
    assertThat(after)
        .as("in doubt when it is back")
        .isLessThanOrEqualTo(stalled + since.size() / 200);
    long now = System.nanoTime();
    boolean calm = servers.stalls.nanosIn(over, now) < (now - over) / 20;
    assertThat(lostAfter == 0 || !calm).as("all that was owed has arrived").isTrue();
  }

  private static Stream<Told> counted(FourServers servers) {
    return servers
        .load
        .told(servers.load.beganNanos, System.nanoTime())
        .filter(one -> STRICT.contains(one.path()) || LEASED.contains(one.path()));
  }
}
