package dev.weir.server;

import static dev.weir.rules.domain.TestDomains.at;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.memory.MemoryStore;
import dev.weir.rule.FailureMode;
import dev.weir.rules.domain.DomainBook;
import dev.weir.rules.domain.TestDomains;
import dev.weir.rules.domain.Unit;
import dev.weir.server.rls.RlsSettings;
import dev.weir.server.settings.ServerSettings;
import dev.weir.testkit.redis.Await;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rate limit service in JSON, and its health check. */
class RlsJsonTest {
  private static final DomainBook DOMAINS =
      TestDomains.book(
          "shop",
          at("one").per(1, Unit.DAY).named("just-one"),
          at("deny").per(9, Unit.DAY).whenStoreFails(FailureMode.DENY));
  private static final String ONE =
      "{\"domain\": \"shop\", \"descriptors\": [{\"entries\": [{\"key\": \"one\", \"value\":"
          + " \"%s\"}]}]}";

  private static TestServer served() {
    return TestServer.with(
        RlsContract.NO_RULES, ServerSettings.DEFAULT, new MemoryStore(), DOMAINS);
  }

  @Test
  void requestIsAnsweredAsOverGrpc() {
    try (TestServer served = served()) {
      HttpResponse<String> passed = served.post("/json", ONE.formatted("a"));
      assertThat(passed.statusCode()).isEqualTo(200);
      assertThat(passed.headers().firstValue("Content-Type")).hasValue("application/json");
      JsonObject body = new JsonObject(passed.body());
      assertThat(body.getString("overallCode")).isEqualTo("OK");
      JsonObject status = body.getJsonArray("statuses").getJsonObject(0);
      assertThat(status.getString("durationUntilReset")).matches("[1-9][0-9]*s");
      assertThat(status.getJsonObject("currentLimit"))
          .isEqualTo(
              new JsonObject(
                  "{\"requestsPerUnit\": 1, \"unit\": \"DAY\", \"name\": \"just-one\"}"));
      // Fields that are 0 are omitted, as in all JSON of protobuf.
      assertThat(status.containsKey("limitRemaining")).isFalse();
      HttpResponse<String> denied = served.post("/json", ONE.formatted("a"));
      assertThat(denied.statusCode()).isEqualTo(429);
      assertThat(new JsonObject(denied.body()).getString("overallCode")).isEqualTo("OVER_LIMIT");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "{\"domain\": \"shop\", \"unknown\": 1}",
        "{\"domain\": \"\"}",
        "{\"domain\": \"shop\"}"
      })
  void plainErrorsAreThoseOfEnvoyRatelimit(String body) {
    ServerSettings settings = ServerSettings.DEFAULT.withRls(RlsSettings.DEFAULT.withPlainErrors());
    try (TestServer served =
        TestServer.with(RlsContract.NO_RULES, settings, new MemoryStore(), DOMAINS)) {
      HttpResponse<String> refused = served.post("/json", body);
      assertThat(refused.statusCode()).isEqualTo(400);
      assertThat(refused.body()).isEqualTo("Bad Request\n");
      assertThat(refused.headers().firstValue("Content-Type"))
          .hasValue("text/plain; charset=utf-8");
      assertThat(served.post("/json", ONE.formatted("a")).statusCode()).isEqualTo(200);
      assertThat(served.post("/json", ONE.formatted("a")).statusCode()).isEqualTo(429);
    }
  }

