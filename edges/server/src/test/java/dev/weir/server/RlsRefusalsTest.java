package dev.weir.server;

import static dev.weir.server.RlsClient.about;
import static dev.weir.server.RlsClient.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Requests at their bounds: answered as any other, or rejected with a reason. */
class RlsRefusalsTest extends RlsContract {
  private static final String YAML =
      """
      domain: shop
      descriptors:
        - {key: user, rate_limit: {unit: year, requests_per_unit: 1}}
        - {key: log, rate_limit: {unit: day, requests_per_unit: 9, algorithm: sliding_log}}
      """;

  RlsRefusalsTest() {
    super(YAML);
  }

  @Test
  void emptyDomainIsRejected() {
    assertThat(rls.complaint(request(about("user", "s3cret")).setDomain("")))
        .isEqualTo("rate limit domain must not be empty");
  }

  @Test
  void missingDescriptorsAreRejected() {
    assertThat(rls.complaint(request())).isEqualTo("rate limit descriptor list must not be empty");
    assertThat(rls.complaint(request().setDomain("nowhere"))).contains("must not be empty");
  }

  @Test
  void aThousandDescriptorsAreAnswered() {
    RateLimitRequest.Builder request = request();
    for (int i = 0; i < 1_000; i++) {
      request.addDescriptors(about("user", me + i % 999));
    }
    RateLimitResponse reply = rls.ask(request);
    assertThat(codes(reply).subList(1, 1_000)).hasSize(999).containsOnly(OK);
    // The last is the first again.
    assertThat(reply.getStatuses(999).getCode()).isEqualTo(OVER);
  }

  @Test
  void moreThanAThousandDescriptorsAreRejectedAndChargeNothing() {
    RateLimitRequest.Builder many = request();
    for (int i = 0; i <= 1_000; i++) {
      many.addDescriptors(about("user", me));
    }
    assertThat(rls.complaint(many)).isEqualTo("descriptors: 1001 (expected: at most 1000)");
    assertThat(codes(about("user", me))).containsExactly(OK, OK);
  }

  @Test
  void aThousandDescriptorsAreChargedAllOrNone() {
    RateLimitRequest.Builder many = request();
    for (int i = 0; i < 1_000; i++) {
      many.addDescriptors(about("log", me + i / 10));
    }
    RateLimitResponse reply = rls.ask(many);
    assertThat(reply.getOverallCode()).isEqualTo(OVER);
    assertThat(reply.getStatuses(8).getCode()).isEqualTo(OK);
    assertThat(reply.getStatuses(9).getCode()).isEqualTo(OVER);
    assertThat(left(about("log", me + 0))).containsExactly(8);
    assertThat(left(about("log", me + 99))).containsExactly(8);
  }

  @Test
  void aHundredEntriesAreAnsweredAndMoreAreRejected() {
    String[] words = new String[200];
    Arrays.fill(words, "s3cret");
    assertThat(codes(about(words))).containsExactly(OK, OK);
    String[] more = Arrays.copyOf(words, 202);
    Arrays.fill(more, "s3cret");
    assertThat(rls.complaint(request(about(more))))
        .isEqualTo("entries: 101 (expected: at most 100)");
  }

  @Test
  void longValueIsCounted() {
    String value = me + "x".repeat(500_000);
    assertThat(codes(about("user", value))).containsExactly(OK, OK);
    assertThat(codes(about("user", value))).containsExactly(OVER, OVER);
    assertThat(codes(about("user", value + "y"))).containsExactly(OK, OK);
  }

  @Test
  void unusualCharactersAreCounted() {
    for (String odd : new String[] {"", "\u0000", "{}", "a b\r\n", "🦫", "*", "%s:1"}) {
      assertThat(codes(about("user", me + odd))).containsExactly(OK, OK);
      assertThat(codes(about("user", me + odd))).containsExactly(OVER, OVER);
    }
  }
}
