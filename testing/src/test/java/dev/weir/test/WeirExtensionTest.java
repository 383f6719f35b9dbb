package dev.weir.test;

import static dev.weir.test.assertions.WeirAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Limit;
import dev.weir.library.RateLimitDecision;
import dev.weir.library.RateLimiter;
import dev.weir.library.Weir;
import dev.weir.rule.FailureMode;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What tests have, in all the ways in which JUnit runs them. */
@Timeout(60)
class WeirExtensionTest {
  private static final Limit ONE_AN_HOUR = Limit.fixedWindow(1, Duration.ofHours(1));

  @RegisterExtension final WeirExtension test = WeirExtension.inMemory();

  private RateLimiter api = limiter(Weir.inMemory());

  private static RateLimiter limiter(Weir weir) {
    return weir.limiter("api", ONE_AN_HOUR);
  }

  @BeforeEach
  void makeLimiter(Weir weir) {
    api = limiter(weir);
  }

  @AfterEach
  void weirIsOpenUntilTheEnd(Weir weir) {
    assertThat(weir.limiter("last", ONE_AN_HOUR)).admits(1, "acme");
  }

  @Test
  void parametersAreThoseOfTheTest(Weir weir, WeirTime time, BreakableStore store) {
    assertThat(weir).isSameAs(test.weir());
    assertThat(time).isSameAs(test.time());
    assertThat(store).isSameAs(test.store());
  }

  @RepeatedTest(3)
  void eachTestHasAWeirAndATimeOfItsOwn() {
    assertThat(test.time().nanos()).isZero();
    assertThat(api).admits(1, "acme").thenDenies("acme");
    test.time().advance(Duration.ofHours(1));
    assertThat(api).admits(1, "acme");
  }

  @Test
  void waitingCallerGoesOnWhenTheClockReachesItsTurn() {
    assertThat(api).admits(1, "acme");
    CompletableFuture<RateLimitDecision> waiting = api.acquireAsync("acme", Duration.ofHours(2));
    test.time().advance(Duration.ofMinutes(59));
    assertThat(waiting).isNotDone();
    test.time().advance(Duration.ofMinutes(1));
    assertThat(waiting.join()).isAllowed();
  }

  @Nested
  class InANestedClass {
    @Test
    void extensionOfTheOuterClassServes(WeirTime time) {
      assertThat(time).isSameAs(test.time());
      assertThat(api).admits(1, "acme").thenDenies("acme");
    }

    @Nested
    class InAnother {
      @RepeatedTest(2)
      void eachTestHasItsOwn() {
        assertThat(api).admits(1, "acme").thenDenies("acme");
      }
    }
  }

  @Nested
  class WithSettings {
    @RegisterExtension
    final WeirExtension failClosed =
        WeirExtension.inMemory(builder -> builder.onStoreFailure(FailureMode.DENY));

    @Test
    void settingsOfTheInnermostExtensionAreKept(Weir weir) {
      assertThat(weir).isSameAs(failClosed.weir()).isNotSameAs(test.weir());
      failClosed.store().hang();
      assertThat(limiter(weir).tryAcquire("acme")).isDenied().isDegraded();
      failClosed.store().recover();
    }
  }

  @Nested
  @TestInstance(Lifecycle.PER_CLASS)
  class WithOneInstance {
    @RegisterExtension final WeirExtension shared = WeirExtension.inMemory();

    @RepeatedTest(3)
    void eachTestHasItsOwn() {
      assertThat(limiter(shared.weir())).admits(1, "acme").thenDenies("acme");
      assertThatThrownBy(WeirExtension.inMemory()::weir)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith("WeirExtension: 0 tests running (expected: 1;");
    }
  }

  /** Two tests of one instance that are certain to overlap. */
  @Nested
  @TestInstance(Lifecycle.PER_CLASS)
  @Execution(ExecutionMode.CONCURRENT)
  @ExtendWith(WeirExtension.class)
  class AtTheSameTime {
    @RegisterExtension final WeirExtension shared = WeirExtension.inMemory();
    private final CyclicBarrier both = new CyclicBarrier(2);

    @Test
    void one(Weir weir, WeirTime time) throws Exception {
      hasItsOwn(weir, time);
    }

    @Test
    void other(Weir weir, WeirTime time) throws Exception {
      hasItsOwn(weir, time);
    }

    private void hasItsOwn(Weir weir, WeirTime time) throws Exception {
      both.await(50, TimeUnit.SECONDS);
      assertThat(limiter(weir)).admits(1, "acme").thenDenies("acme");
      assertThatThrownBy(shared::weir).hasMessageContaining("2 tests running (expected: 1;");
      both.await(50, TimeUnit.SECONDS);
      time.advance(Duration.ofHours(1));
      assertThat(limiter(weir)).admits(1, "acme").thenDenies("acme");
      assertThat(time.nanos()).isEqualTo(Duration.ofHours(1).toNanos());
    }
  }
}
