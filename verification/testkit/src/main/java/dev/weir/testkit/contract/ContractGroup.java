package dev.weir.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Decision.Verdict;
import dev.weir.Limit;
import dev.weir.LimitKey;
import dev.weir.Store;
import dev.weir.key.KeySpace;
import dev.weir.testkit.time.ManualTicker;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/**
 * The base of all groups of the contract: a store, its clock, unused keys, and verbs for timelines.
 *
 * <p>Each test runs in a separate thread, so that a store which never answers fails the test and
 * does not block the build.
 */
@Timeout(value = 300, threadMode = ThreadMode.SEPARATE_THREAD)
abstract class ContractGroup {
  /** A full hour, so that windows of seconds, minutes and an hour start here. */
  static final long START_MICROS = 1_800_000_000_000_000L;

  final StoreContract contract;
  final ManualTicker ticker = new ManualTicker(START_MICROS);
  final KeySpace keys = KeySpace.random();
  final LimitKey key = keys.key("caller");
  Store store;

  ContractGroup(StoreContract contract) {
    this.contract = contract;
  }

  @BeforeEach
  void createStore() {
    store = contract.create(ticker);
  }

  @AfterEach
  void closeStore() throws Exception {
    if (store instanceof AutoCloseable closeable) {
      closeable.close();
    }
  }

  /** Five permits each ten seconds, by every algorithm that counts a rate. */
  static Stream<Limit> fiveInTenSeconds() {
    Duration window = Duration.ofSeconds(10);
    return Stream.of(
        Limit.tokenBucket(5, window),
        Limit.leakyBucket(5, window, 4),
        Limit.fixedWindow(5, window),
        Limit.slidingLog(5, window),
        Limit.slidingCounter(5, window));
  }

  /** Moves the clock to a time after the start of the test. */
  final void at(Duration sinceStart) {
    ticker.setMicros(START_MICROS);
    ticker.advance(sinceStart);
  }

  final void atSeconds(long sinceStart) {
    at(Duration.ofSeconds(sinceStart));
  }

  static Duration micros(long micros) {
    return Duration.ofSeconds(micros / 1_000_000, micros % 1_000_000 * 1_000);
  }

  final Decision take(Limit limit, long cost) {
    return take(Claim.of(limit, key, cost));
  }

  final Decision peek(Limit limit) {
    return peek(Claim.of(limit, key, 0));
  }

  final Decision charge(Limit limit, long cost) {
    return charge(Claim.of(limit, key, cost));
  }

  final Decision refund(Limit limit, long cost) {
    return refund(Claim.of(limit, key, cost));
  }

  final Decision take(Claim... claims) {
    return store.take(List.of(claims)).join();
  }

  final Decision peek(Claim... claims) {
    return store.peek(List.of(claims)).join();
  }

  final Decision charge(Claim... claims) {
    return store.charge(List.of(claims)).join();
  }

  final Decision refund(Claim... claims) {
    return store.refund(List.of(claims)).join();
  }

  final Decision reset(Claim... claims) {
    return store.reset(List.of(claims)).join();
  }

  static void assertAllowed(Decision decision, long remaining) {
    assertThat(decision.verdict()).as("%s", decision).isEqualTo(Verdict.ALLOWED);
    assertThat(decision.remaining()).as("%s", decision).isEqualTo(remaining);
    assertThat(decision.retryAfter()).as("%s", decision).isEmpty();
  }

  static void assertDenied(Decision decision, Duration retryAfter) {
    assertThat(decision.verdict()).as("%s", decision).isEqualTo(Verdict.DENIED);
    assertThat(decision.retryAfter()).as("%s", decision).contains(retryAfter);
    assertThat(decision.delay()).as("%s", decision).isZero();
  }

  static void assertNever(Decision decision) {
    assertThat(decision.verdict()).as("%s", decision).isEqualTo(Verdict.NEVER);
    assertThat(decision.retryAfter()).as("%s", decision).isEmpty();
  }
}
