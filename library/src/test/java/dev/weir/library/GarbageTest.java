package dev.weir.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Claim;
import dev.weir.Limit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What makes no sense is rejected where it enters, with what was expected. */
@SuppressWarnings({"NullAway", "FutureReturnValueIgnored"}) // what careless callers do
class GarbageTest {
  private static final Limit TWO_A_MINUTE = Limit.fixedWindow(2, Duration.ofMinutes(1));

  private final Weir weir = Weir.inMemory();
  private final RateLimiter api = weir.limiter("api", TWO_A_MINUTE);
  private final ConcurrencyLimiter exports = weir.concurrency("exports", 1, Duration.ofMinutes(1));

  @AfterEach
  void close() {
    weir.close();
  }

  private static void assertRejected(Runnable call, String message) {
    assertThatThrownBy(call::run).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
  }

  /** Everything that takes a key. */
  private List<Consumer<String>> callsWithKey() {
    return List.of(
        api::tryAcquire,
        api::tryAcquireAsync,
        key -> acquire(key, Duration.ZERO),
        key -> api.acquireAsync(key, Duration.ZERO),
        key -> api.reserve(key, 1).close(),
        key -> api.reserveAsync(key, 1),
        api::peek,
        api::refund,
        api::charge,
        api::reset,
        api::request,
        key -> api.decorate(key, () -> "done"),
        key -> api.decorateStage(key, () -> null),
        exports::tryEnter,
        exports::tryEnterAsync,
        key -> enter(key, Duration.ZERO),
        key -> exports.enterAsync(key, Duration.ZERO));
  }

  private RateLimitDecision acquire(String key, Duration atMost) {
    try {
      return api.acquire(key, atMost);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private Permit enter(String key, Duration atMost) {
    try {
      return exports.enter(key, atMost);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void keysAreTextsOfBoundedLength() {
    String huge = "k".repeat(1_000_000);
    for (Consumer<String> call : callsWithKey()) {
      assertRejected(() -> call.accept(null), "key: null (expected: a text)");
      assertRejected(() -> call.accept(""), "key: empty (expected: at least one character)");
      assertRejected(
          () -> call.accept(huge), "key: 1000000 characters (expected: at most 8192 characters)");
    }
  }

  @Test
  void oddKeysHaveCountersOfTheirOwn() {
    for (String key :
        List.of(" ", "\n", "\0", "(unusable)", "*", "a b", "ключ", "\ud800", "k".repeat(8_192))) {
      assertThat(api.cost(2).tryAcquire(key).allowed()).as(key).isTrue();
      assertThat(api.tryAcquire(key).allowed()).as(key).isFalse();
    }
  }

  @Test
  void waitsAreNotNegative() {
    String message = "atMost: PT-1S (expected: zero or more)";
    Duration negative = Duration.ofSeconds(-1);
    assertRejected(() -> acquire("acme", negative), message);
    assertRejected(() -> api.acquireAsync("acme", negative), message);
    assertRejected(() -> enter("acme", negative), message);
    assertRejected(() -> exports.enterAsync("acme", negative), message);
    assertRejected(() -> acquire("acme", null), "atMost: null (expected: a value)");
    assertThat(acquire("acme", Duration.ofSeconds(Long.MAX_VALUE)).allowed()).isTrue();
  }

  @Test
  void costsAreInRange() {
    for (long wrong : new long[] {-1, Claim.MAX_COST + 1, Long.MIN_VALUE, Long.MAX_VALUE}) {
      String message = "cost: " + wrong + " (expected: between 0 and " + Claim.MAX_COST + ")";
      assertRejected(() -> api.cost(wrong), message);
      assertRejected(() -> api.reserve("acme", wrong), message);
      assertRejected(() -> api.reserveAsync("acme", wrong), message);
    }
    assertThat(api.cost(0).tryAcquire("acme").remaining()).as("free").isEqualTo(2);
    try (Reservation nothing = api.reserve("acme", 0)) {
      assertThat(nothing.decision().allowed()).isTrue();
    }
    RateLimiter huge = api.cost(Claim.MAX_COST);
    assertThat(huge.tryAcquire("acme").denial().orElseThrow().reason())
        .isEqualTo(Denial.Reason.COST_ABOVE_LIMIT);
    huge.charge("acme");
    assertThat(api.tryAcquire("acme").allowed()).isFalse();
    huge.refund("acme");
    api.reset("acme");
    assertThat(api.peek("acme").remaining()).isEqualTo(2);
  }

  @Test
  void namesAreWordsOfBoundedLength() {
    for (String name : Arrays.asList("", " ", "a b", "a/b", "é", ".", "-a", "a".repeat(101))) {
      assertRejected(
          () -> weir.limiter(name, TWO_A_MINUTE),
          "name: " + name + " (expected: letters, digits, dots, dashes, underscores; at most 100)");
    }
    assertRejected(() -> weir.limiter(null, TWO_A_MINUTE), "name: null (expected: a value)");
    assertRejected(
        () -> weir.concurrency(null, 1, Duration.ofSeconds(1)), "name: null (expected: a value)");
  }

  @Test
  void limitsArePresent() {
    assertRejected(() -> weir.limiter("a", (Limit[]) null), "limits: null (expected: a value)");
    assertRejected(() -> weir.limiter("a", (Limit) null), "limit: null (expected: a value)");
    assertRejected(() -> weir.concurrency("a", 1, null), "expiry: null (expected: a value)");
    assertThatThrownBy(() -> weir.concurrency("a", 0, Duration.ofSeconds(1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> weir.concurrency("a", 1, Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void requestsTogetherAreSomeAndOfOneWeir() {
    assertRejected(() -> weir.all(), "requests: none (expected: at least one)");
    assertRejected(() -> weir.all((LimitRequest) null), "request: null (expected: a value)");
    assertRejected(() -> new LimitRequest(null, "acme"), "limiter: null (expected: a value)");
    try (Weir other = Weir.inMemory()) {
      LimitRequest foreign = other.limiter("theirs", TWO_A_MINUTE).request("acme");
      assertRejected(() -> weir.all(foreign), "request: theirs (expected: a limiter of this Weir)");
      assertRejected(
          () -> weir.allAsync(foreign), "request: theirs (expected: a limiter of this Weir)");
    }
    LimitRequest[] many = new LimitRequest[1_001];
    Arrays.fill(many, api.request("acme"));
    assertThatThrownBy(() -> weir.all(many))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("limits of all requests: 1001 (expected: between 1 and ");
    // The same counter twice costs twice.
    assertThat(weir.all(api.request("acme"), api.request("acme")).remaining()).isZero();
    assertThat(weir.allAsync(api.request("acme")).join().allowed()).isFalse();
  }

  @Test
  void settingsArePresent() {
    assertRejected(() -> Weir.redis(null), "url: null (expected: a value)");
    assertRejected(() -> Weir.builder().executor(null), "executor: null (expected: a value)");
    assertRejected(() -> Weir.builder().ticker(null), "ticker: null (expected: a value)");
    assertRejected(() -> weir.rules((Path) null), "file: null (expected: a value)");
  }
}
