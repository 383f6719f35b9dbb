package dev.weir.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.key.KeySpace;
import dev.weir.redis.RedisStore;
import dev.weir.redis.connection.RedisSettings;
import dev.weir.rule.FailureMode;
import dev.weir.rule.Rule;
import dev.weir.rule.book.Match;
import dev.weir.rule.book.RuleBook;
import dev.weir.testkit.redis.Await;
import dev.weir.testkit.redis.FaultProxy;
import dev.weir.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A Redis that accepts connections and does not answer in time: every request is decided all the
 * same, the circuit breaker opens, and closes when Redis is back. {@link
 * dev.weir.server.StoreFaultTimingTest} judges how long that takes.
 */
@Timeout(300)
class StoreFaultTest {
  private static final int PERMITS = 1_000_000;
  private static final int TOGETHER = 50;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final RuleBook rules =
      RuleBook.of(
          List.of(
              Rule.named("all")
                  .limit(Limit.fixedWindow(PERMITS, Duration.ofDays(3_000)))
                  .failureMode(FailureMode.LOCAL)
                  .build()),
          KeySpace.random());
  private final Match match = rules.match(Descriptor.of(Map.of()));
  private final RedisServer redis = RedisServer.start();
  private final FaultProxy proxy = FaultProxy.before(redis.port());
  private final OneServer server =
      new OneServer("redis://127.0.0.1:" + proxy.port() + "?deadline=200ms");

  private long granted;

  /** The fault of Redis. */
  enum Kind {
    /** It accepts connections, and never answers. */
    SILENT {
      @Override
      void begin(FaultProxy redis) {
        redis.blackhole(true);
      }
    },
    /** It answers after every deadline, also after the longer one for a busy machine. */
    LATE {
      @Override
      void begin(FaultProxy redis) {
        redis.latency(Duration.ofSeconds(2));
      }
    };

    abstract void begin(FaultProxy redis);
  }

  @AfterEach
  void stop() {
    server.close();
    proxy.close();
    redis.close();
  }

  /** The basis of the decisions on concurrent requests; all of them pass. */
  private List<Basis> take(int requests) {
    List<CompletableFuture<Decision>> calls = new ArrayList<>();
    for (int i = 0; i < requests; i++) {
      calls.add(server.limiter.take(match).stage().toCompletableFuture());
    }
    List<Decision> decisions = calls.stream().map(CompletableFuture::join).toList();
    assertThat(decisions).allMatch(Decision::allowed);
    granted += requests;
    return decisions.stream().map(Decision::basis).toList();
  }

  @ParameterizedTest
  @EnumSource
  void everyRequestIsDecidedAndCountedAfterRecovery(Kind kind) {
    Await.until("requests are counted", LIMIT, () -> take(1).get(0) == Basis.COUNTED);
    kind.begin(proxy);
    Await.until(
        "the circuit breaker is open",
        LIMIT,
        () -> {
          assertThat(take(TOGETHER)).isSubsetOf(Basis.LOCAL, Basis.COUNTED);
          return server.shared.breaker().equals("open");
        });
    long calls = server.redis.calls();
    for (int i = 0; i < 20; i++) {
      assertThat(take(TOGETHER)).containsOnly(Basis.LOCAL);
    }
    assertThat(server.redis.calls() - calls)
        .as("only probes, of a thousand requests")
        .isLessThan(100);
    proxy.blackhole(false);
    proxy.latency(Duration.ZERO);
    Await.until("requests are counted again", LIMIT, () -> take(1).get(0) == Basis.COUNTED);
    Await.until("no charge is pending", LIMIT, () -> server.shared.fallback().pendingKeys() == 0);
    assertThat(counted()).as("no grant is counted twice").isBetween(1L, granted);
  }

  /** The count in Redis, read directly and with a long timeout. */
  private long counted() {
    try (RedisStore store = RedisStore.connect(RedisSettings.parse(redis.url() + "?deadline=5s"))) {
      Claim peek = match.claims().get(0).withCost(0);
      return PERMITS - store.peek(List.of(peek)).join().remaining();
    }
  }
}
