package dev.weir.server;

import static dev.weir.server.RlsClient.about;
import static dev.weir.server.RlsClient.costing;
import static dev.weir.server.RlsClient.limited;
import static dev.weir.server.RlsClient.refunding;
import static dev.weir.server.RlsClient.remaining;
import static dev.weir.server.RlsClient.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.rls.RlsSettings;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import org.junit.jupiter.api.Test;

/** {@code accounting: all_or_none}: a denied request is charged nowhere. */
class RlsAllOrNoneTest extends RlsContract {
  private static final int YEAR = 6;
  private static final RlsSettings ALL_QUOTAS = new RlsSettings(false, true, null, false);
  private static final String YAML =
      """
      domain: shop
      accounting: all_or_none
      descriptors:
        - {key: one, rate_limit: {unit: year, requests_per_unit: 1}}
        - {key: ten, rate_limit: {unit: year, requests_per_unit: 10}}
        - {key: hundred, rate_limit: {unit: year, requests_per_unit: 100}}
        - {key: closed, rate_limit: {unit: year, requests_per_unit: 0}}
        - {key: dark, shadow_mode: true, rate_limit: {unit: year, requests_per_unit: 1}}
        - {key: quota1, quota_mode: true, rate_limit: {unit: year, requests_per_unit: 1}}
        - {key: quota2, quota_mode: true, rate_limit: {unit: year, requests_per_unit: 2}}
        - {key: quota3, quota_mode: true, rate_limit: {unit: year, requests_per_unit: 3}}
        - {key: no-quota, quota_mode: true, rate_limit: {unit: year, requests_per_unit: 0}}
        - {key: dark-quota, quota_mode: true, shadow_mode: true, rate_limit: {unit: year, requests_per_unit: 1}}
        - {key: bucket, rate_limit: {unit: year, requests_per_unit: 2, algorithm: token_bucket}}
      """;

  RlsAllOrNoneTest() {
    super(YAML);
  }

  /** What remains of a limit, by a peek. */
  private int leftOf(String key) {
    return remaining(rls.ask(costing(0, key, me))).get(0);
  }

  @Test
  void exhaustedQuotaThatDeniesChargesNothing() {
    for (int i = 1; i <= 2; i++) {
      assertThat(left(about("quota2", me), about("hundred", me))).containsExactly(2 - i, 100 - i);
    }
    for (int i = 3; i <= 4; i++) {
      RateLimitResponse denied = rls.ask(about("quota2", me), about("hundred", me));
      assertThat(codes(denied)).containsExactly(OVER, OVER, OK);
      assertThat(remaining(denied)).containsExactly(0, 98);
    }
    assertThat(leftOf("hundred")).isEqualTo(98);
  }

  @Test
  void requestPassesWhileOneOfItsQuotasHasRoom() {
    assertThat(left(about("quota1", me), about("quota3", me), about("hundred", me)))
        .containsExactly(0, 2, 99);
    for (int i = 1; i >= 0; i--) {
      RateLimitResponse passed =
          rls.ask(about("quota1", me), about("quota3", me), about("hundred", me));
      assertThat(codes(passed)).containsExactly(OK, OVER, OK, OK);
      assertThat(remaining(passed)).containsExactly(0, i, 97 + i);
    }
    for (int i = 0; i < 2; i++) {
      assertThat(codes(about("quota1", me), about("quota3", me), about("hundred", me)))
          .containsExactly(OVER, OVER, OVER, OK);
    }
    assertThat(leftOf("hundred")).isEqualTo(97);
  }

  @Test
  void exceededLimitChargesNoQuota() {
    left(about("one", me));
    assertThat(codes(about("one", me), about("quota1", me), about("quota2", me)))
        .containsExactly(OVER, OVER, OK, OK);
    assertThat(left(about("quota1", me), about("quota2", me))).containsExactly(0, 1);
  }

  @Test
  void quotaOfZeroIsExhausted() {
    assertThat(codes(about("no-quota", me), about("hundred", me))).containsExactly(OVER, OVER, OK);
    assertThat(codes(about("no-quota", me), about("quota1", me), about("hundred", me)))
        .containsExactly(OK, OVER, OK, OK);
    assertThat(codes(about("no-quota", me), about("quota1", me), about("hundred", me)))
        .containsExactly(OVER, OVER, OVER, OK);
    assertThat(leftOf("hundred")).isEqualTo(99);
  }

