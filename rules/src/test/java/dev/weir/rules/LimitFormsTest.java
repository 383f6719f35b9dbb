package dev.weir.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The spellings of limits. */
class LimitFormsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "10/s                           | TOKEN_BUCKET 10/PT1S burst 10",
        "10/sec                         | TOKEN_BUCKET 10/PT1S burst 10",
        "10/second                      | TOKEN_BUCKET 10/PT1S burst 10",
        "10 per second                  | TOKEN_BUCKET 10/PT1S burst 10",
        "10 / Second                    | TOKEN_BUCKET 10/PT1S burst 10",
        "10 requests per second         | TOKEN_BUCKET 10/PT1S burst 10",
        "1 request per second           | TOKEN_BUCKET 1/PT1S burst 1",
        "10 req/s                       | TOKEN_BUCKET 10/PT1S burst 10",
        "10 reqs / 5s                   | TOKEN_BUCKET 10/PT5S burst 10",
        "10 Requests/day in UTC         | FIXED_WINDOW 10/day in UTC",
        "10 per 5 seconds               | TOKEN_BUCKET 10/PT5S burst 10",
        "10/500ms                       | TOKEN_BUCKET 10/PT0.5S burst 10",
        "10/min                         | TOKEN_BUCKET 10/PT1M burst 10",
        "10/hr                          | TOKEN_BUCKET 10/PT1H burst 10",
        "1_000/hours                    | TOKEN_BUCKET 1000/PT1H burst 1000",
        "10/day                         | TOKEN_BUCKET 10/PT24H burst 10",
        "10/2w                          | TOKEN_BUCKET 10/PT336H burst 10",
        "10/day in UTC                  | FIXED_WINDOW 10/day in UTC",
        "10/week in Europe/Berlin       | FIXED_WINDOW 10/week in Europe/Berlin",
        "10/month                       | FIXED_WINDOW 10/month in UTC",
        "10/month from day 15           | FIXED_WINDOW 10/month from day 15 in UTC",
        "10/month from day 31 in Asia/Tokyo | FIXED_WINDOW 10/month from day 31 in Asia/Tokyo",
        "10/year in UTC                 | FIXED_WINDOW 10/year in UTC",
      })
  void rateIsParsedInEverySpelling(String written, String limit) throws Exception {
    assertThat(limits("limit: " + written)).containsExactly(limit);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "limit: 10/s, burst: \"20\"     | TOKEN_BUCKET 10/PT1S burst 20",
        "limit: 10/s, burst: 2_000      | TOKEN_BUCKET 10/PT1S burst 2000",
        "limit: 10/s, algorithm: Token-Bucket | TOKEN_BUCKET 10/PT1S burst 10",
        "limit: 10/s, algorithm: leaky-bucket | LEAKY_BUCKET 10/PT1S queue 10",
        "limit: 10/s, algorithm: leaky-bucket, queue: 0 | LEAKY_BUCKET 10/PT1S queue 0",
        "limit: 10/s, algorithm: fixed-window | FIXED_WINDOW 10/PT1S",
        "limit: 10/s, algorithm: sliding-log  | SLIDING_LOG 10/PT1S",
        "limit: 10/s, algorithm: sliding-counter | SLIDING_COUNTER 10/PT1S",
        "concurrent: 5                  | CONCURRENCY 5/PT1M",
        "concurrent: 5, expires: 10 s   | CONCURRENCY 5/PT10S",
      })
  void optionsOfARuleApplyToItsLimit(String written, String limit) throws Exception {
    assertThat(limits(written)).containsExactly(limit);
  }

  @Test
  void severalLimitsHaveOptionsOfTheirOwn() throws Exception {
    assertThat(limits("limit: [{limit: 100/m, algorithm: sliding-log}, {limit: 9/s, burst: 20}]"))
        .containsExactly("TOKEN_BUCKET 9/PT1S burst 20", "SLIDING_LOG 100/PT1M");
    assertThat(limits("limit: [100/m, {concurrent: 3, expires: 5s}]"))
        .containsExactly("CONCURRENCY 3/PT5S", "TOKEN_BUCKET 100/PT1M burst 100");
    assertThat(limits("limit: 100/m, concurrent: 3"))
        .containsExactlyInAnyOrder("CONCURRENCY 3/PT1M", "TOKEN_BUCKET 100/PT1M burst 100");
  }

  @Test
  void countersDoNotDependOnTheOrderOfLimits() throws Exception {
    String rule = "rules: [{name: a, limit: %s}]";
    var one = TestRules.snapshot(String.format(rule, "[9/s, 100/m, 1000/h]"));
    var other = TestRules.snapshot(String.format(rule, "[1000/h, 9/s, 100/m]"));
    FakeRequest request = FakeRequest.get("/");
    assertThat(one.match(request, 0).claims()).isEqualTo(other.match(request, 0).claims());
  }

  @Test
  void dayInAZoneStartsAtItsMidnight() throws Exception {
    Limit berlin = only("limit: 10/day in Europe/Berlin");
    assertThat(window(berlin, "2025-07-01T21:59:59Z"))
        .containsExactly(
            Instant.parse("2025-06-30T22:00:00Z"), Instant.parse("2025-07-01T22:00:00Z"));
    assertThat(window(berlin, "2025-10-26T12:00:00Z"))
        .as("a day of 25 hours")
        .containsExactly(
            Instant.parse("2025-10-25T22:00:00Z"), Instant.parse("2025-10-26T23:00:00Z"));
  }

  @Test
  void billingMonthStartsOnItsDayOrTheLastOfAShortMonth() throws Exception {
    Limit billed = only("limit: 10/month from day 31");
    assertThat(window(billed, "2025-03-01T00:00:00Z"))
        .containsExactly(
            Instant.parse("2025-02-28T00:00:00Z"), Instant.parse("2025-03-31T00:00:00Z"));
  }

  private static List<Instant> window(Limit limit, String at) {
    Instant instant = Instant.parse(at);
    long start = limit.windowStartMicros(instant.getEpochSecond() * 1_000_000);
    long end = limit.windowEndMicros(start);
    return List.of(
        Instant.ofEpochSecond(start / 1_000_000), Instant.ofEpochSecond(end / 1_000_000));
  }

  private static Limit only(String rule) throws RulesRejected {
    var rules = TestRules.load("rules: [{name: a, " + rule + "}]").book().rules();
    return rules.get(0).allowance().limits().get(0);
  }

  private static List<String> limits(String rule) throws RulesRejected {
    var rules = TestRules.load("rules: [{name: a, " + rule + "}]").book().rules();
    return rules.get(0).allowance().limits().stream().map(Limit::toString).toList();
  }
}
