package dev.weir.server;

import static dev.weir.server.RlsClient.about;
import static dev.weir.server.RlsClient.costing;
import static dev.weir.server.RlsClient.limited;
import static dev.weir.server.RlsClient.remaining;
import static dev.weir.server.RlsClient.request;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import dev.weir.server.rls.RlsSettings;
import io.envoyproxy.envoy.config.core.v3.HeaderValue;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.RateLimit;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contents of an answer: statuses, headers, metadata. */
class RlsAnswersTest extends RlsContract {
  private static final long YEAR = 365 * 86_400L;
  private static final RlsSettings HEADERS =
      new RlsSettings(false, false, RlsSettings.Headers.DEFAULT, false);
  private static final RlsSettings METADATA = new RlsSettings(false, false, null, true);
  private static final String YAML =
      """
      domain: shop
      descriptors:
        - key: one
          rate_limit: {unit: year, requests_per_unit: 1, name: just-one}
          metadata: {plan: one, seen: {a: 1}}
        - key: two
          rate_limit: {unit: hour, requests_per_unit: 2}
          metadata: {plan: two, seen: {b: true, c: [x, null]}}
        - {key: quota, quota_mode: true, rate_limit: {unit: year, requests_per_unit: 1}}
        - {key: free, rate_limit: {unlimited: true}, metadata: {not: said}}
      """;

  RlsAnswersTest() {
    super(YAML);
  }

  @Test
  void statusHasLimitRemainingAndReset() {
    DescriptorStatus status = rls.ask(about("one", me)).getStatuses(0);
    assertThat(status.getCurrentLimit())
        .isEqualTo(
            RateLimit.newBuilder()
                .setRequestsPerUnit(1)
                .setUnit(RateLimit.Unit.YEAR)
                .setName("just-one")
                .build());
    assertThat(status.getLimitRemaining()).isZero();
    long end = YEAR - System.currentTimeMillis() / 1_000 % YEAR;
    assertThat(status.getDurationUntilReset().getSeconds()).isBetween(end - 2, end + 5);
    assertThat(status.getDurationUntilReset().getNanos()).isZero();
  }

  @Test
  void denialHasTheLimitToo() {
    rls.ask(about("one", me));
    RateLimitResponse denied = rls.ask(about("one", me));
    assertThat(codes(denied)).containsExactly(OVER, OVER);
    assertThat(remaining(denied)).containsExactly(0);
    assertThat(denied.getStatuses(0).getCurrentLimit().getName()).isEqualTo("just-one");
    assertThat(denied.getStatuses(0).getDurationUntilReset().getSeconds()).isPositive();
  }

  @Test
  void statusesFollowTheOrderOfDescriptors() {
    rls.ask(about("one", me));
    RateLimitResponse reply =
        rls.ask(about("two", me), about("nothing", me), about("one", me), about("free", me));
    assertThat(codes(reply)).containsExactly(OVER, OK, OK, OVER, OK);
    assertThat(remaining(reply)).containsExactly(1, 0, 0, -1);
  }

  @Test
  void headersAndMetadataAreOffByDefault() {
    RateLimitResponse reply = rls.ask(about("one", me));
    assertThat(reply.getResponseHeadersToAddList()).isEmpty();
    assertThat(reply.hasDynamicMetadata()).isFalse();
    assertThat(reply.getRequestHeadersToAddList()).isEmpty();
    assertThat(reply.getRawBody().isEmpty()).isTrue();
  }

  @Test
  void headersShowTheLimitWithTheLeastRemaining() {
    with(
        HEADERS,
        other -> {
          List<HeaderValue> headers =
              other.ask(about("two", me), about("one", me)).getResponseHeadersToAddList();
          assertThat(headers)
              .extracting(HeaderValue::getKey)
              .containsExactly("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset");
          assertThat(headers.get(0).getValue()).isEqualTo("1");
          assertThat(headers.get(1).getValue()).isEqualTo("0");
          assertThat(Long.parseLong(headers.get(2).getValue())).isBetween(1L, YEAR);
        });
  }

  @Test
  void unlimitedRequestHasNoHeaders() {
    with(
        HEADERS,
        other ->
            assertThat(
                    other
                        .ask(about("nothing", me), about("free", me))
                        .getResponseHeadersToAddList())
                .isEmpty());
  }

  @Test
  void headersShowTheLastLimitThatDenies() {
    with(
        new RlsSettings(false, false, new RlsSettings.Headers("L", "M", "N"), false),
        other -> {
          other.ask(costing(9, "one", me), costing(9, "two", me));
          assertThat(limitHeader(other.ask(about("one", me), about("two", me)))).isEqualTo("2");
          assertThat(limitHeader(other.ask(about("two", me), about("one", me)))).isEqualTo("1");
          assertThat(limitHeader(other.ask(about("two", me), about("quota", me)))).isEqualTo("2");
        });
  }

  private static String limitHeader(RateLimitResponse reply) {
    assertThat(reply.getResponseHeadersToAddList())
        .extracting(HeaderValue::getKey)
        .containsExactly("L", "M", "N");
    assertThat(reply.getResponseHeadersToAdd(1).getValue()).isEqualTo("0");
    return reply.getResponseHeadersToAdd(0).getValue();
  }

  @Test
  void metadataRepeatsTheRequest() {
    with(
        METADATA,
        other ->
            assertThat(
                    metadata(
                        other.ask(
                            request(
                                    about("one", "a", "x", "y"),
                                    costing(2, "two", "a"),
                                    limited(5, 2, "two", "b"),
                                    about("free", "a"))
                                .setHitsAddend(1))))
                .isEqualTo(
                    new JsonObject(
                        """
                        {"domain": "shop", "hitsAddend": 1.0, "descriptors": [
                          {"entries": ["one=a", "x=y"]},
                          {"entries": ["two=a"], "hitsAddend": 2.0},
                          {"entries": ["two=b"], "limit": "requests_per_unit:5 unit:MINUTE"},
                          {"entries": ["free=a"]}],
                         "metadata": {"plan": "two", "seen": {"b": true, "c": ["x", null]}}}
                        """)));
  }

  @Test
  void metadataHasThatOfRulesThatPass() {
    with(
        METADATA,
        other -> {
          JsonObject both = metadata(other.ask(about("one", me), about("two", me)));
          assertThat(both.getJsonObject("metadata"))
              .isEqualTo(
                  new JsonObject(
                      "{\"plan\": \"one\", \"seen\": {\"a\": 1.0, \"b\": true, \"c\": [\"x\","
                          + " null]}}"));
          JsonObject rest = metadata(other.ask(about("one", me), about("two", me)));
          assertThat(rest.getJsonObject("metadata").getString("plan")).isEqualTo("two");
          assertThat(rest.containsKey("hitsAddend")).isFalse();
        });
  }

  private static JsonObject metadata(RateLimitResponse reply) {
    try {
      return new JsonObject(JsonFormat.printer().print(reply.getDynamicMetadata()));
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(e);
    }
  }
}