  @Test
  void quotaInShadowModeAlwaysHasRoom() {
    for (int i = 1; i <= 3; i++) {
      assertThat(codes(about("dark-quota", me), about("no-quota", me), about("hundred", me)))
          .containsExactly(OK, OK, OVER, OK);
    }
    assertThat(leftOf("hundred")).isEqualTo(97);
  }

  @Test
  void inQuotaModeOnlyLimitsWithRoomAreCharged() {
    with(
        ALL_QUOTAS,
        all -> {
          assertThat(codes(all.ask(about("one", me), about("bucket", me))))
              .containsExactly(OK, OK, OK);
          assertThat(codes(all.ask(about("one", me), about("bucket", me))))
              .containsExactly(OK, OVER, OK);
          assertThat(codes(all.ask(about("one", me), about("bucket", me))))
              .containsExactly(OVER, OVER, OVER);
          assertThat(codes(all.ask(about("one", me), about("nothing", me), about("ten", me))))
              .containsExactly(OK, OVER, OK, OK);
          assertThat(remaining(all.ask(costing(0, "ten", me)))).containsExactly(9);
        });
  }

  @Test
  void exceededShadowLimitDoesNotBlockOtherCharges() {
    left(about("dark", me));
    for (int i = 1; i <= 3; i++) {
      RateLimitResponse passed = rls.ask(about("dark", me), about("hundred", me));
      assertThat(codes(passed)).containsExactly(OK, OK, OK);
      assertThat(remaining(passed)).containsExactly(0, 100 - i);
    }
  }

  @Test
  void deniedRequestIsNotChargedToShadowLimit() {
    assertThat(codes(about("closed", me), about("dark", me))).containsExactly(OVER, OVER, OK);
    assertThat(leftOf("dark")).isEqualTo(1);
  }

  @Test
  void deniedCostIsNotCharged() {
    assertThat(left(costing(8, "ten", me))).containsExactly(2);
    assertThat(codes(costing(5, "ten", me))).containsExactly(OVER, OVER);
    assertThat(left(costing(1, "ten", me))).containsExactly(1);
  }

  /** A denial is cached for a moment, and the store is not called for the limit again. */
  @Test
  void denialReportsStatusOfTheOtherLimits() {
    left(costing(3, "hundred", me));
    left(about("one", me));
    assertThat(codes(about("one", me), about("ten", me))).containsExactly(OVER, OVER, OK);
    assertThat(remaining(rls.ask(about("one", me), about("hundred", me)))).containsExactly(0, 97);
    assertThat(codes(about("one", me), costing(98, "hundred", me)))
        .containsExactly(OVER, OVER, OVER);
    assertThat(leftOf("hundred")).isEqualTo(97);
  }

  @Test
  void overrideAndConfiguredLimitOfOneUnitShareACounter() {
    assertThat(left(limited(2, YEAR, "ten", me))).containsExactly(1);
    assertThat(left(limited(2, YEAR, "ten", me))).containsExactly(0);
    assertThat(codes(limited(2, YEAR, "ten", me))).containsExactly(OVER, OVER);
    assertThat(left(about("ten", me))).containsExactly(7);
    assertThat(left(limited(20, YEAR, "ten", me))).containsExactly(16);
  }

  @Test
  void overrideIsChargedAllOrNone() {
    left(limited(1, YEAR, "ten", me));
    assertThat(codes(limited(1, YEAR, "ten", me), about("hundred", me)))
        .containsExactly(OVER, OVER, OK);
    assertThat(codes(limited(0, YEAR, "ten", me), about("hundred", me)))
        .containsExactly(OVER, OVER, OK);
    assertThat(leftOf("hundred")).isEqualTo(100);
    assertThat(codes(about("closed", me), limited(9, YEAR, "ten", me)))
        .containsExactly(OVER, OVER, OK);
    assertThat(leftOf("ten")).isEqualTo(9);
  }

