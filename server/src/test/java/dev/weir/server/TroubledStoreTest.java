package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Basis;
import dev.weir.Descriptor;
import dev.weir.Limit;
import dev.weir.key.KeySpace;
import dev.weir.redis.RedisSettings;
import dev.weir.redis.RedisStore;
import dev.weir.rule.Match;
import dev.weir.rule.Rule;
import dev.weir.rule.Rule.WhenStoreFails;
import dev.weir.rule.RuleBook;
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
 * A Redis that is there and no use: every request is decided all the same, Redis is left alone
 * while it is no use, and asked when it is back. {@link StoreTroubleTest} judges how long that
 * takes.
 */
@Timeout(300)
class TroubledStoreTest {
  private static final int PERMITS = 1_000_000;
  private static final int TOGETHER = 50;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final RuleBook rules =
      RuleBook.of(
          List.of(
              Rule.named("all")
                  .limit(Limit.fixedWindow(PERMITS, Duration.ofDays(3_000)))
                  .whenStoreFails(WhenStoreFails.LOCAL)
                  .build()),
          KeySpace.random());
  private final Match match = rules.match(Descriptor.of(Map.of()));
  private final RedisServer redis = RedisServer.start();
  private final FaultProxy proxy = FaultProxy.before(redis.port());
  private final OneServer server =
      new OneServer("redis://127.0.0.1:" + proxy.port() + "?deadline=200ms");

  private long granted;

  /** What is wrong with it. */
  enum Kind {
    /** It accepts connections, and never answers. */
    SILENT {
      @Override
      void begin(FaultProxy redis) {
        redis.blackhole(true);
      }
    },
    /** It answers after every deadline, also after the longer one of a busy machine. */
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

  /** What the decisions on requests that come together are based on; all of them pass. */
  private List<Basis> ask(int requests) {
    List<CompletableFuture<Decision>> asked = new ArrayList<>();
    for (int i = 0; i < requests; i++) {
      asked.add(server.limiter.take(match).stage().toCompletableFuture());
    }
    List<Decision> decisions = asked.stream().map(CompletableFuture::join).toList();
    assertThat(decisions).allMatch(Decision::allowed);
    granted += requests;
    return decisions.stream().map(Decision::basis).toList();
  }

  @ParameterizedTest
  @EnumSource
  void everyRequestIsDecidedAndCountedWhenItIsBack(Kind kind) {
    Await.until("requests are counted", LIMIT, () -> ask(1).get(0) == Basis.COUNTED);
    kind.begin(proxy);
    Await.until(
        "it is left alone",
        LIMIT,
        () -> {
          assertThat(ask(TOGETHER)).isSubsetOf(Basis.ALONE, Basis.COUNTED);
          return server.shared.breaker().equals("open");
        });
    long asked = server.redis.calls();
    for (int i = 0; i < 20; i++) {
      assertThat(ask(TOGETHER)).containsOnly(Basis.ALONE);
    }
    assertThat(server.redis.calls() - asked)
        .as("asked only now and then, of a thousand requests")
        .isLessThan(100);
    proxy.blackhole(false);
    proxy.latency(Duration.ZERO);
    Await.until("requests are counted again", LIMIT, () -> ask(1).get(0) == Basis.COUNTED);
    Await.until("nothing is owed", LIMIT, () -> server.shared.standby().owing() == 0);
    assertThat(counted()).as("no grant is counted twice").isBetween(1L, granted);
  }

  /** What Redis has counted, asked directly and with patience. */
  private long counted() {
    try (RedisStore store = RedisStore.connect(RedisSettings.parse(redis.url() + "?deadline=5s"))) {
      Claim look = match.claims().get(0).costing(0);
      return PERMITS - store.look(List.of(look)).join().remaining();
    }
  }
}
