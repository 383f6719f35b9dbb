package dev.weir.server;

import static dev.weir.server.RlsClient.about;
import static dev.weir.server.RlsClient.costing;
import static dev.weir.server.RlsClient.limited;
import static dev.weir.server.RlsClient.remaining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.rls.RlsSettings;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rules that do not simply deny: shadow, quotas, replacement of other limits, unlimited. */
class RlsModesTest extends RlsContract {
  private static final RlsSettings SHADOW = new RlsSettings(true, false, null, false);
  private static final RlsSettings QUOTA = new RlsSettings(false, true, null, false);
  private static final String YAML =
      """
      domain: shop
      descriptors:
        - {key: one, rate_limit: {unit: year, requests_per_unit: 1}}
        - {key: two, rate_limit: {unit: year, requests_per_unit: 2}}
        - {key: dark, shadow_mode: true, rate_limit: {unit: year, requests_per_unit: 1}}
        - {key: dark-closed, shadow_mode: true, rate_limit: {unit: year, requests_per_unit: 0}}
        - key: dark-log
          shadow_mode: true
          rate_limit: {unit: day, requests_per_unit: 1, algorithm: sliding_log}
        - key: dark-parent
          shadow_mode: true
          rate_limit: {unit: year, requests_per_unit: 1}
          descriptors: [{key: child, rate_limit: {unit: year, requests_per_unit: 1}}]
        - {key: quota, quota_mode: true, rate_limit: {unit: year, requests_per_unit: 1}}
        - {key: quota2, quota_mode: true, rate_limit: {unit: year, requests_per_unit: 2}}
        - {key: usual, rate_limit: {unit: year, requests_per_unit: 1, name: usual}}
        - {key: other, rate_limit: {unit: year, requests_per_unit: 1, name: other}}
        - key: vip
          rate_limit: {unit: year, requests_per_unit: 5, name: vip, replaces: [{name: usual}, {name: other}]}
        - {key: king, rate_limit: {unlimited: true, replaces: [{name: vip}]}}
        - {key: odd, rate_limit: {unit: year, requests_per_unit: 5, replaces: [{name: nobody}]}}
        - {key: free, rate_limit: {unlimited: true, name: free}}
      """;

  RlsModesTest() {
    super(YAML);
  }

  @Test
  void shadowRuleCountsAndDeniesNothing() {
    for (String key : List.of("dark", "dark-log")) {
      assertThat(left(about(key, me))).containsExactly(0);
      RateLimitResponse reply = rls.ask(about(key, me), about("two", me + key));
      assertThat(codes(reply)).containsExactly(OK, OK, OK);
      assertThat(remaining(reply)).containsExactly(0, 1);
      assertThat(reply.getStatuses(0).getCurrentLimit().getRequestsPerUnit()).isEqualTo(1);
    }
  }

  @Test
  void shadowRuleOfZeroDeniesNothing() {
    assertThat(codes(about("dark-closed", me))).containsExactly(OK, OK);
  }

  @Test
  void childOfShadowRuleIsNotInShadow() {
    left(about("dark-parent", me, "child", me));
    assertThat(codes(about("dark-parent", me, "child", me))).containsExactly(OVER, OVER);
  }

  @Test
  void shadowRuleDoesNotLiftAnotherLimit() {
    left(about("dark", me), about("one", me));
    assertThat(codes(about("dark", me), about("one", me))).containsExactly(OVER, OK, OVER);
  }

  @Test
  void shadowModeOfTheServicePassesAndReportsRealStatuses() {
    with(
        SHADOW,
        dark -> {
          dark.ask(about("one", me));
          assertThat(codes(dark.ask(about("one", me)))).containsExactly(OK, OVER);
          assertThat(codes(dark.ask(limited(0, 1, "one", me)))).containsExactly(OK, OVER);
          dark.ask(costing(9, "quota", me));
          assertThat(codes(dark.ask(about("quota", me)))).containsExactly(OK, OVER);
        });
  }

