package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.guard.GuardSettings;
import dev.weir.key.KeySpace;
import dev.weir.rule.Rule;
import dev.weir.rule.Rule.WhenStoreFails;
import dev.weir.rule.RuleBook;
import dev.weir.testkit.redis.FaultProxy;
import dev.weir.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A Redis that is there and no use: every decision comes by its deadline, and nothing piles up.
 * {@code -Dweir.trouble.seconds} makes it longer.
 */
@Timeout(600)
class StoreTroubleTest {
  private static final int SECONDS = Integer.getInteger("weir.trouble.seconds", 3);
  private static final int REQUESTS_PER_SECOND = 1_000;

  /** The default deadline, and what a busy machine may take to say so. */
  private static final int DEADLINE_MILLIS = 25 + 5;

  /** What took longer has waited for the store; the rest says nothing about deadlines. */
  private static final int WAITED_MILLIS = 5;

  /** A machine that stalls does not do so every time. */
  private static final int TRIES = 4;

  /** So many wait at least before the breaker opens. */
  private static final int LEAST_WAITED = GuardSettings.DEFAULT.failuresInARow();

  private final RuleBook rules =
      RuleBook.of(
          List.of(
              Rule.named("all")
                  .limit(Limit.fixedWindow(1_000_000_000, Duration.ofDays(3_000)))
                  .whenStoreFails(WhenStoreFails.LOCAL)
                  .build()),
          KeySpace.random());

  private final AtomicLongArray tookMillis = new AtomicLongArray(1_001);
  private final AtomicLong asked = new AtomicLong();
  private final AtomicLong told = new AtomicLong();

  /** What is wrong with it. */
  enum Trouble {
    /** Nothing: so that what is new to the machine is not taken for trouble. */
    NONE {
      @Override
      void at(FaultProxy redis, int second) {
        redis.blackhole(false);
        redis.latency(Duration.ZERO);
      }
    },
    /** It accepts connections, and never answers. */
    SILENT {
      @Override
      void at(FaultProxy redis, int second) {
        redis.blackhole(true);
      }
    },
    /** It answers just in time. */
    SLOW {
      @Override
      void at(FaultProxy redis, int second) {
        redis.latency(Duration.ofMillis(24));
      }
    },
    /** It is gone every other second. */
    FLAPPING {
      @Override
      void at(FaultProxy redis, int second) {
        redis.blackhole(second % 2 == 0);
      }
    };

    abstract void at(FaultProxy redis, int second);
  }

  @ParameterizedTest
  @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
  void decisionsComeInTimeAndNothingPilesUp(Trouble trouble) {
    try (RedisServer redis = RedisServer.start();
        FaultProxy proxy = FaultProxy.before(redis.port());
        OneServer server = new OneServer("redis://127.0.0.1:" + proxy.port())) {
      warmUp(server, proxy);
      load(server, proxy, trouble, 2);
      Held before = held(proxy);
      load(server, proxy, trouble, SECONDS);
      held(proxy).assertNoMoreThan(before, "decisions, " + trouble, asked.get(), 8);
      tell(server, trouble);
      for (int again = 1; again < TRIES && isLate(); again++) {
        warmUp(server, proxy);
        load(server, proxy, trouble, 2);
        tell(server, trouble);
      }
      assertThat(isLate()).as("late, whenever it is tried").isFalse();
    }
  }

  /** A connection that is given up is open on both sides of a proxy that swallows its end, too. */
  private static Held held(FaultProxy proxy) {
    return Held.now().without(2 * proxy.connections());
  }

  /** Otherwise the above would say nothing. */
  @ParameterizedTest
  @EnumSource(names = {"SILENT", "FLAPPING"})
  void aDeadlineThatIsTooLongWouldShow(Trouble trouble) {
    try (RedisServer redis = RedisServer.start();
        FaultProxy proxy = FaultProxy.before(redis.port());
        OneServer server = new OneServer("redis://127.0.0.1:" + proxy.port() + "?deadline=1s")) {
      warmUp(server, proxy);
      load(server, proxy, trouble, 2);
      tell(server, trouble);
      assertThat(isLate()).isTrue();
    }
  }

  /** Trouble begins while the store is asked. A busy machine may be trouble enough before it. */
  private void warmUp(OneServer server, FaultProxy proxy) {
    load(server, proxy, Trouble.NONE, 1);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!server.shared.breaker().equals("closed")) {
      assertThat(System.nanoTime()).as("the store is asked").isLessThan(end);
      LockSupport.parkNanos(1_000_000);
    }
    for (int i = 0; i < tookMillis.length(); i++) {
      tookMillis.set(i, 0);
    }
    asked.set(0);
    told.set(0);
  }

  private void tell(OneServer server, Trouble trouble) {
    System.out.printf(
        "trouble: %s: %d decisions, %d waited, %d of them longer than %d ms, the slowest %d ms, breaker %s%n",
        trouble,
        told.get(),
        longerThan(WAITED_MILLIS),
        longerThan(DEADLINE_MILLIS),
        DEADLINE_MILLIS,
        slowest(),
        server.shared.breaker());
  }

  /** Whether more were late than a few of those that waited. */
  private boolean isLate() {
    long waited = longerThan(WAITED_MILLIS);
    assertThat(waited).as("waited").isGreaterThanOrEqualTo(LEAST_WAITED);
    return longerThan(DEADLINE_MILLIS) > Math.max(5, waited / 10);
  }

  private int slowest() {
    int slowest = tookMillis.length() - 1;
    while (slowest > 0 && tookMillis.get(slowest) == 0) {
      slowest--;
    }
    return slowest;
  }

  private long longerThan(int millis) {
    long count = 0;
    for (int i = millis; i < tookMillis.length(); i++) {
      count += tookMillis.get(i);
    }
    return count;
  }

  private void load(OneServer server, FaultProxy proxy, Trouble trouble, int seconds) {
    long pause = TimeUnit.SECONDS.toNanos(1) / REQUESTS_PER_SECOND;
    long due = System.nanoTime();
    for (int second = 0; second < seconds; second++) {
      trouble.at(proxy, second);
      for (int i = 0; i < REQUESTS_PER_SECOND; i++) {
        ask(server);
        due += pause;
        LockSupport.parkNanos(due - System.nanoTime());
      }
    }
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
    while (told.get() < asked.get() && System.nanoTime() < end) {
      LockSupport.parkNanos(1_000_000);
    }
    assertThat(told).as("none is lost").hasValue(asked.get());
  }

  private void ask(OneServer server) {
    long start = System.nanoTime();
    asked.incrementAndGet();
    var unused =
        server
            .limiter
            .take(rules.match(Descriptor.of(Map.of())))
            .stage()
            .whenComplete(
                (decision, failure) -> {
                  long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
                  tookMillis.incrementAndGet((int) Math.min(millis, tookMillis.length() - 1));
                  told.incrementAndGet();
                });
  }
}
