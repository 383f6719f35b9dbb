package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.store.FaultyRedisLoad;
import dev.weir.shared.GuardSettings;
import dev.weir.testkit.Effort;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A faulty Redis that accepts connections: every decision meets its deadline, nothing piles up, and
 * Redis is called only as long as that makes sense. {@code -Dweir.trouble.seconds} makes it shorter
 * or longer.
 */
@Tag(Effort.TAG)
@Timeout(600)
class StoreFaultTimingTest {
  private static final int SECONDS = Integer.getInteger("weir.trouble.seconds", 60);

  /** By then the effects of the first failing requests are settled. */
  private static final int SETTLED_SECONDS = 2;

  /** The default deadline, and the time to report it. */
  private static final long DEADLINE_NANOS = Duration.ofMillis(25 + 5).toNanos();

  /** The maximum time until the circuit breaker of a silent store opens. */
  private static final Duration NOTICED = Duration.ofMillis(500);

  private final StallDetector stalls = new StallDetector();
  private final Map<Trouble, FaultyRedisLoad> all = new EnumMap<>(Trouble.class);

  @AfterEach
  void stop() {
    all.values().forEach(FaultyRedisLoad::close);
    stalls.close();
  }

  @Test
  void decisionsAreTimelyAndNothingPilesUp() {
    start("", Trouble.values());
    long from = System.nanoTime();
    together(one -> one.load(SETTLED_SECONDS));
    ResourceUsage before = held();
    together(one -> one.load(SECONDS));
    long to = System.nanoTime();
    tell(from, to);
    long asked = all.values().stream().mapToLong(FaultyRedisLoad::sent).sum();
    held().assertNoMoreThan(before, "decisions in trouble", asked, 8);
    for (FaultyRedisLoad one : all.values()) {
      assertThat(one.longerThan(DEADLINE_NANOS)).as("late: " + one).isZero();
    }
    assertThat(all.values().stream().mapToLong(FaultyRedisLoad::judged).sum())
        .as("that could have been late, and not because of this machine")
        .isGreaterThanOrEqualTo(SECONDS);
    assertThat(states(Trouble.SILENT, from + NOTICED.toNanos(), to))
        .as("never asked but to see")
        .doesNotContain("closed");
    assertBreakerLimitsTimeouts(Trouble.SILENT, states(Trouble.SILENT, from, to));
    assertBreakerLimitsTimeouts(Trouble.LATE, states(Trouble.LATE, from, to));
    assertThat(of(Trouble.SLOW).breaker.stayClosed(from, to, stalls, NOTICED))
        .as("asked, since it answers: " + states(Trouble.SLOW, from, to))
        .isTrue();
    List<String> flapping = states(Trouble.FLAPPING, from, to);
    assertThat(Collections.frequency(flapping, "closed"))
        .as("asked again when it is back: " + flapping)
        .isGreaterThanOrEqualTo(SECONDS / 8);
  }

  /** Shows that the test above can fail. */
  @Test
  void tooLongDeadlineIsDetected() {
    start("?deadline=1s", Trouble.SILENT, Trouble.FLAPPING);
    together(one -> one.load(SETTLED_SECONDS));
    for (FaultyRedisLoad one : all.values()) {
      assertThat(one.longerThan(DEADLINE_NANOS)).as("late: " + one).isPositive();
    }
  }

  private void start(String options, Trouble... troubles) {
    for (Trouble trouble : troubles) {
      all.put(trouble, new FaultyRedisLoad(trouble, options, stalls));
    }
    together(FaultyRedisLoad::warmUp);
  }

  private void together(Consumer<FaultyRedisLoad> work) {
    CompletableFuture.allOf(
            all.values().stream()
                .map(one -> CompletableFuture.runAsync(() -> work.accept(one), one::onOwnThread))
                .toArray(CompletableFuture<?>[]::new))
        .join();
  }

  private void tell(long from, long to) {
    all.forEach(
        (trouble, one) ->
            System.out.printf(
                "trouble: %s, closed %d times%n",
                one, Collections.frequency(states(trouble, from, to), "closed")));
    System.out.printf(
        "trouble: stalls %d ms; judged %d%n",
        stalls.nanosIn(from, to) / 1_000_000,
        all.values().stream().mapToLong(FaultyRedisLoad::judged).sum());
  }

  private ResourceUsage held() {
    return ResourceUsage.now()
        .without(all.values().stream().mapToInt(FaultyRedisLoad::proxyFiles).sum());
  }

  private FaultyRedisLoad of(Trouble trouble) {
    return Objects.requireNonNull(all.get(trouble));
  }

  private List<String> states(Trouble trouble, long fromNanos, long toNanos) {
    return of(trouble).breaker.states(0, fromNanos, toNanos);
  }

  /**
   * Each time the breaker closes, only so many consecutive requests time out, and those that came
   * meanwhile; beside them one probe each second.
   */
  private void assertBreakerLimitsTimeouts(Trouble trouble, List<String> states) {
    long meanwhile = trouble.requestsPerSecond * DEADLINE_NANOS / 1_000_000_000;
    long each = GuardSettings.DEFAULT.consecutiveFailures() + meanwhile;
    int times = Collections.frequency(states, "closed");
    assertThat(of(trouble).waited())
        .as("asked " + times + " times: " + of(trouble))
        .isLessThanOrEqualTo(times * each + SETTLED_SECONDS + SECONDS);
  }
}
