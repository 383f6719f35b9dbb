package dev.weir.server;

import static dev.weir.server.RlsClient.about;
import static dev.weir.server.RlsClient.costing;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.rls.RlsSettings;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.RateLimit.Unit;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Extensions beyond the configuration files of envoyproxy/ratelimit. */
class RlsExtensionsTest extends RlsContract {
  private static final String YAML =
      """
      domain: shop
      descriptors:
        - {key: user, rate_limit: {unit: year, requests_per_unit: 3}}
        - {key: one, rate_limit: {unit: year, requests_per_unit: 1}}
        - {key: spent, quota_mode: true, rate_limit: {unit: year, requests_per_unit: 1}}
        - {key: bucket, rate_limit: {unit: hour, requests_per_unit: 2, algorithm: token_bucket, burst: 5}}
        - {key: leaky, rate_limit: {unit: hour, requests_per_unit: 2, algorithm: leaky_bucket, queue: 1}}
        - {key: log, rate_limit: {unit: day, requests_per_unit: 2, algorithm: sliding_log}}
        - {key: scarce, rate_limit: {unit: day, requests_per_unit: 1, algorithm: sliding_log}}
        - {key: counter, rate_limit: {unit: day, requests_per_unit: 2, algorithm: sliding_counter}}
        - {key: fixed, rate_limit: {unit: day, requests_per_unit: 2, algorithm: fixed_window}}
        - {key: five, rate_limit: {unit: day, unit_multiplier: 5, requests_per_unit: 2}}
        - {key: per, rate_limit: {per: 36h, requests_per_unit: 2}}
        - {key: month, rate_limit: {per: month in Asia/Tokyo, requests_per_unit: 2}}
        - {key: closed, rate_limit: {unit: day, requests_per_unit: 0, algorithm: sliding_log}}
        - {key: first, rate_limit: {unit: year, requests_per_unit: 1, priority: 9, name: first}}
      """;
  private static final String ALL_OR_NONE =
      """
      domain: shop
      accounting: all_or_none
      descriptors:
        - {key: user, rate_limit: {unit: year, requests_per_unit: 3}}
        - {key: one, rate_limit: {unit: year, requests_per_unit: 1}}
        - {key: closed, rate_limit: {unit: year, requests_per_unit: 0}}
        - {key: dark, shadow_mode: true, rate_limit: {unit: year, requests_per_unit: 1}}
        - {key: quota, quota_mode: true, rate_limit: {unit: year, requests_per_unit: 1}}
      """;

  RlsExtensionsTest() {
    super(YAML);
  }

  @Test
  void everyTallyIsChargedWhateverTheOutcome() {
    left(about("one", me));
    assertThat(codes(about("one", me), about("user", me))).containsExactly(OVER, OVER, OK);
    assertThat(left(about("user", me))).containsExactly(1);
  }

  /** Limits that are charged all or none wait for the tallies, which may deny the request. */
  @Test
  void bucketIsNotChargedIfWindowDeniesTheRequest() {
    left(about("one", me));
    assertThat(codes(about("one", me), about("bucket", me))).containsExactly(OVER, OVER, OK);
    assertThat(codes(about("spent", me), about("bucket", me))).containsExactly(OK, OK, OK);
    for (int i = 0; i < 3; i++) {
      assertThat(codes(about("spent", me), about("bucket", me))).containsExactly(OVER, OVER, OK);
    }
    assertThat(RlsClient.remaining(rls.ask(costing(0, "bucket", me)))).containsExactly(4);
  }

  private void allOrNone(Consumer<RlsCaller> test) {
    try (TestServer served = serve(ALL_OR_NONE);
        RlsCaller other = client(served)) {
      test.accept(other);
    }
  }

  @Test
  void allOrNoneChargesNothingIfOneHasNoRoom() {
    allOrNone(
        other -> {
          other.ask(about("one", me));
          assertThat(codes(other.ask(about("user", me), about("one", me))))
              .containsExactly(OVER, OK, OVER);
          assertThat(codes(other.ask(about("user", me), about("closed", me))))
              .containsExactly(OVER, OK, OVER);
          assertThat(RlsClient.remaining(other.ask(about("user", me)))).containsExactly(2);
        });
  }

  @Test
  void allOrNoneChargesNothingForExcessiveCost() {
    allOrNone(
        other -> {
          assertThat(codes(other.ask(costing(4, "user", me)))).containsExactly(OVER, OVER);
          assertThat(codes(other.ask(costing(3, "user", me)))).containsExactly(OK, OK);
          assertThat(codes(other.ask(costing(0, "user", me)))).containsExactly(OK, OK);
        });
  }

