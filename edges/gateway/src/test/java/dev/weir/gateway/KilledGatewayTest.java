package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.gateway.HoldingUpstream.Held;
import dev.weir.gateway.HoldingUpstream.Offered;
import dev.weir.testkit.Effort;
import dev.weir.testkit.Seeds;
import dev.weir.testkit.redis.Await;
import dev.weir.testkit.redis.FaultProxy;
import dev.weir.testkit.redis.RedisServer;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Gateways that hold permits in Redis and lose it before they can release any, as if they were
 * killed. All times are those of Redis' clock, so that nothing depends on the speed of the machine.
 */
@Timeout(3_600)
class KilledGatewayTest {
  private static final int LIMIT = 4;
  private static final long EXPIRY_MICROS = 1_000_000;
  private static final String RULES =
      """
      identity: {caller: header X-Caller}
      rules: [{name: flight, per: caller, concurrent: 4, expires: 1 second, when-store-fails: deny}]
      lint-ignore: forgeable-key
      """;

  private final RedisServer redis = RedisServer.start();
  private final FaultProxy proxy = FaultProxy.before(redis.port());
  private final HoldingUpstream upstream = new HoldingUpstream();
  private final RedisCounters counters = RedisCounters.at(redis.port());
  private final TestGateway survivor = TestGateway.on(counters, RULES, upstream.url());

  /**
   * A gateway that was killed.
   *
   * @param taken how many permits it held
   * @param beforeMicros a time before it took the first
   * @param killedMicros a time after which it could not renew any
   * @param held the requests of the same caller at the survivor
   */
  private record Killed(
      String caller, int taken, long beforeMicros, long killedMicros, List<Held> held) {}

  @AfterEach
  void stop() throws Exception {
    upstream.close();
    survivor.close();
    counters.close();
    proxy.close();
    redis.close();
  }

  @Test
  void permitsOfKilledGatewaysExpireAndNoSooner() {
    Seeds.run(
        random -> {
          Deque<Killed> waiting = new ArrayDeque<>();
          for (int i = 0; i < Effort.of("weir.kills", 20, 1_000); i++) {
            Killed killed = kill("caller-" + i, random);
            takeWhatIsLeft(killed);
            waiting.add(killed);
            while (!waiting.isEmpty() && hasExpired(waiting.element())) {
              takeAll(waiting.remove());
            }
          }
          for (Killed killed : waiting) {
            Await.until("expiry", Duration.ofSeconds(60), () -> hasExpired(killed));
            takeAll(killed);
          }
        });
  }

  private Killed kill(String caller, SplittableRandom random) throws Exception {
    int taken = 1 + random.nextInt(LIMIT);
    long before = redisMicros();
    RedisCounters own = RedisCounters.at(proxy.port());
    TestGateway victim = TestGateway.on(own, RULES, upstream.url());
    List<Held> lost = new ArrayList<>();
    for (int i = 0; i < taken; i++) {
      lost.add(upstream.offer(victim, request(victim, caller)).held().orElseThrow());
    }
    proxy.refuse(true);
    assertThat(proxy.reset()).as("connections to Redis").isPositive();
    long killed = redisMicros();
    for (Held one : lost) {
      one.finish(); // the permit is released, but Redis does not learn of it
    }
    victim.close();
    own.close();
    proxy.refuse(false);
    return new Killed(caller, taken, before, killed, new ArrayList<>());
  }

  /** Before the permits expire, only the others can be had. */
  private void takeWhatIsLeft(Killed killed) throws Exception {
    while (killed.held().size() < LIMIT) {
      Offered offered = upstream.offer(survivor, request(survivor, killed.caller()));
      if (!offered.isHeld()) {
        assertThat(offered.status()).isEqualTo(429);
        return;
      }
      killed.held().add(offered.held().orElseThrow());
      if (killed.held().size() > LIMIT - killed.taken()) {
        assertThat(redisMicros())
            .as("more than the limit, before the permits of %s can have expired", killed.caller())
            .isGreaterThanOrEqualTo(killed.beforeMicros() + EXPIRY_MICROS);
      }
    }
  }

  private boolean hasExpired(Killed killed) {
    return redisMicros() >= killed.killedMicros() + EXPIRY_MICROS;
  }

  /** Once they have expired, all can be had, and not one more. */
  private void takeAll(Killed killed) throws Exception {
    while (killed.held().size() < LIMIT) {
      Offered offered = upstream.offer(survivor, request(survivor, killed.caller()));
      assertThat(offered.status())
          .as("%s: permit %d is stuck", killed, killed.held().size() + 1)
          .isZero();
      killed.held().add(offered.held().orElseThrow());
    }
    assertThat(upstream.offer(survivor, request(survivor, killed.caller())).status())
        .isEqualTo(429);
    for (Held held : killed.held()) {
      assertThat(held.finish().statusCode()).isEqualTo(200);
    }
  }

  private static HttpRequest.Builder request(TestGateway gateway, String caller) {
    return gateway.request("/").header("X-Caller", caller);
  }

  private long redisMicros() {
    List<?> time = redis.list("TIME");
    return Long.parseLong(time.get(0).toString()) * 1_000_000
        + Long.parseLong(time.get(1).toString());
  }
}
