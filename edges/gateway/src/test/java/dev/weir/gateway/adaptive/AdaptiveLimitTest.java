package dev.weir.gateway.adaptive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.rules.gateway.ConcurrencyLimit;
import dev.weir.rules.gateway.ConcurrencyLimit.Algorithm;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Adaptive limits in front of a simulated server with known capacity. */
class AdaptiveLimitTest {
  private static final LimitBounds BOUNDS = LimitBounds.DEFAULT;

  /** Named, so that reports show which one. */
  record Kind(String name, LongFunction<AdaptiveLimit> make) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final Kind GRADIENT =
      new Kind("gradient", seed -> new Gradient2(BOUNDS, new Random(seed)));
  private static final Kind VEGAS = new Kind("vegas", seed -> new Vegas(BOUNDS, new Random(seed)));
  private static final Kind AIMD = new Kind("aimd", seed -> new Aimd(BOUNDS, Aimd.TIMEOUT));

  static Stream<Arguments> byLatency() {
    return Stream.of(GRADIENT, VEGAS)
        .flatMap(
            kind ->
                Stream.of(false, true)
                    .flatMap(
                        varying -> Stream.of(1L, 2L, 3L).map(s -> Arguments.of(kind, varying, s))));
  }

  static List<Kind> all() {
    return List.of(GRADIENT, VEGAS, AIMD);
  }

  @ParameterizedTest
  @MethodSource("byLatency")
  void overloadedServerIsUsedFullyWithAShortQueue(Kind kind, boolean varying, long seed) {
    QueueSimulation server = new QueueSimulation(kind.make.apply(seed), seed);
    server.varying = varying;
    server.offer(3, 20);
    for (int i = 0; i < 5; i++) {
      server.offer(3, 20); // constant overload for a long time: the limit does not drift
      assertThat(server.utilisation()).as(server.toString()).isGreaterThan(0.9);
      assertThat(server.latency()).as(server.toString()).isLessThan(2);
      assertThat(server.limit()).as(server.toString()).isBetween(45.0, 100.0);
    }
  }

  @ParameterizedTest
  @MethodSource("byLatency")
  void limitFollowsACapacityThatDoubles(Kind kind, boolean varying, long seed) {
    QueueSimulation server = new QueueSimulation(kind.make.apply(seed), seed);
    server.varying = varying;
    double before = server.offer(3, 20).limit();
    server.workers *= 2;
    server.offer(3, 10);
    server.offer(3, 10);
    assertThat(server.utilisation()).as(server.toString()).isGreaterThan(0.9);
    assertThat(server.limit()).as(server.toString()).isGreaterThan(1.5 * before);
    server.workers /= 2;
    server.offer(3, 10);
    server.offer(3, 10);
    assertThat(server.utilisation()).as(server.toString()).isGreaterThan(0.9);
    assertThat(server.latency()).as(server.toString()).isLessThan(2.2);
  }

  @ParameterizedTest
  @MethodSource("byLatency")
  void serverThatBecomesSlowerIsUsedFullyAgain(Kind kind, boolean varying, long seed) {
    QueueSimulation server = new QueueSimulation(kind.make.apply(seed), seed);
    server.varying = varying;
    server.offer(3, 20);
    server.serviceNanos *= 3;
    server.offer(3, 40);
    server.offer(3, 40);
    assertThat(server.utilisation()).as(server.toString()).isGreaterThan(0.9);
    assertThat(server.latency()).as(server.toString()).isLessThan(2);
  }

  @ParameterizedTest
  @MethodSource("byLatency")
  void smallServerThatIsOverloadedFromTheStartGetsAShortQueue(
      Kind kind, boolean varying, long seed) {
    QueueSimulation server = new QueueSimulation(kind.make.apply(seed), seed);
    server.varying = varying;
    server.workers = 5;
    server.offer(3, 60);
    server.offer(3, 60);
    assertThat(server.utilisation()).as(server.toString()).isGreaterThan(0.85);
    assertThat(server.latency()).as(server.toString()).isLessThan(3.5);
  }

  @Test
  void aimdFindsWhereTheServerBeginsToRefuse() {
    QueueSimulation server = new QueueSimulation(AIMD.make.apply(1), 1);
    server.maxQueue = 10;
    server.offer(3, 20);
    server.offer(3, 20);
    assertThat(server.utilisation()).as(server.toString()).isGreaterThan(0.9);
    assertThat(server.limit()).as(server.toString()).isBetween(50.0, 62.0);
    server.workers *= 2;
    server.offer(3, 20);
    server.offer(3, 20);
    assertThat(server.limit()).as(server.toString()).isBetween(95.0, 115.0);
  }