  @Test
  void twoLimitsOnOneCounterInOneRequestAreBothEnforced() {
    assertThat(left(limited(2, YEAR, "ten", me), limited(5, YEAR, "ten", me)))
        .containsExactly(1, 3);
    assertThat(codes(limited(2, YEAR, "ten", me), limited(5, YEAR, "ten", me)))
        .containsExactly(OVER, OVER, OK);
    assertThat(remaining(rls.ask(costing(0, "ten", me), limited(5, YEAR, "ten", me))))
        .containsExactly(8, 2);
    rls.ask(refunding(1, "ten", me), refunding(1, "ten", me));
    assertThat(leftOf("ten")).isEqualTo(9);
  }

  @Test
  void limitIsNotEvadedByAnotherLimitOnTheSameCounter() {
    left(costing(10, "ten", me));
    for (int i = 0; i < 2; i++) { // the second time the denial is cached
      assertThat(codes(limited(20, YEAR, "ten", me), about("ten", me)))
          .containsExactly(OVER, OK, OVER);
    }
    assertThat(codes(about("ten", me), limited(20, YEAR, "ten", me)))
        .containsExactly(OVER, OVER, OK);
    assertThat(codes(about("closed", me), limited(20, YEAR, "ten", me), about("ten", me)))
        .containsExactly(OVER, OVER, OK, OVER);
    assertThat(left(limited(20, YEAR, "ten", me))).as("nothing was charged").containsExactly(9);
  }

  @Test
  void limitsOnOneCounterAddUp() {
    left(costing(9, "ten", me));
    assertThat(left(about("ten", me), limited(20, YEAR, "ten", me))).containsExactly(0, 9);
    assertThat(left(limited(20, YEAR, "ten", me))).containsExactly(8);
  }

  @Test
  void overrideIsChargedBesideExceededShadowLimitOnTheSameCounter() {
    for (int i = 1; i <= 3; i++) {
      RateLimitResponse passed = rls.ask(limited(20, YEAR, "dark", me), about("dark", me));
      assertThat(codes(passed)).containsExactly(OK, OK, OK);
      assertThat(remaining(passed)).containsExactly(20 - i, 0);
    }
  }

  @Test
  void overrideIsChargedBesideExhaustedQuotaOnTheSameCounter() {
    left(about("quota1", me));
    for (int i = 1; i <= 2; i++) {
      RateLimitResponse passed =
          rls.ask(limited(20, YEAR, "quota1", me), about("quota1", me), about("quota2", me));
      assertThat(codes(passed)).containsExactly(OK, OK, OVER, OK);
      assertThat(remaining(passed)).containsExactly(19 - i, 0, 2 - i);
    }
    assertThat(codes(limited(20, YEAR, "quota1", me), about("quota1", me), about("quota2", me)))
        .containsExactly(OVER, OK, OVER, OVER);
  }

  @Test
  void peekIsOverOnceTheCountExceedsTheLimit() {
    left(about("one", me));
    assertThat(codes(costing(0, "one", me))).as("at the limit").containsExactly(OK, OK);
    left(limited(9, YEAR, "one", me));
    assertThat(codes(costing(0, "one", me))).containsExactly(OVER, OVER);
    assertThat(codes(costing(0, "one", me), about("hundred", me)))
        .as("denied, and so nothing is charged")
        .containsExactly(OVER, OVER, OK);
    assertThat(leftOf("hundred")).isEqualTo(100);
  }

  @Test
  void peekAtQuotasDeniesOnceAllAreOver() {
    left(limited(9, YEAR, "quota1", me), limited(9, YEAR, "quota1", me));
    assertThat(codes(costing(0, "quota1", me), costing(0, "quota2", me), about("hundred", me)))
        .containsExactly(OK, OVER, OK, OK);
    rls.ask(request(limited(9, YEAR, "quota2", me)).setHitsAddend(3));
    assertThat(codes(costing(0, "quota1", me), costing(0, "quota2", me), about("hundred", me)))
        .containsExactly(OVER, OVER, OVER, OK);
    assertThat(leftOf("hundred")).isEqualTo(99);
  }
}
