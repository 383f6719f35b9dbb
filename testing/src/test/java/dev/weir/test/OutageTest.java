package dev.weir.test;

import static dev.weir.test.assertions.WeirAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Limit;
import dev.weir.library.Denial;
import dev.weir.library.Permit;
import dev.weir.library.RateLimitDecision;
import dev.weir.library.RateLimiter;
import dev.weir.library.Weir;
import dev.weir.library.WeirBuilder;
import dev.weir.rule.FailureMode;
import dev.weir.shared.GuardSettings;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of requests while the store of a test fails: what would become of them in Redis. */
@Timeout(60)
class OutageTest {
  private static final Limit THREE_AN_HOUR = Limit.fixedWindow(3, Duration.ofHours(1));
  private static final Duration LONG = Duration.ofMinutes(10);

  private static TestWeir with(FailureMode mode) {
    return TestWeir.with(builder -> builder.onStoreFailure(mode));
  }

  private static void breakStore(BreakableStore store, String how) {
    if (how.equals("fail")) {
      store.fail();
    } else {
      store.hang();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"fail", "hang"})
  void failOpenAllowsWhatIsOverTheLimit(String how) {
    try (TestWeir test = with(FailureMode.ALLOW)) {
      RateLimiter api = test.weir().limiter("api", THREE_AN_HOUR);
      assertThat(api).admits(3, "acme");
      breakStore(test.store(), how);
      assertThat(api.tryAcquire("acme")).isAllowed().isDegraded();
      assertThat(api.tryAcquireAsync("acme").join()).isAllowed().isDegraded();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"fail", "hang"})
  void failClosedDeniesWhatIsUnderTheLimit(String how) {
    try (TestWeir test = with(FailureMode.DENY)) {
      RateLimiter api = test.weir().limiter("api", THREE_AN_HOUR);
      breakStore(test.store(), how);
      assertThat(api.tryAcquire("acme"))
          .isDeniedBy("api")
          .isDeniedBecause(Denial.Reason.STORE_UNAVAILABLE)
          .isDegraded();
      test.store().recover();
      test.time().advance(Duration.ofSeconds(1));
      assertThat(api.tryAcquire("acme")).isAllowed().isNotDegraded().hasRemaining(2);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"fail", "hang"})
  void localCountsInThisProcess(String how) {
    try (TestWeir test = with(FailureMode.LOCAL)) {
      RateLimiter api = test.weir().limiter("api", THREE_AN_HOUR);
      assertThat(api).admits(1, "acme");
      breakStore(test.store(), how);
      assertThat(api).admits(2, "acme").thenDenies("acme");
      assertThat(api.tryAcquire("acme")).isDenied().isDegraded();
    }
  }

  @Test
  void localGrantsAreChargedToTheStoreWhenItIsBack() {
    try (TestWeir test = with(FailureMode.LOCAL)) {
      RateLimiter api = test.weir().limiter("api", THREE_AN_HOUR);
      test.store().fail();
      assertThat(api).admits(2, "acme");
      test.store().recover();
      test.time().advance(Duration.ofSeconds(2));
      assertThat(api.tryAcquire("acme")).isAllowed().isNotDegraded().hasRemaining(0);
    }
  }

  /** A cached denial holds until the window ends, whatever becomes of the store. */
  @Test
  void callerOverTheLimitStaysDeniedDuringAnOutage() {
    try (TestWeir test = with(FailureMode.ALLOW)) {
      RateLimiter api = test.weir().limiter("api", THREE_AN_HOUR);
      assertThat(api).admits(3, "acme").thenDenies("acme");
      test.store().fail();
      assertThat(api.tryAcquire("acme")).isDenied().isNotDegraded();
      test.time().advance(Duration.ofHours(1));
      assertThat(api.tryAcquire("acme")).isAllowed().isDegraded();
    }
  }

  @Test
  void circuitBreakerOpensAndClosesWithAHealthProbe() {
    try (TestWeir test = with(FailureMode.ALLOW)) {
      RateLimiter api = test.weir().limiter("api", THREE_AN_HOUR);
      test.store().fail();
      for (int i = 0; i < GuardSettings.DEFAULT.consecutiveFailures(); i++) {
        assertThat(api.tryAcquire("acme")).isDegraded();
      }
      assertThat(test.weir().store().answering()).isFalse();
      test.store().recover();
      assertThat(api.tryAcquire("acme")).as("the breaker is open").isDegraded();
      test.time().advance(Duration.ofSeconds(1));
      assertThat(test.weir().store().answering()).isTrue();
      assertThat(api.tryAcquire("acme")).isAllowed().isNotDegraded().hasRemaining(2);
    }
  }