  @Test
  void anyMethodAndBothFieldNameStylesAreAccepted() {
    String body =
        "{\"domain\": \"shop\", \"hits_addend\": \"1\", \"descriptors\": [{\"entries\": [{\"key\":"
            + " \"one\", \"value\": \"%s\"}], \"hitsAddend\": 1.0, \"limit\":"
            + " {\"requests_per_unit\": 3, \"unit\": \"WEEK\"}}]}";
    try (TestServer served = served()) {
      for (String method : new String[] {"GET", "PUT", "DELETE", "POST"}) {
        HttpRequest request =
            HttpRequest.newBuilder(served.uri("/json"))
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(body.formatted(method)))
                .build();
        HttpResponse<String> reply = served.send(request);
        assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
        assertThat(reply.body()).contains("WEEK");
      }
    }
  }

  @ParameterizedTest
  @Timeout(20)
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "null",
        "{}",
        "{\"domain\": \"\", \"descriptors\": [{}]}",
        "{\"domain\": \"shop\"}",
        "{\"domain\": \"shop\", \"descriptors\": [{}], \"s3cret\": 1}",
        "{\"domain\": \"shop\", \"descriptors\": [{\"s3cret\": []}]}",
        "{\"domain\": \"shop\", \"descriptors\": [{}], \"hitsAddend\": -1}",
        "{\"domain\": \"shop\", \"descriptors\": [{}], \"hitsAddend\": 4294967296}",
        "{\"domain\": \"shop\", \"descriptors\": [{}], \"hitsAddend\": 1e999999999}",
        "{\"domain\": \"shop\", \"descriptors\": [{}], \"hitsAddend\": \"1e999999999\"}",
        "{\"domain\": \"shop\", \"descriptors\": [{\"hits_addend\": \"1e999999999\"}]}",
        "{\"domain\": \"shop\", \"descriptors\": [{\"limit\": {\"requestsPerUnit\": \"9e999999\"}}]}",
        "{\"domain\": \"shop\", \"descriptors\": [{\"limit\": {\"unit\": \"EON\"}}]}",
        "{\"domain\": \"shop\", \"descriptors\": [{\"limit\": {\"requestsPerUnit\": 1}}]}",
        "{\"domain\": \"shop\", \"descriptors\": [{}], 's3cret': 1}",
      })
  void malformedBodyIsRejectedWithReason(String body) {
    try (TestServer served = served()) {
      HttpResponse<String> reply = served.post("/json", body);
      assertThat(reply.statusCode()).as(reply.body()).isEqualTo(400);
      assertThat(new JsonObject(reply.body()).getString("detail")).isNotEmpty();
      assertThat(reply.body()).doesNotContain("s3cret");
    }
  }

  @Test
  void storeFailureIsNotReportedAsDenial() {
    FaultyStore store = new FaultyStore();
    store.gone = true;
    try (TestServer served =
        TestServer.with(RlsContract.NO_RULES, ServerSettings.DEFAULT, store, DOMAINS)) {
      assertThat(served.post("/json", ONE.formatted("a")).statusCode()).isEqualTo(200);
      String deny = ONE.replace("\"one\"", "\"deny\"").formatted("a");
      HttpResponse<String> denied = served.post("/json", deny);
      assertThat(denied.statusCode()).isEqualTo(503);
      assertThat(CheckTest.header(denied, "Retry-After")).isEqualTo("1");
      assertThat(CheckTest.header(denied, "Weir-Degraded")).isEqualTo("deny");
      OpenApiDocument.conforms(served, denied, "/json", "post");
      JsonObject problem = new JsonObject(denied.body());
      assertThat(problem.getString("type")).isEqualTo("urn:weir:problem:store-unavailable");
      assertThat(problem.getString("effect")).isEqualTo("unknown");
      assertThat(denied.body()).doesNotContain("db7.internal");
    }
  }

  @Test
  void blockedCallerIsDeniedDuringOutage() {
    FaultyStore store = new FaultyStore();
    store.gone = true;
    String both =
        """
        {"domain": "shop", "descriptors": [{"entries": [{"key": "closed", "value": "a"}]},
                                           {"entries": [{"key": "deny", "value": "a"}]}]}
        """;
    String rules = "rules: [{name: closed, match: {entry: {closed: '*'}}, limit: blocked}]";
    try (TestServer served = TestServer.with(rules, ServerSettings.DEFAULT, store, DOMAINS)) {
      HttpResponse<String> denied = served.post("/json", both);
      assertThat(denied.statusCode()).isEqualTo(429);
      assertThat(denied.body()).doesNotContain("weir-degraded");
    }
  }

  @Test
  void healthcheckIsOkUntilStop() throws Exception {
    ServerSettings drains = ServerSettings.DEFAULT.withDrain(Duration.ofSeconds(5));
    try (TestServer served =
        TestServer.with(RlsContract.NO_RULES, drains, new MemoryStore(), DOMAINS)) {
      HttpResponse<String> probe = served.get("/healthcheck");
      assertThat(probe.statusCode()).isEqualTo(200);
      assertThat(probe.body()).isEqualTo("OK");
      CompletableFuture<Void> closed = CompletableFuture.runAsync(served.server::close);
      Await.until(
          "it is stopping",
          Duration.ofSeconds(60),
          () -> served.get("/healthcheck").statusCode() == 500);
      closed.get();
    }
  }
}
