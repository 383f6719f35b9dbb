package dev.weir.rules;

import static dev.weir.rules.TestEnvoy.load;
import static dev.weir.rules.TestEnvoy.match;
import static dev.weir.rules.TestEnvoy.rate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Algorithm;
import dev.weir.Limit;
import dev.weir.rule.FailureMode;
import dev.weir.rules.domain.Domain;
import dev.weir.rules.domain.DomainRule;
import dev.weir.rules.domain.Unit;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class EnvoyFormatTest {
  private static DomainRule.Rate rateOf(DomainRule rule) {
    return Objects.requireNonNull(rule.rate());
  }

  private static Limit limitOf(String rate) throws RulesRejected {
    return rateOf(rate(rate)).limits().get(0);
  }

  @Test
  void fileWithEveryFeatureLoadsWithoutWarning() throws Exception {
    RuleSet rules =
        TestRules.load(Files.readString(TestEnvoy.RESOURCES.resolve("everything.yaml")));
    assertThat(rules.warnings()).isEmpty();
    assertThat(rules.book().rules()).isEmpty();
    Domain shop = rules.domains().domain("shop").orElseThrow();
    assertThat(shop.size()).isEqualTo(14);
    assertThat(shop.rules().stream().map(DomainRule::path))
        .containsExactly(
            "shop.remote_address",
            "shop.remote_address_198.51.100.9",
            "shop.route_/files/*/raw.method",
            "shop.plan_gold",
            "shop.plan_silver",
            "shop.plan_5",
            "shop.plan_true",
            "shop.health",
            "shop.login",
            "shop.api",
            "shop.api.even",
            "shop.api.bill");
  }

  @Test
  void ruleHasTheFieldsOfItsDescriptor() throws Exception {
    RuleSet rules =
        TestRules.load(Files.readString(TestEnvoy.RESOURCES.resolve("everything.yaml")));
    Domain shop = rules.domains().domain("shop").orElseThrow();
    DomainRule gold = match(shop, "plan=gold").orElseThrow().rule();
    assertThat(gold.name()).isEqualTo("gold");
    assertThat(gold.replaces()).containsExactlyInAnyOrder("files", "silver");
    assertThat(gold.enforcement().quota()).isTrue();
    assertThat(gold.enforcement().shadow()).isFalse();
    assertThat(gold.enforcement().failureMode()).isEqualTo(FailureMode.LOCAL);
    assertThat(rateOf(gold).requestsPerUnit()).isEqualTo(16);
    assertThat(gold.reporting().metadata())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "tier",
                1L,
                "weights",
                Arrays.asList(0.5, 2L, null),
                "labels",
                Map.of("team", "web", "on", true)));
    DomainRule silver = match(shop, "plan=silver").orElseThrow().rule();
    assertThat(silver.enforcement().shadow()).isTrue();
    assertThat(rateOf(match(shop, "plan=true").orElseThrow().rule()).unit()).isEqualTo(Unit.MONTH);
    assertThat(match(shop, "plan=5").orElseThrow().rule().name()).isEqualTo("silver");
    assertThat(match(shop, "remote_address=10.0.0.7")).as("lets pass").isEmpty();
    assertThat(match(shop, "health=x").orElseThrow().rule().isUnlimited()).isTrue();
    DomainRule login = match(shop, "login=x").orElseThrow().rule();
    assertThat(login.enforcement().failureMode()).isEqualTo(FailureMode.DENY);
    assertThat(login.reporting().priority()).isEqualTo(10);
    assertThat(match(shop, "route=/files/7/raw method=GET").orElseThrow())
        .satisfies(match -> assertThat(match.rule().reporting().detailed()).isTrue())
        .satisfies(match -> assertThat(match.metric()).isEqualTo("route_/files/*/raw.method_GET"))
        .satisfies(match -> assertThat(match.counted().get(0).value()).isEqualTo("/files/*/raw"));
  }

  @Test
  void unitsAreFixedWindowsFromTheEpoch() throws Exception {
    Map<String, Duration> units =
        Map.of(
            "second", Duration.ofSeconds(1),
            "Minute", Duration.ofMinutes(1),
            "HOUR", Duration.ofHours(1),
            "day", Duration.ofDays(1),
            "week", Duration.ofDays(7),
            "month", Duration.ofDays(30),
            "yEaR", Duration.ofDays(365));
    long now = Instant.parse("2026-11-16T08:30:12.345678Z").getEpochSecond() * 1_000_000 + 345_678;
    for (var unit : units.entrySet()) {
      DomainRule.Rate rate = rateOf(rate("unit: " + unit.getKey() + ", requests_per_unit: 3"));
      Limit limit = rate.limits().get(0);
      assertThat(limit.algorithm()).isEqualTo(Algorithm.FIXED_WINDOW);
      assertThat(limit.permits()).isEqualTo(3);
      assertThat(limit.window()).as(unit.getKey()).isEqualTo(unit.getValue());
      assertThat(limit.calendar()).isEmpty();
      assertThat(limit.windowStartMicros(now))
          .isEqualTo(now / limit.windowMicros() * limit.windowMicros());
      assertThat(rate.unit().duration()).isEqualTo(unit.getValue());
      assertThat(rate.requestsPerUnit()).isEqualTo(3);
      assertThat(rate.strict()).isFalse();
    }
  }

  @Test
  void zeroRequestsPerUnitBlocksEverything() throws Exception {
    DomainRule.Rate rate = rateOf(rate("unit: hour, requests_per_unit: 0"));
    assertThat(rate.isBlocked()).isTrue();
    assertThat(rate.requestsPerUnit()).isEqualTo(0);
    assertThat(rate.unit()).isEqualTo(Unit.HOUR);
    assertThat(rateOf(rate("unit: hour, requests_per_unit: 1")).isBlocked()).isFalse();
  }

  @Test
  void numbersAreUnsigned32BitInAnyBase() throws Exception {
    Map<String, Long> numbers =
        Map.of(
            "4294967295", 4_294_967_295L,
            "1_000", 1_000L,
            "0xff", 255L,
            "0b101", 5L,
            "0o17", 15L,
            "017", 15L,
            "+7", 7L);
    for (var number : numbers.entrySet()) {
      assertThat(rateOf(rate("unit: day, requests_per_unit: " + number.getKey())).requestsPerUnit())
          .as(number.getKey())
          .isEqualTo(number.getValue());
    }
  }

  @Test
  void valueIsTheTextOfAnyScalar() throws Exception {
    for (String value :
        List.of("5", "0x1F", "true", "yes", "1.2.3.4", "2026-11-16", "12:30", "007")) {
      Domain domain = load("key: a, value: " + value + ", rate_limit: {unlimited: on}");
      assertThat(match(domain, "a=" + value)).as(value).isPresent();
      assertThat(match(domain, "a=other")).as(value).isEmpty();
    }
    assertThat(match(load("key: a, value: '1.5', rate_limit: {unlimited: yes}"), "a=1.5"))
        .isPresent();
  }

  @Test
  void mergeKeysAndAnchorsWork() throws Exception {
    Domain domain =
        load(
            "<<: &base {key: a, value: x, rate_limit: {unit: day, requests_per_unit: 1}}, value: b",
            "<<: [{value: c}, *base]");
    assertThat(domain.rules().stream().map(DomainRule::path))
        .containsExactly("shop.a_b", "shop.a_c");
  }

  @Test
  void unitMultiplierMakesLongerWindowsFromTheEpoch() throws Exception {
    DomainRule.Rate rate = rateOf(rate("requests_per_unit: 7, unit: minute, unit_multiplier: 5"));
    assertThat(rate.limits().get(0)).isEqualTo(Limit.fixedWindow(7, Duration.ofMinutes(5)));
    assertThat(rate.unit()).isEqualTo(Unit.MINUTE);
    assertThat(rate.strict()).isFalse();
  }

  @Test
  void perTakesTheWindowsOfRulesFiles() throws Exception {
    assertThat(limitOf("requests_per_unit: 7, per: 10s"))
        .isEqualTo(Limit.fixedWindow(7, Duration.ofSeconds(10)));
    assertThat(rateOf(rate("requests_per_unit: 7, per: 10s")).unit()).isEqualTo(Unit.MINUTE);
    Limit month = limitOf("requests_per_unit: 7, per: month from day 15 in Europe/Berlin");
    assertThat(month.calendar().orElseThrow()).hasToString("month from day 15 in Europe/Berlin");
    assertThat(limitOf("requests_per_unit: 7, per: day in Asia/Tokyo").calendar()).isPresent();
    assertThat(rateOf(rate("requests_per_unit: 7, per: day in Asia/Tokyo")))
        .satisfies(rate -> assertThat(rate.unit()).isEqualTo(Unit.DAY))
        .satisfies(rate -> assertThat(rate.strict()).isFalse());
  }

  @Test
  void algorithmsOtherThanFixedWindowAreStrict() throws Exception {
    String rate = "requests_per_unit: 7, unit: second, algorithm: ";
    assertThat(limitOf(rate + "token_bucket"))
        .isEqualTo(Limit.tokenBucket(7, Duration.ofSeconds(1)));
    assertThat(limitOf(rate + "token-bucket, burst: 9"))
        .isEqualTo(Limit.tokenBucket(7, Duration.ofSeconds(1), 9));
    assertThat(limitOf(rate + "leaky_bucket, queue: 3"))
        .isEqualTo(Limit.leakyBucket(7, Duration.ofSeconds(1), 3));
    assertThat(limitOf(rate + "sliding_log")).isEqualTo(Limit.slidingLog(7, Duration.ofSeconds(1)));
    assertThat(limitOf(rate + "sliding_counter"))
        .isEqualTo(Limit.slidingCounter(7, Duration.ofSeconds(1)));
    assertThat(rateOf(rate(rate + "token_bucket")).strict()).isTrue();
    assertThat(rateOf(rate(rate + "fixed_window")).strict()).isFalse();
  }

  @Test
  void accountingOfADomainIsConfigurable() throws Exception {
    String yaml = TestEnvoy.shop("key: a, rate_limit: {unit: day, requests_per_unit: 1}");
    for (var one : Map.of("each", false, "all_or_none", true, "all-or-none", true).entrySet()) {
      RuleSet rules = TestRules.load(yaml + "accounting: " + one.getKey() + "\n");
      assertThat(rateOf(rules.domains().rules().get(0)).strict())
          .as(one.getKey())
          .isEqualTo(one.getValue());
    }
  }
}