  @Test
  void quotasDenyOnlyTogether() {
    left(about("quota", me));
    assertThat(codes(about("quota", me), about("quota2", me))).containsExactly(OK, OVER, OK);
    assertThat(codes(about("quota", me), about("quota2", me))).containsExactly(OK, OVER, OK);
    assertThat(codes(about("quota", me), about("quota2", me))).containsExactly(OVER, OVER, OVER);
  }

  @Test
  void singleQuotaDenies() {
    left(about("quota", me));
    assertThat(codes(about("quota", me))).containsExactly(OVER, OVER);
    assertThat(codes(about("quota", me), about("nothing", me))).containsExactly(OVER, OVER, OK);
    assertThat(codes(about("quota", me), about("free", me))).containsExactly(OVER, OVER, OK);
  }

  @Test
  void quotaWithRoomDoesNotLiftALimit() {
    left(about("one", me));
    assertThat(codes(about("one", me), about("quota", me))).containsExactly(OVER, OVER, OK);
  }

  @Test
  void limitWithRoomDoesNotLiftQuotas() {
    left(about("quota", me));
    assertThat(codes(about("two", me), about("quota", me))).containsExactly(OVER, OK, OVER);
  }

  @Test
  void inQuotaModeOneLimitWithRoomSuffices() {
    with(
        QUOTA,
        all -> {
          all.ask(about("one", me));
          assertThat(codes(all.ask(about("one", me), about("two", me))))
              .containsExactly(OK, OVER, OK);
          assertThat(codes(all.ask(about("one", me)))).containsExactly(OVER, OVER);
          assertThat(codes(all.ask(about("one", me), about("nothing", me))))
              .containsExactly(OK, OVER, OK);
          assertThat(codes(all.ask(about("one", me), about("free", me))))
              .containsExactly(OVER, OVER, OK);
        });
  }

  @Test
  void onlyTheReplacingRuleIsCharged() {
    RateLimitResponse reply = rls.ask(about("usual", me), about("vip", me), about("other", me));
    assertThat(codes(reply)).containsExactly(OK, OK, OK, OK);
    assertThat(remaining(reply)).containsExactly(0, 4, 0);
    assertThat(reply.getStatuses(0).hasCurrentLimit()).isFalse();
    assertThat(reply.getStatuses(1).getCurrentLimit().getName()).isEqualTo("vip");
    assertThat(codes(about("usual", me), about("other", me))).containsExactly(OK, OK, OK);
    assertThat(codes(about("usual", me), about("other", me))).containsExactly(OVER, OVER, OVER);
  }

  @Test
  void replacedRuleDeniesNothingWhenExhausted() {
    codes(costing(9, "usual", me));
    assertThat(codes(about("usual", me), about("vip", me))).containsExactly(OK, OK, OK);
  }

  @Test
  void replacedRuleStillReplacesOthers() {
    RateLimitResponse reply = rls.ask(about("usual", me), about("vip", me), about("king", me));
    assertThat(codes(reply)).containsExactly(OK, OK, OK, OK);
    assertThat(reply.getStatusesList()).noneMatch(status -> status.hasCurrentLimit());
    assertThat(remaining(reply)).containsExactly(0, 0, -1);
  }

  @Test
  void unknownNameReplacesNothing() {
    assertThat(left(about("usual", me), about("odd", me))).containsExactly(0, 4);
  }

  @Test
  void unlimitedReportsTheMaximumRemaining() {
    RateLimitResponse reply = rls.ask(costing(0xFFFF_FFFFL, "free", me));
    assertThat(codes(reply)).containsExactly(OK, OK);
    assertThat(reply.getStatuses(0).getLimitRemaining()).isEqualTo(0xFFFF_FFFF);
    assertThat(reply.getStatuses(0).hasCurrentLimit()).isFalse();
    assertThat(reply.getStatuses(0).hasDurationUntilReset()).isFalse();
  }
}