  @ParameterizedTest
  @MethodSource("all")
  void limitGrowsToLittleMoreThanTwiceWhatIsUsed(Kind kind) {
    QueueSimulation server = new QueueSimulation(kind.make.apply(1), 1);
    server.offer(0.1, 60);
    assertThat(server.limit()).as(server.toString()).isLessThan(2 * server.peak + 10);
    assertThat(server.peak).as("unlimited by probes").isGreaterThan(10);
    assertThat(server.utilisation()).isBetween(0.09, 0.11);
  }

  @ParameterizedTest
  @MethodSource("all")
  void limitStaysWithinItsBoundsWhateverTheSamples(Kind kind) {
    for (long seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      AdaptiveLimit limit = kind.make.apply(seed);
      long[] rtts = {0, 1, -5, 1_000_000, Long.MAX_VALUE, Long.MIN_VALUE, 5_000_000_000L};
      int[] inFlight = {0, 1, -1, 20, 1_000, Integer.MAX_VALUE, Integer.MIN_VALUE};
      for (int i = 0; i < 20_000; i++) {
        limit.onSample(
            rtts[random.nextInt(rtts.length)],
            inFlight[random.nextInt(inFlight.length)],
            random.nextInt(20) == 0);
        assertThat(limit.limit()).isBetween(BOUNDS.min(), BOUNDS.max());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void limitFallsToItsMinimumIfEverythingIsDroppedAndRecovers(Kind kind) {
    AdaptiveLimit limit = kind.make.apply(1);
    for (int i = 0; i < 5_000; i++) {
      limit.onSample(0, limit.limit(), true);
    }
    assertThat(limit.limit()).isLessThanOrEqualTo(8);
    for (int i = 0; i < 200_000; i++) {
      limit.onSample(1_000_000, limit.limit(), false);
    }
    assertThat(limit.limit()).isGreaterThan(200);
  }

  @ParameterizedTest
  @MethodSource("all")
  void constantExtremeLatenciesDoNotOverflow(Kind kind) {
    for (long rtt : new long[] {0, Long.MAX_VALUE}) {
      AdaptiveLimit limit = kind.make.apply(1);
      for (int i = 0; i < 100_000; i++) {
        limit.onSample(rtt, limit.limit(), false);
        assertThat(limit.limit()).isBetween(BOUNDS.min(), BOUNDS.max());
      }
    }
  }

  @Test
  void aimdTreatsSlowAnswersLikeDrops() {
    AdaptiveLimit limit = new Aimd(BOUNDS, Duration.ofSeconds(5));
    for (int i = 0; i < 20; i++) {
      limit.onSample(Duration.ofSeconds(6).toNanos(), 20, false);
    }
    assertThat(limit.limit()).isEqualTo(18);
  }

  @Test
  void fixedLimitLearnsNothing() {
    FixedLimit limit = new FixedLimit(7);
    limit.onSample(Long.MAX_VALUE, 7, true);
    assertThat(limit.limit()).isEqualTo(7);
    assertThatThrownBy(() -> new FixedLimit(0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void settingsOfAnUpstreamNameTheLimit() {
    Random random = new Random(1);
    assertThat(AdaptiveLimits.of(ConcurrencyLimit.NONE, random)).isEmpty();
    assertThat(AdaptiveLimits.of(ConcurrencyLimit.fixed(7), random)).contains(new FixedLimit(7));
    Map<Algorithm, Class<?>> expected =
        Map.of(
            Algorithm.GRADIENT,
            Gradient2.class,
            Algorithm.VEGAS,
            Vegas.class,
            Algorithm.AIMD,
            Aimd.class);
    expected.forEach(
        (algorithm, type) ->
            assertThat(
                    AdaptiveLimits.of(ConcurrencyLimit.adaptive(algorithm), random).orElseThrow())
                .isInstanceOf(type));
  }

  @Test
  void boundsMustBeInOrder() {
    assertThatThrownBy(() -> new LimitBounds(20, 0, 30)).hasMessageContaining("min: 0");
    assertThatThrownBy(() -> new LimitBounds(20, 21, 30)).hasMessageContaining("initial: 20");
    assertThatThrownBy(() -> new LimitBounds(20, 4, 0)).hasMessageContaining("max: 0");
  }
}