  @Test
  void hangingCallFailsAtItsDeadlineOnTheClockOfTheTest() {
    try (TestWeir test = with(FailureMode.ALLOW)) {
      RateLimiter api = test.weir().limiter("api", THREE_AN_HOUR);
      test.store().hang(LONG);
      CompletableFuture<RateLimitDecision> pending = api.tryAcquireAsync("acme");
      test.time().advance(GuardSettings.DEFAULT.deadline().minusMillis(1));
      assertThat(pending).isNotDone();
      test.time().advance(Duration.ofMillis(1));
      assertThat(pending.join()).isAllowed().isDegraded();
    }
  }

  @Test
  void deadlineOfTheApplicationIsKept() {
    Consumer<WeirBuilder> slow =
        builder -> builder.guard(GuardSettings.DEFAULT.withDeadline(Duration.ofMillis(80)));
    try (TestWeir test = TestWeir.with(slow)) {
      test.store().hang(LONG);
      RateLimiter api = test.weir().limiter("api", THREE_AN_HOUR);
      CompletableFuture<RateLimitDecision> pending = api.tryAcquireAsync("acme");
      test.time().advance(Duration.ofMillis(79));
      assertThat(pending).isNotDone();
      test.time().advance(Duration.ofMillis(1));
      assertThat(pending.join()).isDegraded();
    }
  }

  @Test
  void recoveryEndsCallsThatHangAndCountsNoneOfThem() {
    try (TestWeir test = with(FailureMode.ALLOW)) {
      RateLimiter api = test.weir().limiter("api", THREE_AN_HOUR);
      test.store().hang(LONG);
      CompletableFuture<RateLimitDecision> pending = api.tryAcquireAsync("acme");
      assertThat(pending).isNotDone();
      test.store().recover();
      assertThat(pending.join()).isAllowed().isDegraded();
      assertThat(api.tryAcquire("acme")).isAllowed().isNotDegraded().hasRemaining(2);
    }
  }

  @Test
  void cancelledCallHoldsNoPermit() {
    try (TestWeir test = with(FailureMode.LOCAL)) {
      var exports = test.weir().concurrency("exports", 1, Duration.ofMinutes(5));
      test.store().hang(LONG);
      CompletableFuture<Permit> pending = exports.enterAsync("acme", Duration.ofMinutes(1));
      pending.cancel(false);
      test.store().recover();
      test.time().advance(Duration.ofSeconds(1));
      assertThat(exports).hasFree(1, "acme");
    }
  }

  @Test
  void renewedStoreHasNoCountersAndNoOutage() {
    try (TestWeir test = with(FailureMode.LOCAL)) {
      RateLimiter api = test.weir().limiter("api", THREE_AN_HOUR);
      var exports = test.weir().concurrency("exports", 1, Duration.ofDays(1));
      assertThat(exports.tryEnter("acme")).isPresent();
      assertThat(api).admits(3, "acme");
      test.store().fail();
      assertThat(api.tryAcquire("acme")).isDenied();
      for (int i = 0; i < GuardSettings.DEFAULT.consecutiveFailures(); i++) {
        assertThat(api.tryAcquire("acme")).isDegraded();
      }
      test.store().renew();
      assertThat(api.tryAcquire("acme")).isAllowed().isNotDegraded().hasRemaining(2);
      assertThat(exports).hasFree(1, "acme");
      test.store().fail();
      assertThat(api.tryAcquire("acme")).isAllowed().isDegraded().hasRemaining(1);
    }
  }

  @Test
  void realTimeOfAHangingCallIsBounded() {
    BreakableStore store = new BreakableStore(new WeirTime());
    for (Duration wrong : new Duration[] {Duration.ZERO, Duration.ofHours(1).plusMillis(1)}) {
      assertThatThrownBy(() -> store.hang(wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("real time in ms: " + wrong.toMillis() + " (expected: ");
    }
  }

  @Test
  void storeSaysWhatItIs() {
    try (TestWeir test = with(FailureMode.LOCAL)) {
      Weir weir = test.weir();
      assertThat(weir.store()).hasToString("breakable store of a test");
      test.store().fail();
      test.time().advance(Duration.ofSeconds(3));
      assertThat(weir.store()).hasToString("breakable store of a test (not answering)");
    }
  }
}
