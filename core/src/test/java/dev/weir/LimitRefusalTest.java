package dev.weir;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.weir.key.KeySpace;
import dev.weir.memory.MemoryStore;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every wrong configuration is refused when it is made, in words that name field, value and remedy.
 */
class LimitRefusalTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration TEN_THOUSAND_YEARS = Duration.ofDays(3_652_500);
  private static final Limit LIMIT = Limit.tokenBucket(1, SECOND);
  private static final Limit HELD = Limit.concurrent(1, SECOND);
  private static final LimitKey KEY = new LimitKey(1, 2);

  private static Arguments refused(String message, Supplier<?> making) {
    return arguments(message, making);
  }

  static Stream<Arguments> wrong() {
    String permits = " (expected: between 1 and 2251799813685248)";
    String window = " (expected: whole microseconds, more than 0, at most PT87840H)";
    return Stream.of(
        refused("permits: 0" + permits, () -> Limit.tokenBucket(0, SECOND)),
        refused("permits: -5" + permits, () -> Limit.tokenBucket(-5, SECOND)),
        refused(
            "permits: " + Long.MAX_VALUE + permits,
            () -> Limit.tokenBucket(Long.MAX_VALUE, SECOND)),
        refused("permits: 0" + permits, () -> Limit.leakyBucket(0, SECOND, 1)),
        refused("permits: 0" + permits, () -> Limit.fixedWindow(0, SECOND)),
        refused(
            "permits: " + Long.MIN_VALUE + permits,
            () -> Limit.fixedWindow(Long.MIN_VALUE, SECOND)),
        refused("permits: 0" + permits, () -> Limit.slidingLog(0, SECOND)),
        refused(
            "permits: 1001 (expected: at most 1000 for a sliding log, which remembers each one;"
                + " use a sliding counter or a token bucket)",
            () -> Limit.slidingLog(1_001, SECOND)),
        refused(
            "permits: 0 (expected: between 1 and 2147483647)",
            () -> Limit.slidingCounter(0, SECOND)),
        refused(
            "permits: 2147483648 (expected: between 1 and 2147483647)",
            () -> Limit.slidingCounter(1L << 31, SECOND)),
        refused(
            "permits: 2147483647 (expected: at most 26062 for a window of PT24H0.000001S)",
            () -> Limit.slidingCounter(Integer.MAX_VALUE, DAY.plusNanos(1_000))),
        refused("permits: 0 (expected: between 1 and 10000)", () -> Limit.concurrent(0, SECOND)),
        refused(
            "permits: 10001 (expected: between 1 and 10000)",
            () -> Limit.concurrent(10_001, SECOND)),
        refused("window: PT0S" + window, () -> Limit.tokenBucket(1, Duration.ZERO)),
        refused("window: PT-1S" + window, () -> Limit.fixedWindow(1, SECOND.negated())),
        refused(
            "window: PT0.0000015S" + window, () -> Limit.slidingLog(1, Duration.ofNanos(1_500))),
        refused("window: PT87660000H" + window, () -> Limit.slidingCounter(1, TEN_THOUSAND_YEARS)),
        refused("window: PT87660000H" + window, () -> Limit.leakyBucket(1, TEN_THOUSAND_YEARS, 1)),
        refused(
            "window: " + Duration.ofSeconds(Long.MAX_VALUE) + window,
            () -> Limit.fixedWindow(1, Duration.ofSeconds(Long.MAX_VALUE))),
        refused("expiry: PT0S" + window, () -> Limit.concurrent(1, Duration.ZERO)),
        refused("burst: 0" + permits, () -> Limit.tokenBucket(1, SECOND, 0)),
        refused("burst: -1" + permits, () -> Limit.tokenBucket(1, SECOND, -1)),
        refused(
            "burst: 2251799813685249" + permits,
            () -> Limit.tokenBucket(1, SECOND, (1L << 51) + 1)),
        refused(
            "burst: 1125899906842624 (expected: at most 368172000 at 7 permits per PT1M)",
            () -> Limit.tokenBucket(7, Duration.ofMinutes(1), 1L << 50)),
        refused(
            "queue: 1125899906842624 (expected: at most 368171999 at 7 permits per PT1M)",
            () -> Limit.leakyBucket(7, Duration.ofMinutes(1), 1L << 50)),
        refused(
            "queue: -1 (expected: between 0 and 2251799813685247)",
            () -> Limit.leakyBucket(1, SECOND, -1)),
        refused(
            "burst: 5 (expected: room for the cost of one request, 6)",
            () -> Limit.tokenBucket(1, SECOND, 5).withCost(6)),
        refused(
            "queue: 5 (expected: room for the cost of one request, 7)",
            () -> Limit.leakyBucket(1, SECOND, 5).withCost(7)),
        refused(
            "permits: 5 (expected: room for the cost of one request, 6)",
            () -> Limit.fixedWindow(5, SECOND).withCost(6)),
        refused("cost: -1 (expected: between 0 and 2251799813685248)", () -> LIMIT.withCost(-1)),
        refused(
            "cost: -1 (expected: between 0 and 2251799813685248)", () -> Claim.of(LIMIT, KEY, -1)),
        refused(
            "cost: 2251799813685249 (expected: between 0 and 2251799813685248)",
            () -> Claim.of(LIMIT, KEY, Claim.MAX_COST + 1)),
        refused(
            "permit: none (expected: a number that names the holder; use Claim.hold)",
            () -> Claim.of(HELD, KEY)),
        refused(
            "permit: 7 (expected: none, because the limit is not a concurrency limit)",
            () -> new Claim(LIMIT, KEY, 1, 7)),
        refused(
            "permit: 0 (expected: a number that only this holder has, and not 0)",
            () -> Claim.hold(HELD, KEY, 0)),
        refused(
            "permit: 0 (expected: a number that only this holder has, and not 0)",
            () -> new Claim(HELD, KEY, 1, 0)),
        refused(
            "cost: 0 (expected: at least 1 for a concurrency limit: 0 would hold nothing)",
            () -> Claim.hold(HELD.withCost(0), KEY, 7)),
        refused(
            "limit: TOKEN_BUCKET 1/PT1S burst 1 (expected: a concurrency limit)",
            () -> Claim.hold(LIMIT, KEY, 7)),
        refused(
            "claim 1 limit: TOKEN_BUCKET 5/PT1S burst 5 (expected: TOKEN_BUCKET 1/PT1S burst 1, as in"
                + " claim 0, or another key)",
            () ->
                new MemoryStore()
                    .take(
                        List.of(
                            Claim.of(LIMIT, KEY), Claim.of(Limit.tokenBucket(5, SECOND), KEY)))),
        refused(
            "claims: 1001 (expected: at most 1000)",
            () -> new MemoryStore().look(Collections.nCopies(1_001, Claim.of(LIMIT, KEY)))),
        refused(
            "maxKeys: 0 (expected: between 1 and 1073741824)",
            () -> new MemoryStore(0, Ticker.system())),
        refused(
            "maxKeys: -1 (expected: between 1 and 1073741824)",
            () -> new MemoryStore(-1, Ticker.system())),
        refused("secret: 15 bytes (expected: 16)", () -> KeySpace.withSecret(new byte[15])));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("wrong")
  void isRefused(String message, Supplier<?> making) {
    assertThatThrownBy(making::get)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }
}
