package dev.weir.test.assertions;

import static dev.weir.test.assertions.WeirAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Limit;
import dev.weir.library.ConcurrencyLimiter;
import dev.weir.library.Denial;
import dev.weir.library.Permit;
import dev.weir.library.RateLimitDecision;
import dev.weir.library.RateLimiter;
import dev.weir.library.Weir;
import dev.weir.test.BreakableStore;
import dev.weir.test.WeirExtension;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the assertions accept, and what they say of the rest. */
@ExtendWith(WeirExtension.class)
class WeirAssertionsTest {
  private static final Limit TWO_AN_HOUR = Limit.fixedWindow(2, Duration.ofHours(1));

  private static void fails(ThrowingCallable assertion, String... lines) {
    assertThatThrownBy(assertion)
        .isInstanceOf(AssertionError.class)
        .message()
        .isEqualToNormalizingNewlines(String.join("\n", lines));
  }

  @Test
  void allowedDecision(Weir weir) {
    RateLimitDecision allowed = weir.limiter("api", TWO_AN_HOUR).tryAcquire("acme");
    assertThat(allowed).isAllowed().hasRemaining(1).isNotDegraded().isDelayedBy(Duration.ZERO);
    String was = " but was: allowed, 1 remaining";
    fails(() -> assertThat(allowed).isDenied(), "", "Expected decision: denied", was);
    fails(
        () -> assertThat(allowed).as("second login").hasRemaining(9),
        "[second login] ",
        "Expected decision: 9 remaining",
        was);
    fails(
        () -> assertThat(allowed).isDeniedBy("api"),
        "",
        "Expected decision: denied by \"api\"",
        was);
    fails(
        () -> assertThat(allowed).retriesAfter(Duration.ofSeconds(1)),
        "",
        "Expected decision: denied, retry after PT1S",
        was);
    fails(() -> assertThat(allowed).isDegraded(), "", "Expected decision: degraded", was);
  }

  @Test
  void deniedDecision(Weir weir) {
    RateLimiter api = weir.limiter("api", TWO_AN_HOUR);
    assertThat(api).admits(2, "acme");
    RateLimitDecision denied = api.tryAcquire("acme");
    assertThat(denied)
        .isDenied()
        .isDeniedBy("api")
        .isDeniedBecause(Denial.Reason.LIMIT_REACHED)
        .retriesAfter(Duration.ofHours(1));
    String was =
        " but was: denied by \"api\" (LIMIT_REACHED, FIXED_WINDOW 2/PT1H), retry after PT1H";
    fails(() -> assertThat(denied).isAllowed(), "", "Expected decision: allowed", was);
    fails(
        () -> assertThat(denied).isDeniedBy("login"),
        "",
        "Expected decision: denied by \"login\"",
        was);
    fails(
        () -> assertThat(denied).isDeniedBecause(Denial.Reason.BLOCKED),
        "",
        "Expected decision: denied because of BLOCKED",
        was);
    fails(
        () -> assertThat(denied).isDelayedBy(Duration.ZERO),
        "",
        "Expected decision: allowed, delayed by PT0S",
        was);
  }

  @Test
  void degradedDecision(Weir weir, BreakableStore store) {
    store.fail();
    RateLimitDecision degraded = weir.limiter("api", TWO_AN_HOUR).tryAcquire("acme");
    assertThat(degraded).isAllowed().isDegraded();
    fails(
        () -> assertThat(degraded).isNotDegraded(),
        "",
        "Expected decision: not degraded",
        " but was: allowed, 1 remaining, degraded");
  }

  @Test
  void delayedDecision(Weir weir) {
    RateLimiter drip = weir.limiter("drip", Limit.leakyBucket(1, Duration.ofSeconds(1), 5));
    assertThat(drip.tryAcquire("acme")).isAllowed().isDelayedBy(Duration.ZERO);
    assertThat(drip.tryAcquire("acme")).isAllowed().isDelayedBy(Duration.ofSeconds(1));
  }

  @Test
  void rateLimiter(Weir weir) {
    RateLimiter api = weir.limiter("api", TWO_AN_HOUR);
    assertThat(api).admits(2, "acme").thenDenies("acme").admits(2, "other");
    fails(
        () -> assertThat(api).admits(3, "third"),
        "",
        "Expected limiter \"api\" to admit 3 requests of \"third\"",
        " but request 3 was: denied by \"api\" (LIMIT_REACHED, FIXED_WINDOW 2/PT1H), retry after"
            + " PT1H");
    fails(
        () -> assertThat(api).admits(1, "fourth").thenDenies("fourth"),
        "",
        "Expected limiter \"api\" to deny a request of \"fourth\"",
        " but it was: allowed, 0 remaining");
  }

  @Test
  void concurrencyLimiter(Weir weir) {
    ConcurrencyLimiter exports = weir.concurrency("exports", 3, Duration.ofMinutes(1));
    try (Permit held = exports.tryEnter("acme").orElseThrow()) {
      assertThat(held.renew()).isTrue();
      assertThat(exports).hasFree(2, "acme").hasFree(2, "acme").hasFree(3, "other");
      fails(
          () -> assertThat(exports).hasFree(3, "acme"),
          "",
          "Expected limiter \"exports\" to have 3 free permits of \"acme\"",
          " but it has: 2");
      fails(
          () -> assertThat(exports).hasFree(1, "acme"),
          "",
          "Expected limiter \"exports\" to have 1 free permits of \"acme\"",
          " but it has: more");
    }
    assertThat(exports).hasFree(3, "acme");
  }
}