  @Test
  void allOrNoneIsNotBlockedByShadowOrQuota() {
    allOrNone(
        other -> {
          other.ask(about("dark", me), about("quota", me));
          assertThat(codes(other.ask(about("user", me), about("dark", me))))
              .containsExactly(OK, OK, OK);
          assertThat(RlsClient.remaining(other.ask(costing(0, "user", me)))).containsExactly(2);
        });
  }

  @Test
  void tokenBucketAllowsBurstAndReportsNextPermit() {
    assertThat(codes(costing(5, "bucket", me))).containsExactly(OK, OK);
    DescriptorStatus denied = rls.ask(about("bucket", me)).getStatuses(0);
    assertThat(denied.getCode()).isEqualTo(OVER);
    assertThat(denied.getDurationUntilReset().getSeconds()).isBetween(1_790L, 1_800L);
    assertThat(denied.getCurrentLimit().getRequestsPerUnit()).isEqualTo(2);
    assertThat(denied.getCurrentLimit().getUnit()).isEqualTo(Unit.HOUR);
  }

  @Test
  void otherAlgorithmsEnforceTheirLimits() {
    for (String key : List.of("log", "counter", "fixed", "five", "per", "month")) {
      assertThat(left(about(key, me))).as(key).containsExactly(1);
      assertThat(left(about(key, me))).as(key).containsExactly(0);
      assertThat(codes(about(key, me))).as(key).containsExactly(OVER, OVER);
      assertThat(codes(about(key, me + "x"))).as(key).containsExactly(OK, OK);
    }
    assertThat(codes(about("leaky", me))).containsExactly(OK, OK);
    assertThat(codes(costing(9, "leaky", me))).containsExactly(OVER, OVER);
  }

  @Test
  void ownAlgorithmsAreChargedAllOrNone() {
    left(about("scarce", me));
    assertThat(codes(about("log", me), about("scarce", me))).containsExactly(OVER, OK, OVER);
    assertThat(left(about("log", me))).containsExactly(1);
    assertThat(codes(about("log", me), about("closed", me))).containsExactly(OVER, OK, OVER);
    assertThat(left(about("log", me))).containsExactly(0);
  }

  @Test
  void tallyIsChargedEvenIfOwnAlgorithmDenies() {
    left(about("scarce", me));
    codes(about("scarce", me), about("user", me));
    assertThat(left(about("user", me))).containsExactly(1);
  }

  @Test
  void windowOfSeveralUnitsIsAligned() {
    DescriptorStatus status = rls.ask(about("five", me)).getStatuses(0);
    assertReset(status, 5 * 86_400 - System.currentTimeMillis() / 1_000 % (5 * 86_400));
    assertThat(status.getCurrentLimit().getUnit()).isEqualTo(Unit.DAY);
  }

  @Test
  void windowOfAnyLengthIsReportedInTheNearestUnit() {
    DescriptorStatus status = rls.ask(about("per", me)).getStatuses(0);
    assertReset(status, 36 * 3_600 - System.currentTimeMillis() / 1_000 % (36 * 3_600));
    assertThat(status.getCurrentLimit().getUnit()).isEqualTo(Unit.DAY);
  }

  @Test
  void calendarMonthEndsInItsTimeZone() {
    ZoneId tokyo = ZoneId.of("Asia/Tokyo");
    DescriptorStatus status = rls.ask(about("month", me)).getStatuses(0);
    ZonedDateTime end = LocalDate.now(tokyo).withDayOfMonth(1).plusMonths(1).atStartOfDay(tokyo);
    assertReset(status, ChronoUnit.SECONDS.between(ZonedDateTime.now(tokyo), end));
    assertThat(status.getCurrentLimit().getUnit()).isEqualTo(Unit.MONTH);
  }

  private static void assertReset(DescriptorStatus status, long seconds) {
    assertThat(status.getDurationUntilReset().getSeconds()).isBetween(seconds - 5, seconds + 10);
  }

  @Test
  void priorityDecidesWhichDenialIsShown() {
    left(about("one", me), about("first", me));
    with(
        new RlsSettings(false, false, new RlsSettings.Headers("L", "M", "N"), false),
        other -> {
          RateLimitResponse denied =
              other.ask(costing(2, "first", me), costing(2, "user", me), costing(9, "user", me));
          assertThat(codes(denied)).containsExactly(OVER, OVER, OK, OVER);
          assertThat(denied.getResponseHeadersToAdd(0).getValue()).isEqualTo("1");
        });
  }
}
