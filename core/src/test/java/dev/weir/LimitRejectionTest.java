package dev.weir;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.weir.key.KeySpace;
import dev.weir.memory.MemoryStore;
import dev.weir.time.Ticker;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Invalid numbers are rejected with a message that names field, value and remedy. */
class LimitRejectionTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration TEN_THOUSAND_YEARS = Duration.ofDays(3_652_500);
  private static final Limit LIMIT = Limit.tokenBucket(1, SECOND);
  private static final Limit HELD = Limit.concurrent(1, SECOND);
  private static final LimitKey KEY = new LimitKey(1, 2);
  private static final String PERMITS = " (expected: between 1 and 2251799813685248)";
  private static final String WINDOW =
      " (expected: whole microseconds, more than 0, at most PT87840H)";

  private static Arguments rejected(String message, Supplier<?> making) {
    return arguments(message, making);
  }

  static Stream<Arguments> invalidPermits() {
    return Stream.of(
        rejected("permits: 0" + PERMITS, () -> Limit.tokenBucket(0, SECOND)),
        rejected("permits: -5" + PERMITS, () -> Limit.tokenBucket(-5, SECOND)),
        rejected(
            "permits: " + Long.MAX_VALUE + PERMITS,
            () -> Limit.tokenBucket(Long.MAX_VALUE, SECOND)),
        rejected("permits: 0" + PERMITS, () -> Limit.leakyBucket(0, SECOND, 1)),
        rejected("permits: 0" + PERMITS, () -> Limit.fixedWindow(0, SECOND)),
        rejected(
            "permits: " + Long.MIN_VALUE + PERMITS,
            () -> Limit.fixedWindow(Long.MIN_VALUE, SECOND)),
        rejected("permits: 0" + PERMITS, () -> Limit.slidingLog(0, SECOND)),
        rejected(
            "permits: 1001 (expected: at most 1000 for a sliding log, which remembers each one;"
                + " use a sliding counter or a token bucket)",
            () -> Limit.slidingLog(1_001, SECOND)),
        rejected(
            "permits: 0 (expected: between 1 and 2147483647)",
            () -> Limit.slidingCounter(0, SECOND)),
        rejected(
            "permits: 2147483648 (expected: between 1 and 2147483647)",
            () -> Limit.slidingCounter(1L << 31, SECOND)),
        rejected(
            "permits: 2147483647 (expected: at most 26062 for a window of PT24H0.000001S)",
            () -> Limit.slidingCounter(Integer.MAX_VALUE, DAY.plusNanos(1_000))),
        rejected("permits: 0 (expected: between 1 and 10000)", () -> Limit.concurrent(0, SECOND)),
        rejected(
            "permits: 10001 (expected: between 1 and 10000)",
            () -> Limit.concurrent(10_001, SECOND)));
  }

  static Stream<Arguments> invalidWindows() {
    return Stream.of(
        rejected("window: PT0S" + WINDOW, () -> Limit.tokenBucket(1, Duration.ZERO)),
        rejected("window: PT-1S" + WINDOW, () -> Limit.fixedWindow(1, SECOND.negated())),
        rejected(
            "window: PT0.0000015S" + WINDOW, () -> Limit.slidingLog(1, Duration.ofNanos(1_500))),
        rejected("window: PT87660000H" + WINDOW, () -> Limit.slidingCounter(1, TEN_THOUSAND_YEARS)),
        rejected("window: PT87660000H" + WINDOW, () -> Limit.leakyBucket(1, TEN_THOUSAND_YEARS, 1)),
        rejected(
            "window: " + Duration.ofSeconds(Long.MAX_VALUE) + WINDOW,
            () -> Limit.fixedWindow(1, Duration.ofSeconds(Long.MAX_VALUE))),
        rejected("expiry: PT0S" + WINDOW, () -> Limit.concurrent(1, Duration.ZERO)));
  }

  static Stream<Arguments> invalidCapacities() {
    return Stream.of(
        rejected("burst: 0" + PERMITS, () -> Limit.tokenBucket(1, SECOND, 0)),
        rejected("burst: -1" + PERMITS, () -> Limit.tokenBucket(1, SECOND, -1)),
        rejected(
            "burst: 2251799813685249" + PERMITS,
            () -> Limit.tokenBucket(1, SECOND, (1L << 51) + 1)),
        rejected(
            "burst: 1125899906842624 (expected: at most 368172000 at 7 permits per PT1M)",
            () -> Limit.tokenBucket(7, Duration.ofMinutes(1), 1L << 50)),
        rejected(
            "queue: 1125899906842624 (expected: at most 368171999 at 7 permits per PT1M)",
            () -> Limit.leakyBucket(7, Duration.ofMinutes(1), 1L << 50)),
        rejected(
            "queue: -1 (expected: between 0 and 2251799813685247)",
            () -> Limit.leakyBucket(1, SECOND, -1)),
        rejected(
            "burst: 5 (expected: room for the cost of one request, 6)",
            () -> Limit.tokenBucket(1, SECOND, 5).withCost(6)),
        rejected(
            "queue: 5 (expected: room for the cost of one request, 7)",
            () -> Limit.leakyBucket(1, SECOND, 5).withCost(7)),
        rejected(
            "permits: 5 (expected: room for the cost of one request, 6)",
            () -> Limit.fixedWindow(5, SECOND).withCost(6)));
  }

  static Stream<Arguments> invalidClaims() {
    return Stream.of(
        rejected("cost: -1 (expected: between 0 and 2251799813685248)", () -> LIMIT.withCost(-1)),
        rejected(
            "cost: -1 (expected: between 0 and 2251799813685248)", () -> Claim.of(LIMIT, KEY, -1)),
        rejected(
            "cost: 2251799813685249 (expected: between 0 and 2251799813685248)",
            () -> Claim.of(LIMIT, KEY, Claim.MAX_COST + 1)),
        rejected(
            "permit: none (expected: a number that names the holder; use Claim.hold)",
            () -> Claim.of(HELD, KEY)),
        rejected(
            "permit: 7 (expected: none, because the limit is not a concurrency limit)",
            () -> new Claim(LIMIT, KEY, 1, 7)),
        rejected(
            "permit: 0 (expected: a number that only this holder has, and not 0)",
            () -> Claim.hold(HELD, KEY, 0)),
        rejected(
            "permit: 0 (expected: a number that only this holder has, and not 0)",
            () -> new Claim(HELD, KEY, 1, 0)),
        rejected(
            "cost: 0 (expected: at least 1 for a concurrency limit: 0 would hold nothing)",
            () -> Claim.hold(HELD.withCost(0), KEY, 7)),
        rejected(
            "limit: TOKEN_BUCKET 1/PT1S burst 1 (expected: a concurrency limit)",
            () -> Claim.hold(LIMIT, KEY, 7)));
  }

  static Stream<Arguments> invalidRequestsAndStores() {
    return Stream.of(
        rejected(
            "claim 1 limit: TOKEN_BUCKET 5/PT1S burst 5 (expected: TOKEN_BUCKET 1/PT1S burst 1, as in"
                + " claim 0, or another key)",
            () ->
                new MemoryStore()
                    .take(
                        List.of(
                            Claim.of(LIMIT, KEY), Claim.of(Limit.tokenBucket(5, SECOND), KEY)))),
        rejected(
            "claims: 1001 (expected: at most 1000)",
            () -> new MemoryStore().peek(Collections.nCopies(1_001, Claim.of(LIMIT, KEY)))),
        rejected(
            "maxKeys: 0 (expected: between 1 and 1073741824)",
            () -> new MemoryStore(0, Ticker.system())),
        rejected(
            "maxKeys: -1 (expected: between 1 and 1073741824)",
            () -> new MemoryStore(-1, Ticker.system())),
        rejected("secret: 15 bytes (expected: 16)", () -> KeySpace.withSecret(new byte[15])));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource({
    "invalidPermits",
    "invalidWindows",
    "invalidCapacities",
    "invalidClaims",
    "invalidRequestsAndStores"
  })
  void invalidNumbersAreRejected(String message, Supplier<?> making) {
    assertThatThrownBy(making::get)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }
}
