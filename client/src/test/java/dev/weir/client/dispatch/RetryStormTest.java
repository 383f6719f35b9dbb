package dev.weir.client.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.client.ManualTimers;
import dev.weir.testkit.Effort;
import dev.weir.testkit.Seeds;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Two hundred clients want ten times as much as a server's limit allows, on virtual time: Weir's
 * own limiter and headers, and a network that takes 2 to 20 ms.
 */
class RetryStormTest {
  private static final int CLIENTS = 200;
  private static final double DEMAND = 5; // requests in a second of each client
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration BEFORE = Duration.ofSeconds(Effort.of(40, 300));
  private static final Duration WATCHED = Duration.ofSeconds(Effort.of(30, 300));

  /** One limit for all. */
  private static final Limit SHARED = Limit.tokenBucket(100, SECOND, 100);

  private static Load weir(
      SplittableRandom random,
      BiFunction<ManualTimers, Limit, LimitedServer> servers,
      Limit limit) {
    Crowd crowd = new Crowd(random.split(), CLIENTS, DEMAND);
    LimitedServer server = servers.apply(crowd.timers(), limit);
    Load load = crowd.run(server, client -> crowd.weir(DispatchSettings.DEFAULT), BEFORE, WATCHED);
    System.out.println(limit + ", clients of Weir: " + load);
    return load;
  }

  /** They are in their steady state soon, and send a lot. */
  private static Load naive(
      String what, SplittableRandom random, Limit limit, Function<Crowd, Crowd.Sender> senders) {
    Crowd crowd = new Crowd(random.split(), CLIENTS, DEMAND);
    LimitedServer server = LimitedServer.shared(crowd.timers(), limit);
    Load load =
        crowd.run(
            server, client -> senders.apply(crowd), SECOND.multipliedBy(6), SECOND.multipliedBy(8));
    System.out.println(limit + ", " + what + ": " + load);
    return load;
  }

  @Test
  void clientsShareALimitWithFewDenialsAndWithoutWaves() {
    Seeds.run(
        random -> {
          Load load = weir(random, LimitedServer::shared, SHARED);
          assertThat(load.requestsPerAdmitted()).isLessThan(1.2);
          assertThat(load.peakToMean()).isLessThan(4);
          assertThat(load.dispersion()).isLessThan(2);
          // And not by leaving the server idle.
          assertThat(load.admitted()).isGreaterThan((int) (90 * WATCHED.toSeconds()));
        });
  }

  @Test
  void clientsShareAFixedWindowWithFewDenialsAndWithoutWaves() {
    Seeds.run(
        random -> {
          Load load = weir(random, LimitedServer::shared, Limit.fixedWindow(100, SECOND));
          assertThat(load.requestsPerAdmitted()).isLessThan(1.2);
          assertThat(load.peakToMean()).isLessThan(4);
          assertThat(load.dispersion()).isLessThan(2);
          assertThat(load.admitted()).isGreaterThan((int) (85 * WATCHED.toSeconds()));
        });
  }

  @Test
  void clientsWithLimitsOfTheirOwnAreHardlyEverDenied() {
    Seeds.run(
        random -> {
          Limit own = Limit.fixedWindow(5, SECOND.multipliedBy(10));
          Load load = weir(random, LimitedServer::perClient, own);
          assertThat(load.requestsPerAdmitted()).isLessThan(1.05);
          assertThat(load.peakToMean()).isLessThan(5);
          assertThat(load.admitted()).isGreaterThan((int) (75 * WATCHED.toSeconds()));
        });
  }

  @Test
  void naiveRetriesStorm() {
    Seeds.run(
        random -> {
          Load atOnce =
              naive(
                  "naive clients, 4 attempts at once",
                  random,
                  SHARED,
                  crowd -> crowd.naive(4, Duration.ZERO));
          Load fixed =
              naive(
                  "naive clients, 4 attempts after a second each",
                  random,
                  SHARED,
                  crowd -> crowd.naive(4, SECOND));
          assertThat(atOnce.requestsPerAdmitted()).isGreaterThan(20);
          assertThat(fixed.requestsPerAdmitted()).isGreaterThan(20);
        });
  }

  /** Clients that begin together, as after a deployment, and obey Retry-After to the letter. */
  @Test
  void exactRetryAfterMakesWaves() {
    Seeds.run(
        random -> {
          Load waves =
              naive(
                  "naive clients, one request each until it is admitted",
                  random,
                  Limit.fixedWindow(100, SECOND),
                  crowd -> crowd.persistent(SECOND));
          assertThat(waves.dispersion()).isGreaterThan(10);
        });
  }
}
