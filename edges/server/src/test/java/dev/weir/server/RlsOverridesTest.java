package dev.weir.server;

import static dev.weir.server.RlsClient.about;
import static dev.weir.server.RlsClient.limited;
import static dev.weir.server.RlsClient.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Limit overrides of clients. Units by their numbers: 1 to 7 are second to day, month, year, week.
 */
class RlsOverridesTest extends RlsContract {
  private static final int SECOND = 1;
  private static final int HOUR = 3;
  private static final int DAY = 4;
  private static final int MONTH = 5;
  private static final int YEAR = 6;
  private static final int WEEK = 7;
  private static final String YAML =
      """
      domain: shop
      descriptors:
        - {key: one, rate_limit: {unit: year, requests_per_unit: 1, name: just-one}}
        - {key: free, rate_limit: {unlimited: true}}
        - {key: dark, shadow_mode: true, rate_limit: {unit: year, requests_per_unit: 1}}
        - {key: quota, quota_mode: true, rate_limit: {unit: year, requests_per_unit: 1}}
        - {key: vip, rate_limit: {unit: year, requests_per_unit: 9, replaces: [{name: just-one}]}}
        - {key: files, value: /f/*, share_threshold: true, rate_limit: {unit: year, requests_per_unit: 9}}
      """;

  RlsOverridesTest() {
    super(YAML);
  }

  @Test
  void overrideReplacesTheConfiguredLimit() {
    assertThat(left(limited(2, YEAR, "one", me))).containsExactly(1);
    assertThat(left(limited(2, YEAR, "one", me))).containsExactly(0);
    DescriptorStatus denied = rls.ask(limited(2, YEAR, "one", me)).getStatuses(0);
    assertThat(denied.getCode()).isEqualTo(OVER);
    assertThat(denied.getCurrentLimit().getRequestsPerUnit()).isEqualTo(2);
    assertThat(denied.getCurrentLimit().getName()).isEmpty();
  }

  @Test
  void overrideOfTheSameUnitSharesTheConfiguredCounter() {
    left(limited(5, YEAR, "one", me));
    assertThat(codes(about("one", me))).containsExactly(OVER, OVER);
    assertThat(left(limited(5, YEAR, "one", me))).containsExactly(2);
  }

  @Test
  void overrideAppliesToUnmatchedDescriptor() {
    assertThat(left(limited(1, DAY, "nothing", me))).containsExactly(0);
    assertThat(codes(limited(1, DAY, "nothing", me))).containsExactly(OVER, OVER);
    assertThat(codes(about("nothing", me))).containsExactly(OK, OK);
  }

  @Test
  void overrideAppliesToUnlimitedDescriptor() {
    assertThat(codes(limited(0, SECOND, "free", me))).containsExactly(OVER, OVER);
    assertThat(codes(about("free", me))).containsExactly(OK, OK);
  }

  @Test
  void overrideIsIgnoredInUnknownDomain() {
    RateLimitResponse reply = rls.ask(request(limited(0, SECOND, "one", me)).setDomain("nowhere"));
    assertThat(codes(reply)).containsExactly(OK, OK);
    assertThat(reply.getStatuses(0).hasCurrentLimit()).isFalse();
  }

  @Test
  void overrideWithoutEntriesAppliesToTheDomain() {
    assertThat(codes(limited(1, DAY))).containsExactly(OK, OK);
    assertThat(codes(limited(1, DAY))).containsExactly(OVER, OVER);
    assertThat(codes(limited(1, MONTH))).containsExactly(OK, OK);
    assertThat(codes(about())).containsExactly(OK, OK);
  }

  @Test
  void overrideDoesNotInheritShadowQuotaOrName() {
    assertThat(codes(limited(0, DAY, "dark", me))).containsExactly(OVER, OVER);
    assertThat(codes(limited(0, DAY, "quota", me), about("quota", me))).startsWith(OVER);
    RateLimitResponse reply = rls.ask(about("vip", me), limited(4, DAY, "one", me));
    assertThat(reply.getStatuses(1).getCurrentLimit().getRequestsPerUnit()).isEqualTo(4);
    RateLimitResponse replaced = rls.ask(limited(4, DAY, "vip", me), about("one", me));
    assertThat(replaced.getStatuses(1).getCurrentLimit().getName()).isEqualTo("just-one");
  }

  @Test
  void overrideCountsEachValueOfASharedPatternSeparately() {
    assertThat(codes(limited(1, DAY, "files", "/f/" + me))).containsExactly(OK, OK);
    assertThat(codes(limited(1, DAY, "files", "/f/" + me + "x"))).containsExactly(OK, OK);
  }

  @Test
  void unitsNeverShareACounter() {
    for (int unit = SECOND; unit <= WEEK; unit++) {
      assertThat(codes(limited(1, unit, "one", me))).containsExactly(OK, OK);
    }
    assertThat(codes(about("one", me))).containsExactly(OVER, OVER);
  }

  @Test
  void sameEntriesWithTwoUnitsInOneRequestAreCountedOnceEach() {
    RateLimitResponse both = rls.ask(limited(1, DAY, "one", me), limited(1, MONTH, "one", me));
    assertThat(codes(both)).containsExactly(OK, OK, OK);
    assertThat(codes(limited(1, DAY, "one", me), limited(2, MONTH, "one", me)))
        .containsExactly(OVER, OVER, OK);
  }

  @ParameterizedTest
  @ValueSource(ints = {SECOND, 2, HOUR, DAY, MONTH, YEAR, WEEK})
  void everyUnitIsReportedAsSent(int unit) {
    long[] seconds = {0, 1, 60, 3_600, 86_400, 30 * 86_400, 365 * 86_400, 7 * 86_400};
    DescriptorStatus status = rls.ask(limited(5, unit, "one", me)).getStatuses(0);
    assertThat(status.getCurrentLimit().getUnitValue()).isEqualTo(unit);
    long window = seconds[unit];
    long end = window - System.currentTimeMillis() / 1_000 % window;
    long reported = status.getDurationUntilReset().getSeconds();
    // The store may be in the next window already, or still in the previous one.
    assertThat(reported).isBetween(1L, window);
    assertThat(Math.min(Math.abs(reported - end), window - Math.abs(reported - end)))
        .isLessThan(10);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 8, 99, -1})
  void unknownUnitIsRejectedAndChargesNothing(int unit) {
    if (!way.json || unit == 0) {
      String reason = rls.complaint(request(about("one", me), limited(1, unit, "one", "s3cret")));
      assertThat(reason).contains("unit").contains("(expected: ").doesNotContain("s3cret");
    }
    assertThat(left(about("one", me))).containsExactly(0);
  }

  @Test
  void largestNumberIsAccepted() {
    RateLimitResponse reply = rls.ask(limited(0xFFFF_FFFF, SECOND, "one", me));
    assertThat(codes(reply)).containsExactly(OK, OK);
    assertThat(reply.getStatuses(0).getCurrentLimit().getRequestsPerUnit()).isEqualTo(0xFFFF_FFFF);
    assertThat(reply.getStatuses(0).getLimitRemaining()).isEqualTo(0xFFFF_FFFE);
  }
}
