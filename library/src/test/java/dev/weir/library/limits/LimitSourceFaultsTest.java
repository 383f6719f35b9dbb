package dev.weir.library.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Limit;
import dev.weir.library.RulesLimiter;
import dev.weir.library.web.Admission;
import dev.weir.rule.Allowance;
import dev.weir.rules.yaml.RulesText;
import dev.weir.testkit.redis.Await;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sources that fail, are slow or cannot be, and floods of callers. */
@Timeout(120)
class LimitSourceFaultsTest extends LimitSourceFixture {
  @Test
  void failureLeavesTheLimitsOfTheRuleAndIsRepeatedLater() {
    AtomicInteger failures = new AtomicInteger(1);
    RulesLimiter limiter =
        limiter(
            (rule, caller) -> {
              if (failures.getAndDecrement() > 0) {
                throw new IllegalStateException("planted: the database is down");
              }
              return perHour(5);
            });
    assertThat(limiter.check(from("acme")).remaining()).isEqualTo(1);
    assertThat(limiter.check(from("acme")).remaining()).isZero();
    assertThat(asked).hasValue(1);
    scheduler.advance(Duration.ofSeconds(5));
    Await.until(
        "own limits", SOON, () -> limiter.explain(from("acme")).get(0).remaining().orElse(0) == 3);
    assertThat(asked).hasValue(2);
  }

  @Test
  void concurrencyPermitsFromASourceAreRefused() {
    RulesLimiter limiter =
        limiter(
            (rule, caller) ->
                Optional.of(Allowance.of(Limit.concurrent(100, Duration.ofMinutes(1)))));
    assertThat(admitted(limiter, "acme")).isEqualTo(2);
  }

  @Test
  void slowSourceHoldsARequestForItsTimeOnly() throws Exception {
    CountDownLatch answer = new CountDownLatch(1);
    RulesLimiter limiter =
        limiter(
            (rule, caller) -> {
              awaitQuietly(answer);
              return perHour(5);
            });
    CompletableFuture<Admission> first = limiter.admitAsync(from("acme"));
    var second = limiter.checkAsync(from("acme"));
    assertThat(first).isNotDone();
    assertThat(second).isNotDone();
    scheduler.advance(Duration.ofMinutes(1));
    assertThat(first.get().allowed()).isTrue();
    assertThat(second.get().remaining()).isLessThanOrEqualTo(1); // by the rule
    assertThat(limiter.checkAsync(from("acme"))).as("waits no more").isDone();
    answer.countDown();
    Await.until(
        "own limits", SOON, () -> limiter.explain(from("acme")).get(0).remaining().orElse(0) == 3);
  }

  @Test
  void cancelledRequestThatWaitsIsNotCharged() {
    CountDownLatch answer = new CountDownLatch(1);
    RulesLimiter limiter =
        limiter(
            (rule, caller) -> {
              awaitQuietly(answer);
              return perHour(5);
            });
    List<CompletableFuture<?>> waiting =
        List.of(limiter.admitAsync(from("acme")), limiter.checkAsync(from("acme")));
    waiting.forEach(one -> assertThat(one.cancel(false)).isTrue());
    answer.countDown();
    assertThat(limiter.check(from("acme")).remaining()).isEqualTo(4);
  }

  @Test
  void floodOfCallersAsksAFewQuestionsAtATimeAndIsDecided() {
    AtomicInteger running = new AtomicInteger();
    AtomicInteger mostRunning = new AtomicInteger();
    CountDownLatch answer = new CountDownLatch(1);
    RulesLimiter limiter =
        limiter(
            (rule, caller) -> {
              mostRunning.accumulateAndGet(running.incrementAndGet(), Math::max);
              awaitQuietly(answer);
              running.decrementAndGet();
              return Optional.empty();
            });
    int held = CallerLimitCache.MAX_THREADS + CallerLimitCache.MAX_WAITING;
    for (int i = 0; i < held; i++) {
      assertThat(limiter.checkAsync(from("t" + i))).isNotDone();
    }
    for (int i = held; i < held + 1_000; i++) {
      assertThat(limiter.checkAsync(from("t" + i)).join().allowed()).isTrue();
    }
    answer.countDown();
    assertThat(limiter.check(from("t0")).allowed()).isTrue();
    assertThat(mostRunning.get()).isBetween(1, CallerLimitCache.MAX_THREADS);
  }

  @Test
  void sourceForRulesThatCannotHaveItIsRefused() {
    RulesLimiter rules = weir.rules(RulesText.of("rules.yaml", RULES));
    String field = Source.class.getName() + ".rules: ";
    assertRefused(rules, Set.of(), field + "none (expected: at least one rule)");
    assertRefused(
        rules,
        Set.of("each-tenent"),
        field + "each-tenent (expected: one of each-tenant, shared, in-flight, mail)");
    assertRefused(
        rules,
        Set.of("shared"),
        field + "shared (expected: a rule with per, so that it knows callers)");
    assertRefused(
        rules, Set.of("in-flight"), field + "in-flight (expected: a rule without concurrent)");
  }

  private void assertRefused(RulesLimiter rules, Set<String> names, String message) {
    assertThatThrownBy(
            () -> rules.limitsFrom(new Source(names, (rule, caller) -> Optional.empty())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void durationsOutOfRangeAreRefused() {
    RulesLimiter rules = weir.rules(RulesText.of("rules.yaml", RULES));
    LimitSource never =
        new Source(Set.of("each-tenant"), (rule, caller) -> Optional.empty()) {
          @Override
          public Duration refreshAfter() {
            return Duration.ZERO;
          }
        };
    assertThatThrownBy(() -> rules.limitsFrom(never))
        .hasMessage("refreshAfter: PT0S (expected: from 1 ns to a day)");
  }
}
