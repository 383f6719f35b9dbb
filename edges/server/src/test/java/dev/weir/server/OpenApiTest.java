package dev.weir.server;

import static dev.weir.server.OpenApiDocument.conforms;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.listen.RequestBodies;
import dev.weir.server.settings.ServerSettings;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The server behaves as its OpenAPI document says. */
public class OpenApiTest {
  private static final String RULES =
      """
      identity: {key: header X-Key}
      rules:
        - {name: each, match: {path: /}, per: key, limit: 2/hour}
        - {name: bucket, match: {path: /all}, limit: 1/hour, burst: 5}
        - {name: leaky, match: {path: /all}, limit: 50/second, algorithm: leaky-bucket}
        - {name: log, match: {path: /all}, limit: 50/hour, algorithm: sliding-log}
        - {name: counter, match: {path: /all}, limit: 50/hour, algorithm: sliding-counter}
        - {name: window, match: {path: /all}, limit: 50/hour, algorithm: fixed-window}
        - {name: flight, match: {path: /all}, concurrent: 50}
        - {name: closed, match: {path: /closed}, limit: blocked}
      shedding: {capacity: 10}
      """;
  private static final String ALL = "\"values\": {\"path\": \"/all\"}";

  @Test
  void everyPathAndMethodAnswersAsDocumented() {
    try (TestServer served = TestServer.with(RULES)) {
      JsonObject paths = OpenApiDocument.of(served).getJsonObject("paths");
      assertThat(paths.fieldNames())
          .containsExactlyInAnyOrder(
              "/v1/check",
              "/v1/decide",
              "/v1/release",
              "/json",
              "/healthz",
              "/readyz",
              "/healthcheck",
              "/openapi.json",
              "/",
              "/metrics",
              "/rlconfig",
              "/stats",
              "/rules",
              "/callers",
              "/callers/reveal",
              "/live",
              "/explain",
              "/actions",
              "/actions/{id}",
              "/reset",
              "/login",
              "/logout",
              "/session");
      for (String path : paths.fieldNames()) {
        if (path.equals("/live")) {
          continue; // it does not end; LiveTest reads it
        }
        Set<String> methods = new HashSet<>(paths.getJsonObject(path).fieldNames());
        methods.remove("servers");
        for (String method : methods) {
          for (String body :
              List.of("", "{}", "{" + ALL + "}", " ".repeat(RequestBodies.MAX_BYTES + 1))) {
            conforms(
                served,
                OpenApiDocument.send(served, method.toUpperCase(Locale.ROOT), path, body),
                path,
                method);
          }
        }
      }
      for (String path : List.of("/v1/decide", "/v1/release", "/json")) {
        conforms(served, served.postWith(path, "{}"), path, "post");
        conforms(served, served.postWith(path, "{}", "Origin", "null"), path, "post");
      }
      for (String path :
          List.of("/callers/reveal", "/explain", "/reset", "/actions", "/login", "/logout")) {
        conforms(served, served.adminWith("POST", path, "{}"), path, "post");
        conforms(served, served.admin("POST", path, "{}", "Origin", "null"), path, "post");
      }
      for (String path : List.of("/v1/decide", "/v1/release")) {
        HttpResponse<String> wrong = OpenApiDocument.send(served, "PUT", path, "{}");
        assertThat(wrong.statusCode()).isEqualTo(405);
        conforms(served, wrong, path, "post");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{" + ALL + "}",
        "{\"cost\": 0, " + ALL + "}",
        "{\"cost\": null, " + ALL + "}",
        "{\"cost\": 6, " + ALL + "}",
        "{\"operation\": \"peek\", " + ALL + "}",
        "{\"operation\": \"refund\", " + ALL + "}",
        "{\"operation\": \"charge\", \"cost\": 9, " + ALL + "}",
        "{\"operation\": \"peek\", \"values\": {\"path\": \"/closed\"}}",
        "{\"values\": {\"path\": \"/closed\"}}",
        "{\"values\": {\"path\": \"/of-no-rule\"}}",
        "{\"load\": {\"inFlight\": 0}, " + ALL + "}",
        "{\"load\": {\"inFlight\": 10, \"queueDelayMillis\": 7}, " + ALL + "}",
        "{\"values\": {\"path\": \"/all\", \"header x-unread\": \"\", \"entry Un read\": \"\"}}",
        "{\"requests\": [{" + ALL + "}, {\"cost\": 5, " + ALL + "}, {\"values\": {}}]}",
      })
  void decisionsConform(String body) {
    try (TestServer served = TestServer.with(RULES)) {
      JsonObject document = OpenApiDocument.of(served);
      JsonObject asked =
          OpenApiDocument.operation(document, "/v1/decide", "post")
              .getJsonObject("requestBody")
              .getJsonObject("content")
              .getJsonObject("application/json")
              .getJsonObject("schema");
      assertThat(new Schema(document).problems(new JsonObject(body), asked)).isEmpty();
      for (int i = 0; i < 8; i++) {
        HttpResponse<String> response = served.post("/v1/decide", body);
        assertThat(response.statusCode()).isEqualTo(200);
        conforms(served, response, "/v1/decide", "post");
      }
    }
  }

  @Test
  void requestsRejectedByTheServerViolateTheDocument() {
    try (TestServer served = TestServer.with(RULES)) {
      JsonObject document = OpenApiDocument.of(served);
      Schema schema = new Schema(document);
      for (String body :
          List.of(
              "{}",
              "{\"values\": 1}",
              "{\"values\": {\"path\": 1}}",
              "{\"values\": {\"pth\": \"/\"}}",
              "{\"values\": {\"Path\": \"/\"}}",
              "{\"values\": {\"header X-Key\": \"k\"}}",
              "{\"values\": {\"ip exact\": \"10.0.0.1\"}}",
              "{\"values\": {\"entry \": \"e\"}}",
              "{\"values\": {}, \"cost\": -1}",
              "{\"values\": {}, \"cost\": 1.5}",
              "{\"values\": {}, \"cost\": 2251799813685249}",
              "{\"values\": {}, \"operation\": \"TAKE\"}",
              "{\"values\": {}, \"operation\": null}",
              "{\"values\": {}, \"more\": 1}",
              "{\"values\": {}, \"load\": {}}",
              "{\"values\": {}, \"load\": {\"inFlight\": -1}}",
              "{\"values\": {\"path\": \"" + "x".repeat(8_193) + "\"}}",
              "{\"requests\": []}",
              "{\"requests\": [{\"requests\": [{\"values\": {}}]}]}",
              "{\"requests\": [{\"values\": {}}], \"values\": {}}")) {
        HttpResponse<String> response = served.post("/v1/decide", body);
        assertThat(response.statusCode()).as(body).isEqualTo(400);
        conforms(served, response, "/v1/decide", "post");
        JsonObject json = new JsonObject(body);
        assertThat(schema.problems(json, schema.resolve("#/components/schemas/Request")))
            .as(body)
            .isNotEmpty();
        assertThat(schema.problems(json, schema.resolve("#/components/schemas/Batch")))
            .as(body)
            .isNotEmpty();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{" + ALL + "}",
        "{\"cost\": 7, " + ALL + "}",
        "{\"request\": {\"method\": \"GET\", \"target\": \"/all?x\"}}",
        "{\"request\": {\"method\": \"get\", \"target\": \"/closed\", \"headers\": [\"X-Key: k\"],"
            + " \"peer\": \"::1\"}, \"values\": {\"entry a\": \"b\"}}",
      })
  void explanationsAndResetsConform(String body) {
    try (TestServer served = TestServer.with(RULES)) {
      Schema schema = new Schema(OpenApiDocument.of(served));
      JsonObject question = schema.resolve("#/components/schemas/Question");
      assertThat(schema.problems(new JsonObject(body), question)).isEmpty();
      for (String path : List.of("/explain", "/reset")) {
        HttpResponse<String> response = served.admin("POST", path, body);
        assertThat(response.statusCode()).isEqualTo(200);
        conforms(served, response, path, "post");
      }
      String shared = new JsonObject(body).put("shared", true).encode();
      assertThat(schema.problems(new JsonObject(shared), question)).isEmpty();
      conforms(served, served.admin("POST", "/reset", shared), "/reset", "post");
    }
  }

  @Test
  void releasesConform() {
    try (TestServer served = TestServer.with(RULES)) {
      String permit = served.decide("{" + ALL + "}").getString("permit");
      for (String body :
          List.of("{\"permit\": \"" + permit + "\"}", "{\"permit\": \"x\"}", "{\"permit\": 1}")) {
        conforms(served, served.post("/v1/release", body), "/v1/release", "post");
      }
    }
  }

  @Test
  void denialsConformAndEveryDocumentedHeaderIsSent() {
    try (TestServer served = TestServer.with(RULES)) {
      HttpResponse<String> allowed = served.get("/v1/check/");
      assertThat(allowed.statusCode()).isEqualTo(200);
      headersAreSent(served, allowed);
      served.get("/v1/check/");
      for (String query : List.of("", "?body=plain", "?deny=403", "?deny=403&body=plain")) {
        HttpResponse<String> denied =
            served.get("/v1/check" + query, TestServer.forwardedHeaders("/"));
        assertThat(denied.statusCode()).isEqualTo(query.contains("403") ? 403 : 429);
        conforms(served, denied, "/v1/check", "get");
        headersAreSent(served, denied);
      }
      for (String query : List.of("", "?body=plain")) {
        conforms(
            served,
            served.get("/v1/check" + query, TestServer.forwardedHeaders("/closed")),
            "/v1/check",
            "get");
      }
    }
  }

  @Test
  void delayedRequestIsReportedAsDocumented() {
    String rules = "rules: [{name: flow, limit: 1/minute, algorithm: leaky-bucket, queue: 9}]";
    try (TestServer served = TestServer.with(rules)) {
      served.get("/v1/check/");
      HttpResponse<String> delayed = served.get("/v1/check/");
      assertThat(CheckTest.header(delayed, "Weir-Delay-Ms")).matches("[0-9]+");
      assertThat(OpenApiDocument.headers(served, delayed)).contains("Weir-Delay-Ms");
    }
  }

  @Test
  void degradedDecisionIsReportedAsDocumented() {
    String rules =
        "rules: [{name: here, match: {path: /here}, limit: 1/hour, when-store-fails: local},"
            + " {name: open, match: {path: /open}, limit: 1/hour, when-store-fails: allow}]";
    FaultyStore store = new FaultyStore();
    try (TestServer served = TestServer.with(rules, ServerSettings.DEFAULT, store)) {
      store.gone = true;
      for (String path : List.of("/open", "/here", "/here")) {
        String word = path.equals("/here") ? "local" : "allow";
        HttpResponse<String> decided =
            served.post("/v1/decide", "{\"values\": {\"path\": \"" + path + "\"}}");
        conforms(served, decided, "/v1/decide", "post");
        assertThat(new JsonObject(decided.body()).getString("degraded")).isEqualTo(word);
        HttpResponse<String> checked = served.get("/v1/check" + path);
        assertThat(checked.statusCode()).isEqualTo(path.equals("/here") ? 429 : 200);
        conforms(served, checked, "/v1/check", "get");
        assertThat(CheckTest.header(checked, "Weir-Degraded")).isEqualTo(word);
        assertThat(OpenApiDocument.headers(served, checked)).contains("Weir-Degraded");
      }
      conforms(served, served.get("/readyz"), "/readyz", "get");
      HttpResponse<String> ready = served.admin("GET", "/readyz", "");
      conforms(served, ready, "/readyz", "get");
      assertThat(new JsonObject(ready.body()).getJsonObject("store").fieldNames())
          .contains("kind", "answers", "breaker", "servers", "pendingKeys", "whenStoreFails");
    }
  }

  private static void headersAreSent(TestServer served, HttpResponse<String> response) {
    Set<String> documented = OpenApiDocument.headers(served, response);
    documented.removeAll(Set.of("Weir-Delay-Ms", "Weir-Degraded"));
    assertThat(documented).hasSizeGreaterThanOrEqualTo(5);
    for (String name : documented) {
      assertThat(response.headers().firstValue(name)).as(name).isPresent();
    }
  }
}
