package dev.weir.library.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.library.RateLimiter;
import dev.weir.library.RulesLimiter;
import dev.weir.library.WebRequest;
import dev.weir.rule.Allowance;
import dev.weir.rules.yaml.RulesText;
import dev.weir.testkit.redis.Await;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Limits of single callers that come from the application. */
@Timeout(120)
class LimitSourceTest extends LimitSourceFixture {
  @Test
  void callersHaveTheirOwnLimitsFromTheFirstRequestOn() {
    RulesLimiter limiter =
        limiter(
            (rule, caller) ->
                switch (caller.getOrDefault("tenant", "")) {
                  case "acme" -> perHour(5);
                  case "small" -> perHour(1);
                  case "banned" -> Optional.of(Allowance.BLOCKED);
                  case "owner" -> Optional.of(Allowance.UNLIMITED);
                  default -> Optional.empty();
                });
    assertThat(admitted(limiter, "acme")).isEqualTo(5);
    assertThat(admitted(limiter, "small")).isEqualTo(1);
    assertThat(admitted(limiter, "banned")).isZero();
    assertThat(admitted(limiter, "owner")).isEqualTo(100);
    assertThat(admitted(limiter, "somebody")).isEqualTo(2);
    assertThat(asked).as("questions, one for each caller").hasValue(5);
  }

  @Test
  void everyWayToAskWaitsForTheAnswer() {
    RulesLimiter limiter = limiter((rule, caller) -> perHour(3));
    assertThat(limiter.checkAsync(from("a")).join().remaining()).isEqualTo(2);
    assertThat(limiter.admit(from("b")).decision().orElseThrow().remaining()).isEqualTo(2);
    assertThat(limiter.admitAsync(from("c")).join().decision().orElseThrow().remaining())
        .isEqualTo(2);
    assertThat(limiter.explain(from("d")).get(0).limits()).contains("3");
    assertThat(limiter.explain(from("d")).get(0).remaining()).hasValue(3);
  }

  @Test
  void severalLimitsAllApply() {
    RulesLimiter limiter =
        limiter(
            (rule, caller) ->
                Optional.of(
                    Allowance.of(
                        Limit.fixedWindow(3, Duration.ofMinutes(1)),
                        Limit.fixedWindow(5, Duration.ofHours(1)))));
    assertThat(admitted(limiter, "acme")).isEqualTo(3);
    scheduler.advance(Duration.ofSeconds(59));
    ticker.advance(Duration.ofSeconds(1));
    assertThat(admitted(limiter, "acme")).isEqualTo(2);
  }

  @Test
  void oldLimitsStayInUseUntilNewOnesAreThere() {
    AtomicInteger permits = new AtomicInteger(4);
    RulesLimiter limiter = limiter((rule, caller) -> perHour(permits.get()));
    assertThat(limiter.check(from("acme")).remaining()).isEqualTo(3);
    permits.set(10);
    assertThat(limiter.check(from("acme")).remaining()).isEqualTo(2);
    assertThat(asked).hasValue(1);
    scheduler.advance(Duration.ofMinutes(1));
    assertThat(limiter.check(from("acme")).remaining()).isIn(1L, 7L);
    Await.until("asked again", SOON, () -> asked.get() == 2);
    Await.until("new", SOON, () -> limiter.explain(from("acme")).get(0).remaining().orElse(0) == 7);
  }

  @Test
  void sourceSeesWhatEachValueIsReadFrom() {
    String rules =
        """
        identity: {tenant: header X-Tenant, caller: [tenant, ip]}
        lint-ignore: forgeable-key
        rules: [{name: pairs, per: [caller, path], limit: 2/hour}]
        """;
    Set<Map<String, String>> seen = ConcurrentHashMap.newKeySet();
    RulesLimiter limiter =
        weir.rules(RulesText.of("rules.yaml", rules))
            .limitsFrom(
                new Source(
                    Set.of("pairs"),
                    (rule, caller) -> {
                      seen.add(caller);
                      return Optional.empty();
                    }));
    limiter.check(from("acme"));
    limiter.check(WebRequest.of("GET", "/").from("192.0.2.1"));
    assertThat(seen)
        .containsExactlyInAnyOrder(
            Map.of("caller", "acme", "header x-tenant", "acme", "path", "/"),
            Map.of("caller", "192.0.2.1", "ip", "192.0.2.1", "path", "/"));
  }

  @Test
  void callerThatIsAbsentOrListedIsNotAskedAbout() {
    String listed =
        """
        identity: {tenant: header X-Tenant}
        lint-ignore: forgeable-key
        rules:
          - {name: each-tenant, per: tenant, limit: 2/hour, algorithm: fixed-window,
             overrides: {acme: 7/hour}}
        """;
    RulesLimiter limiter =
        weir.rules(RulesText.of("rules.yaml", listed))
            .limitsFrom(new Source(Set.of("each-tenant"), (rule, caller) -> perHour(50)));
    assertThat(limiter.check(from("acme")).remaining()).isEqualTo(6);
    assertThat(limiter.check(WebRequest.of("GET", "/")).remaining()).isEqualTo(1);
    assertThat(asked).hasValue(0);
    assertThat(limiter.check(from("other")).remaining()).isEqualTo(49);
  }

  @Test
  void callsUseLimitsAsSoonAsTheyAreKnown() {
    RulesLimiter limiter =
        limiter(
            new Source(
                Set.of("mail"),
                (rule, caller) -> "acme".equals(caller.get("key")) ? perHour(9) : perHour(1)));
    RateLimiter mail = limiter.limiter("mail");
    Await.until("known", SOON, () -> mail.peek("acme").remaining() == 9);
    Await.until("known", SOON, () -> mail.peek("other").remaining() == 1);
    assertThat(mail.tryAcquire("acme").remaining()).isEqualTo(8);
    assertThat(mail.cost(8).tryAcquire("acme").allowed()).isTrue();
    assertThat(mail.tryAcquire("acme").allowed()).isFalse();
  }
}
