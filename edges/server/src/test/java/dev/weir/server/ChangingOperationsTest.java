package dev.weir.server;

import static dev.weir.rules.domain.TestDomains.at;
import static dev.weir.server.RlsClient.about;
import static dev.weir.server.RlsClient.codes;
import static dev.weir.server.RlsClient.refunding;
import static dev.weir.server.RlsClient.remaining;
import static dev.weir.server.RlsClient.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.memory.MemoryStore;
import dev.weir.rules.domain.DomainBook;
import dev.weir.rules.domain.TestDomains;
import dev.weir.rules.domain.Unit;
import dev.weir.server.settings.ServerSettings;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.grpc.Status;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which clients may refund and charge. */
@Timeout(300)
class ChangingOperationsTest {
  private static final String RULES =
      """
      rules:
        - {name: site, match: {path: /all}, limit: 100/hour}
        - {name: flight, match: {path: /slow}, concurrent: 1}
      """;
  private static final String[] JSON = {"Content-Type", "application/json"};
  private static final String ALL = "\"values\": {\"path\": \"/all\"}";
  private static final String REFUND_IN_JSON =
      """
      {"domain": "shop", "descriptors": [{"entries": [{"key": "one", "value": "a"}],
        "hitsAddend": "5", "isNegativeHits": true}]}
      """;
  private static final DomainBook DOMAINS = TestDomains.book("shop", at("one").per(9, Unit.DAY));

  private static String operation(String name, long cost) {
    return "{\"operation\": \"" + name + "\", \"cost\": " + cost + ", " + ALL + "}";
  }

  private static long left(TestServer served) {
    HttpResponse<String> peeked = served.postWith("/v1/decide", operation("peek", 1), JSON);
    return new JsonObject(peeked.body()).getLong("remaining");
  }

  private static String detail(HttpResponse<String> refused) {
    return new JsonObject(refused.body()).getString("detail");
  }

  @Test
  void chargeOnTrafficPortRequiresToken() {
    try (TestServer served = TestServer.open(RULES)) {
      HttpResponse<String> refused =
          served.postWith("/v1/decide", operation("charge", 1L << 51), JSON);
      assertThat(refused.statusCode()).isEqualTo(403);
      assertThat(detail(refused))
          .startsWith("operation: charge (expected: ")
          .contains("administration port", "--operations-token-file");
      assertThat(left(served)).isEqualTo(100);
    }
  }

  @Test
  void refundOnTrafficPortRequiresToken() {
    try (TestServer served = TestServer.open(RULES)) {
      served.postWith("/v1/decide", operation("take", 60), JSON);
      HttpResponse<String> refused = served.postWith("/v1/decide", operation("refund", 60), JSON);
      assertThat(refused.statusCode()).isEqualTo(403);
      assertThat(left(served)).isEqualTo(40);
    }
  }

  @Test
  void batchWithOneRestrictedOperationIsRejectedAsAWhole() {
    try (TestServer served = TestServer.open(RULES)) {
      String batch =
          "{\"requests\": [" + operation("take", 1) + ", " + operation("refund", 1) + "]}";
      assertThat(served.postWith("/v1/decide", batch, JSON).statusCode()).isEqualTo(403);
      assertThat(left(served)).isEqualTo(100);
    }
  }

  @Test
  void negativeHitsInJsonRequireToken() {
    try (TestServer served = TestServer.open(RULES, DOMAINS);
        RlsClient anybody = RlsClient.anonymous(served.server.grpcPort())) {
      assertThat(codes(anybody.ask(about("one", "a")))).containsExactly(Code.OK, Code.OK);
      assertThat(served.postWith("/json", REFUND_IN_JSON, JSON).statusCode()).isEqualTo(403);
      assertThat(remaining(anybody.ask(about("one", "a")))).containsExactly(7);
    }
  }

