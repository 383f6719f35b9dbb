package dev.weir.server;

import static dev.weir.server.RlsClient.about;
import static dev.weir.server.RlsClient.costing;
import static dev.weir.server.RlsClient.refunding;
import static dev.weir.server.RlsClient.remaining;
import static dev.weir.server.RlsClient.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The cost of requests, peeks and refunds. */
class RlsHitsTest extends RlsContract {
  private static final String YAML =
      """
      domain: shop
      descriptors:
        - {key: user, rate_limit: {unit: year, requests_per_unit: 3}}
        - {key: two, rate_limit: {unit: year, requests_per_unit: 2}}
        - {key: most, rate_limit: {unit: year, requests_per_unit: 4294967295}}
        - {key: closed, rate_limit: {unit: year, requests_per_unit: 0}}
        - {key: log, rate_limit: {unit: hour, requests_per_unit: 2, algorithm: sliding_log}}
      """;

  RlsHitsTest() {
    super(YAML);
  }

  @Test
  void missingAddendIsOne() {
    assertThat(left(about("user", me))).containsExactly(2);
    assertThat(remaining(rls.ask(request(about("user", me)).setHitsAddend(0)))).containsExactly(1);
  }

  @Test
  void requestAddendAppliesToAllDescriptors() {
    RateLimitRequest.Builder request = request(about("user", me), about("two", me));
    assertThat(remaining(rls.ask(request.setHitsAddend(2)))).containsExactly(1, 0);
  }

  @Test
  void descriptorAddendOverridesRequestAddend() {
    RateLimitRequest.Builder request = request(about("user", me), costing(1, "two", me));
    assertThat(remaining(rls.ask(request.setHitsAddend(3)))).containsExactly(0, 1);
  }

  @Test
  void zeroAddendIsAPeek() {
    assertThat(left(costing(0, "user", me))).containsExactly(3);
    assertThat(left(costing(0, "user", me))).containsExactly(3);
    assertThat(left(about("user", me))).containsExactly(2);
  }

  @Test
  void peekBesideRequestAddendCostsNothing() {
    RateLimitRequest.Builder request = request(costing(0, "user", me), about("two", me));
    assertThat(remaining(rls.ask(request.setHitsAddend(2)))).containsExactly(3, 0);
  }

  @Test
  void peekSeesOnlyEarlierChargesOfTheRequest() {
    assertThat(left(costing(0, "user", me), about("user", me), costing(0, "user", me)))
        .containsExactly(3, 2, 2);
  }

  @Test
  void peekIsOkAtTheLimitAndOverAboveIt() {
    left(costing(3, "user", me));
    RateLimitResponse full = rls.ask(costing(0, "user", me));
    assertThat(codes(full)).containsExactly(OK, OK);
    assertThat(remaining(full)).containsExactly(0);
    assertThat(full.getStatuses(0).getDurationUntilReset().getSeconds()).isPositive();
    codes(about("user", me));
    assertThat(codes(costing(0, "user", me))).containsExactly(OVER, OVER);
  }

  @Test
  void costEqualToTheLimitPasses() {
    assertThat(codes(costing(3, "user", me))).containsExactly(OK, OK);
    assertThat(codes(about("user", me))).containsExactly(OVER, OVER);
  }

  @Test
  void costAboveTheLimitIsDeniedAndStaysCharged() {
    assertThat(codes(costing(4, "user", me))).containsExactly(OVER, OVER);
    assertThat(codes(about("user", me))).containsExactly(OVER, OVER);
  }

  @Test
  void duplicateDescriptorIsCountedTwice() {
    assertThat(left(about("user", me), about("user", me))).containsExactly(2, 1);
    assertThat(codes(about("user", me), about("user", me))).containsExactly(OVER, OK, OVER);
  }

