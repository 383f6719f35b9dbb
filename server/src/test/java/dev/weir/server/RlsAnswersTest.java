package dev.weir.server;

import static dev.weir.domain.TestDomains.at;
import static dev.weir.server.RlsClient.about;
import static dev.weir.server.RlsClient.codes;
import static dev.weir.server.RlsClient.costing;
import static dev.weir.server.RlsClient.limited;
import static dev.weir.server.RlsClient.request;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import dev.weir.domain.DomainBook;
import dev.weir.domain.TestDomains;
import dev.weir.domain.Unit;
import dev.weir.memory.MemoryStore;
import dev.weir.server.rls.RlsSettings;
import io.envoyproxy.envoy.config.core.v3.HeaderValue;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What can be set for the service as a whole: shadow, quota, headers, metadata. */
class RlsAnswersTest {
  private static final Code OK = Code.OK;
  private static final Code OVER = Code.OVER_LIMIT;
  private static final DomainBook DOMAINS =
      TestDomains.book(
          "shop",
          at("one").per(1, Unit.DAY).saying(Map.of("plan", "one", "seen", Map.of("a", 1))),
          at("two").per(2, Unit.HOUR).saying(Map.of("plan", "two", "seen", Map.of("b", true))),
          at("first").per(1, Unit.DAY).priority(9),
          at("quota").per(1, Unit.DAY).quota(),
          at("free").unlimited().saying(Map.of("not", "said")));

  private static void with(RlsSettings settings, Consumer<RlsClient> test) {
    ServerSettings all = ServerSettings.DEFAULT.withRls(settings);
    try (Served served = Served.with(RlsContract.NO_RULES, all, new MemoryStore(), DOMAINS);
        RlsClient client = new RlsClient(served.server.grpcPort())) {
      test.accept(client);
    }
  }

  @Test
  void inShadowEverybodyPassesAndIsToldWhoWouldNot() {
    with(
        new RlsSettings(true, false, null, false),
        client -> {
          client.ask(about("one", "a"));
          assertThat(codes(client.ask(about("one", "a")))).containsExactly(OK, OVER);
          assertThat(codes(client.ask(limited(0, 1, "one", "b")))).containsExactly(OK, OVER);
        });
  }

  @Test
  void whereEverythingIsAQuotaOneWithRoomIsEnough() {
    with(
        new RlsSettings(false, true, null, false),
        client -> {
          client.ask(about("one", "a"));
          assertThat(codes(client.ask(about("one", "a"), about("two", "a"))))
              .containsExactly(OK, OVER, OK);
          assertThat(codes(client.ask(about("one", "a")))).containsExactly(OVER, OVER);
          assertThat(codes(client.ask(about("one", "a"), about("nothing", "a"))))
              .containsExactly(OK, OVER, OK);
          assertThat(codes(client.ask(about("one", "a"), about("free", "a"))))
              .containsExactly(OVER, OVER, OK);
        });
  }

  @Test
  void headersTellOfTheLimitThatIsNearest() {
    with(
        new RlsSettings(false, false, RlsSettings.Headers.USUAL, false),
        client -> {
          List<HeaderValue> headers =
              client.ask(about("two", "a"), about("one", "a")).getResponseHeadersToAddList();
          assertThat(headers)
              .extracting(HeaderValue::getKey)
              .containsExactly("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset");
          assertThat(headers.get(0).getValue()).isEqualTo("1");
          assertThat(headers.get(1).getValue()).isEqualTo("0");
          assertThat(Long.parseLong(headers.get(2).getValue())).isBetween(1L, 86_400L);
          assertThat(client.ask(about("nothing", "a")).getResponseHeadersToAddList()).isEmpty();
          assertThat(client.ask(about("free", "a")).getResponseHeadersToAddList()).isEmpty();
        });
  }

  @Test
  void headersTellOfTheLastLimitThatDeniesUnlessAnotherMattersMore() {
    with(
        new RlsSettings(false, false, new RlsSettings.Headers("L", "M", "N"), false),
        client -> {
          client.ask(costing(9, "one", "a"), costing(9, "two", "a"), costing(9, "first", "a"));
          assertThat(limitHeader(client.ask(about("one", "a"), about("two", "a")))).isEqualTo("2");
          assertThat(limitHeader(client.ask(about("two", "a"), about("one", "a")))).isEqualTo("1");
          assertThat(limitHeader(client.ask(about("first", "a"), about("two", "a"))))
              .isEqualTo("1");
          RateLimitResponse reply = client.ask(about("two", "a"), about("quota", "a"));
          assertThat(limitHeader(reply)).isEqualTo("2");
        });
  }

  private static String limitHeader(RateLimitResponse reply) {
    assertThat(reply.getResponseHeadersToAddList())
        .extracting(HeaderValue::getKey)
        .containsExactly("L", "M", "N");
    return reply.getResponseHeadersToAdd(0).getValue();
  }

  @Test
  void thereAreNoHeadersAndNoMetadataUnlessAskedFor() {
    with(
        RlsSettings.DEFAULT,
        client -> {
          RateLimitResponse reply = client.ask(about("one", "a"));
          assertThat(reply.getResponseHeadersToAddList()).isEmpty();
          assertThat(reply.hasDynamicMetadata()).isFalse();
        });
  }

  @Test
  void metadataTellsWhatWasAskedAndWhatTheRulesThatPassHaveToSay() {
    with(
        new RlsSettings(false, false, null, true),
        client -> {
          JsonObject all =
              metadata(
                  client.ask(
                      request(
                              about("one", "a", "x", "y"),
                              about("one", "a"),
                              costing(2, "two", "a"),
                              limited(5, 2, "two", "b"),
                              about("free", "a"))
                          .setHitsAddend(1)));
          assertThat(all)
              .isEqualTo(
                  new JsonObject(
                      """
                      {"domain": "shop", "hitsAddend": 1.0, "descriptors": [
                        {"entries": ["one=a", "x=y"]},
                        {"entries": ["one=a"]},
                        {"entries": ["two=a"], "hitsAddend": 2.0},
                        {"entries": ["two=b"], "limit": "requests_per_unit:5 unit:MINUTE"},
                        {"entries": ["free=a"]}],
                       "metadata": {"plan": "one", "seen": {"a": 1.0, "b": true}}}
                      """));
          JsonObject rest = metadata(client.ask(about("one", "a"), about("two", "c")));
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