  @Test
  void negativeHitsOverGrpcRequireToken() {
    try (TestServer served = TestServer.open(RULES, DOMAINS);
        RlsClient anybody = RlsClient.anonymous(served.server.grpcPort())) {
      anybody.ask(about("one", "a"));
      Status refused = anybody.refused(request(about("one", "a"), refunding(5, "one", "a")));
      assertThat(refused.getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
      assertThat(refused.getDescription())
          .startsWith("hits: negative (expected: ")
          .contains("--operations-token-file");
      assertThat(remaining(anybody.ask(about("one", "a")))).containsExactly(7);
    }
  }

  @Test
  void takeAndReleaseNeedNoToken() {
    try (TestServer served = TestServer.open(RULES)) {
      assertThat(served.postWith("/v1/decide", operation("take", 1), JSON).statusCode())
          .isEqualTo(200);
      assertThat(left(served)).isEqualTo(99);
      HttpResponse<String> held = served.postWith("/v1/decide", TestServer.values("/slow"), JSON);
      String permit = new JsonObject(held.body()).getString("permit");
      String release = "{\"permit\": \"" + permit + "\"}";
      assertThat(served.postWith("/v1/release", release, JSON).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void tokenAllowsRestrictedOperationsOnEveryPort() {
    try (TestServer served =
            TestServer.with(RULES, ServerSettings.DEFAULT, new MemoryStore(), DOMAINS);
        RlsClient operator = new RlsClient(served.server.grpcPort())) {
      served.post("/v1/decide", operation("take", 60));
      assertThat(served.post("/v1/decide", operation("refund", 50)).statusCode()).isEqualTo(200);
      assertThat(left(served)).isEqualTo(90);
      assertThat(served.post("/v1/decide", operation("charge", 20)).statusCode()).isEqualTo(200);
      assertThat(left(served)).isEqualTo(70);
      operator.ask(about("one", "a"));
      assertThat(remaining(operator.ask(refunding(1, "one", "a")))).containsExactly(9);
      assertThat(served.post("/json", REFUND_IN_JSON).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void wrongTokenIsRejected() {
    try (TestServer served =
        TestServer.with(RULES, ServerSettings.DEFAULT, new MemoryStore(), DOMAINS)) {
      for (String shown :
          List.of(
              "",
              "Bearer",
              "Bearer ",
              "Bearer " + TestServer.OPERATIONS + "x",
              "Bearer " + TestServer.OPERATIONS.substring(1),
              "Basic " + TestServer.OPERATIONS,
              TestServer.OPERATIONS)) {
        String[] headers = {"Content-Type", "application/json", "Authorization", shown};
        HttpResponse<String> refused =
            served.postWith("/v1/decide", operation("refund", 1), headers);
        assertThat(refused.statusCode()).as(shown).isEqualTo(401);
        assertThat(CheckTest.header(refused, "WWW-Authenticate")).isEqualTo("Bearer");
        assertThat(detail(refused))
            .startsWith("operation: refund (expected: Authorization: Bearer ");
        OpenApiDocument.conforms(served, refused, "/v1/decide", "post");
        HttpResponse<String> inJson = served.postWith("/json", REFUND_IN_JSON, headers);
        assertThat(inJson.statusCode()).as(shown).isEqualTo(401);
        OpenApiDocument.conforms(served, inJson, "/json", "post");
        try (RlsClient other = new RlsClient(served.server.grpcPort(), shown)) {
          assertThat(other.refused(request(refunding(1, "one", "a"))).getCode())
              .isEqualTo(Status.Code.UNAUTHENTICATED);
        }
      }
    }
  }

  @Test
  void adminPortAllowsRestrictedOperationsWithItsOwnToken() {
    ServerSettings guarded = ServerSettings.DEFAULT.withAdmin("127.0.0.1", "let-me-in");
    try (TestServer served = TestServer.open(RULES);
        TestServer another = TestServer.with(RULES, guarded)) {
      served.admin("POST", "/v1/decide", operation("take", 60));
      HttpResponse<String> given = served.admin("POST", "/v1/decide", operation("refund", 50));
      assertThat(given.statusCode()).isEqualTo(200);
      assertThat(left(served)).isEqualTo(90);
      HttpResponse<String> held = served.admin("POST", "/v1/decide", TestServer.values("/slow"));
      String permit = new JsonObject(held.body()).getString("permit");
      String release = "{\"permit\": \"" + permit + "\"}";
      assertThat(served.admin("POST", "/v1/release", release).statusCode()).isEqualTo(200);

      String charge = operation("charge", 1);
      assertThat(another.admin("POST", "/v1/decide", charge).statusCode()).isEqualTo(401);
      String[] other = {"Authorization", "Bearer " + TestServer.OPERATIONS};
      assertThat(another.admin("POST", "/v1/decide", charge, other).statusCode()).isEqualTo(401);
      String[] own = {"Authorization", "Bearer let-me-in"};
      assertThat(another.admin("POST", "/v1/decide", charge, own).statusCode()).isEqualTo(200);
    }
  }
}