  @Test
  void largestRequestAddendIsCounted() {
    RateLimitRequest.Builder all = request(about("most", me)).setHitsAddend(0xFFFF_FFFF);
    RateLimitResponse full = rls.ask(all);
    assertThat(codes(full)).containsExactly(OK, OK);
    assertThat(remaining(full)).containsExactly(0);
    assertThat(full.getStatuses(0).getCurrentLimit().getRequestsPerUnit()).isEqualTo(0xFFFF_FFFF);
    assertThat(codes(about("most", me))).containsExactly(OVER, OVER);
  }

  @Test
  void largestAddendExceedsSmallLimit() {
    RateLimitRequest.Builder request = request(about("user", me)).setHitsAddend(0xFFFF_FFFF);
    assertThat(codes(rls.ask(request))).containsExactly(OVER, OVER);
    assertThat(codes(about("user", me))).containsExactly(OVER, OVER);
  }

  @Test
  void largestDescriptorAddendsAreOverAndOthersAreCharged() {
    for (long huge : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 51}) {
      assertThat(codes(costing(huge, "two", me), about("user", me)))
          .containsExactly(OVER, OVER, OK);
      left(refunding(1, "user", me));
    }
    assertThat(left(costing(0, "user", me))).containsExactly(3);
  }

  @Test
  void manyLargeAddendsNeverOverflow() {
    RateLimitRequest.Builder request = request(about("user", me)).setHitsAddend(0xFFFF_FFFF);
    for (int i = 0; i < 20; i++) {
      assertThat(codes(rls.ask(request))).containsExactly(OVER, OVER);
    }
  }

  @Test
  void refundGivesPermitsBack() {
    left(costing(3, "user", me));
    RateLimitResponse refund = rls.ask(refunding(1, "user", me));
    assertThat(codes(refund)).containsExactly(OK, OK);
    assertThat(remaining(refund)).containsExactly(1);
    assertThat(left(about("user", me))).containsExactly(0);
  }

  @Test
  void refundNeverExceedsWhatWasTaken() {
    left(about("user", me));
    assertThat(left(refunding(9, "user", me))).containsExactly(3);
    assertThat(left(about("user", me))).containsExactly(2);
  }

  @Test
  void refundOfUnusedCounterChangesNothing() {
    assertThat(left(refunding(-1, "user", me))).containsExactly(3);
    assertThat(left(about("user", me))).containsExactly(2);
  }

  @Test
  void refundIsOkAboveTheLimit() {
    codes(costing(9, "user", me));
    RateLimitResponse refund = rls.ask(refunding(2, "user", me));
    assertThat(codes(refund)).containsExactly(OK, OK);
    assertThat(remaining(refund)).containsExactly(0);
    assertThat(codes(costing(0, "user", me))).containsExactly(OVER, OVER);
    assertThat(codes(refunding(1, "closed", me))).containsExactly(OK, OK);
    assertThat(codes(refunding(0, "user", me))).containsExactly(OK, OK);
  }

  @Test
  void refundAndChargeInOneRequest() {
    left(costing(2, "two", me));
    assertThat(left(refunding(1, "two", me), about("user", me))).containsExactly(1, 2);
  }

  @Test
  void peekAtOtherAlgorithmTakesNothing() {
    assertThat(left(costing(0, "log", me))).containsExactly(2);
    left(costing(2, "log", me));
    assertThat(left(costing(0, "log", me), about("user", me))).containsExactly(0, 2);
  }

  @Test
  void refundWorksForOtherAlgorithms() {
    left(costing(2, "log", me));
    assertThat(codes(about("log", me))).containsExactly(OVER, OVER);
    assertThat(codes(refunding(1, "log", me))).containsExactly(OK, OK);
    assertThat(codes(about("log", me))).containsExactly(OK, OK);
    assertThat(codes(about("log", me))).containsExactly(OVER, OVER);
  }

  @Test
  void concurrentRequestsAreCountedExactly() {
    long passed =
        IntStream.range(0, 100)
            .parallel()
            .mapToObj(i -> rls.ask(about("user", me)))
            .filter(reply -> reply.getOverallCode() == OK)
            .count();
    assertThat(passed).isEqualTo(3);
  }
}
