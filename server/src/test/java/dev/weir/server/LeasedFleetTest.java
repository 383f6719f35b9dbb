package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.Mode;
import dev.weir.key.KeySpace;
import dev.weir.lease.ByMode;
import dev.weir.rule.Rule;
import dev.weir.rule.RuleBook;
import dev.weir.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Four servers lease one counter in a real Redis. */
@Timeout(120)
class LeasedFleetTest {
  private static final int SERVERS = 4;
  private static final String URL = "?deadline=2s";

  private final RedisServer redis = RedisServer.start();
  private final List<OneServer> servers = new ArrayList<>();
  private final ExecutorService threads = Executors.newFixedThreadPool(SERVERS);

  @BeforeEach
  void start() {
    for (int i = 0; i < SERVERS; i++) {
      servers.add(new OneServer(redis.url() + URL));
    }
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (servers.stream().anyMatch(server -> !server.shared.isKnownTo(SERVERS))) {
      assertThat(System.nanoTime()).as("servers know each other").isLessThan(end);
      LockSupport.parkNanos(1_000_000);
    }
  }

  @AfterEach
  void stop() {
    servers.forEach(OneServer::close);
    redis.close();
    threads.shutdownNow();
  }

  private static RuleBook rules(Limit limit) {
    return RuleBook.of(
        List.of(Rule.named("hot").limit(limit).mode(Mode.leased()).build()), KeySpace.random());
  }

  /** All servers ask as fast as they can; how much they let pass together. */
  private long load(RuleBook rules, Duration duration) throws Exception {
    return grants(rules, duration).size();
  }

  /** What they let pass, and when. */
  private Grants grants(RuleBook rules, Duration duration) throws Exception {
    List<Future<Grants>> all = new ArrayList<>();
    for (OneServer server : servers) {
      all.add(threads.submit(() -> grants(server, rules, duration)));
    }
    List<Grants> grants = new ArrayList<>();
    for (Future<Grants> one : all) {
      grants.add(one.get(60, TimeUnit.SECONDS));
    }
    return Grants.together(grants);
  }

  private static Grants grants(OneServer server, RuleBook rules, Duration duration) {
    Grants grants = new Grants();
    long end = System.nanoTime() + duration.toNanos();
    for (long start = System.nanoTime(); start < end; start = System.nanoTime()) {
      if (server.limiter.take(rules.match(Descriptor.of(Map.of()))).join().allowed()) {
        grants.add(start, System.nanoTime());
      }
    }
    return grants;
  }

  private long leased() {
    return servers.stream().mapToLong(server -> server.shared.counts().granted()).sum();
  }

  @Test
  void aWindowGrantsWhatItHoldsAndNotOneMore() throws Exception {
    int permits = 50_000;
    RuleBook rules = rules(Limit.fixedWindow(permits, Duration.ofDays(3_000)));
    long passed = 0;
    for (int i = 0; i < 20 && passed < permits; i++) {
      passed += load(rules, Duration.ofSeconds(1));
    }
    passed += load(rules, Duration.ofSeconds(3)); // what was given back is granted to somebody
    System.out.printf("leases: %d of %d passed, %d on leases%n", passed, permits, leased());
    assertThat(passed).isEqualTo(permits);
    assertThat(leased()).as("on leases").isGreaterThan(permits / 2);
  }

  @Test
  void aBucketGrantsNoMoreThanItsRateAndWhatServersHold() throws Exception {
    int rate = 20_000;
    long bound = rate / 20; // n·B
    RuleBook rules = rules(Limit.tokenBucket(rate, Duration.ofSeconds(1), rate));
    long start = System.nanoTime();
    Grants grants = grants(rules, Duration.ofSeconds(4));
    double seconds = (System.nanoTime() - start) / 1e9;
    double limit = rate + rate * seconds;
    System.out.printf(
        "leases: %d passed in %.2f s, the limit is %.0f, on leases %d%n",
        grants.size(), seconds, limit, leased());
    assertThat((double) grants.size()).isBetween(limit * 0.9, limit + bound);
    assertThat(leased()).isPositive();
    for (int millis : new int[] {1, 10, 100, 1_000, 2_000}) {
      assertThat(grants.mostIn(Duration.ofMillis(millis)))
          .as("in any " + millis + " ms")
          .isLessThanOrEqualTo(rate + rate * millis / 1_000 + bound);
    }
    assertThat(grants.mostIn(Duration.ofSeconds(1)))
        .as("in some second, when the bucket was full")
        .isGreaterThan(rate + rate / 2);
  }

  @Test
  void whatServersHoldIsGivenBackWhenTheyStop() throws Exception {
    int permits = 1_000_000;
    Limit limit = Limit.fixedWindow(permits, Duration.ofDays(3_000));
    RuleBook rules = rules(limit);
    long passed = load(rules, Duration.ofSeconds(1));
    OneServer last = servers.get(0);
    servers.subList(1, SERVERS).forEach(server -> server.shared.close());
    last.shared.close();
    long counted =
        permits
            - last.redis
                .look(List.of(rules.match(Descriptor.of(Map.of())).claims().get(0).costing(0)))
                .join()
                .remaining();
    long stranded =
        servers.stream()
            .map(server -> server.shared.counts())
            .mapToLong(ByMode.Counts::stranded)
            .sum();
    assertThat(leased()).isPositive();
    assertThat(stranded).isZero();
    assertThat(counted).isEqualTo(passed);
  }
}
