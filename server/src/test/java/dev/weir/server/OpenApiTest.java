package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.Json;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The document that the server gives of itself is what it does. */
class OpenApiTest {
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
      """;
  private static final String ALL = "\"values\": {\"path\": \"/all\"}";

  @Test
  void everyPathAndMethodAnswersAsDocumented() {
    try (Served served = Served.with(RULES)) {
      JsonObject paths = document(served).getJsonObject("paths");
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
              "/explain",
              "/reset");
      for (String path : paths.fieldNames()) {
        Set<String> methods = new HashSet<>(paths.getJsonObject(path).fieldNames());
        methods.remove("servers");
        for (String method : methods) {
          for (String body : List.of("", "{}", "{" + ALL + "}", " ".repeat(Bodies.MAX_BYTES + 1))) {
            conforms(
                served, ask(served, method.toUpperCase(Locale.ROOT), path, body), path, method);
          }
        }
      }
      for (String path : List.of("/v1/decide", "/v1/release", "/json")) {
        conforms(served, served.postWith(path, "{}"), path, "post");
        conforms(served, served.postWith(path, "{}", "Origin", "null"), path, "post");
      }
      for (String path : List.of("/explain", "/reset")) {
        conforms(served, served.adminWith("POST", path, "{}"), path, "post");
        conforms(served, served.admin("POST", path, "{}", "Origin", "null"), path, "post");
      }
      for (String path : List.of("/v1/decide", "/v1/release")) {
        HttpResponse<String> wrong = ask(served, "PUT", path, "{}");
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
        "{\"operation\": \"settle\", \"cost\": 9, " + ALL + "}",
        "{\"operation\": \"peek\", \"values\": {\"path\": \"/closed\"}}",
        "{\"values\": {\"path\": \"/closed\"}}",
        "{\"values\": {\"path\": \"/of-no-rule\"}}",
        "{\"values\": {\"path\": \"/all\", \"header x-unread\": \"\", \"entry Un read\": \"\"}}",
        "{\"requests\": [{" + ALL + "}, {\"cost\": 5, " + ALL + "}, {\"values\": {}}]}",
      })
  void decisionsConform(String body) {
    try (Served served = Served.with(RULES)) {
      JsonObject document = document(served);
      JsonObject asked =
          operation(document, "/v1/decide", "post")
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
  void whatIsRefusedByTheServerIsRefusedByTheDocument() {
    try (Served served = Served.with(RULES)) {
      JsonObject document = document(served);
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
    try (Served served = Served.with(RULES)) {
      Schema schema = new Schema(document(served));
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
    try (Served served = Served.with(RULES)) {
      String permit = served.decide("{" + ALL + "}").getString("permit");
      for (String body :
          List.of("{\"permit\": \"" + permit + "\"}", "{\"permit\": \"x\"}", "{\"permit\": 1}")) {
        conforms(served, served.post("/v1/release", body), "/v1/release", "post");
      }
    }
  }

  @Test
  void denialsConformAndEveryDocumentedHeaderIsSent() {
    try (Served served = Served.with(RULES)) {
      HttpResponse<String> allowed = served.get("/v1/check/");
      assertThat(allowed.statusCode()).isEqualTo(200);
      headersAreSent(served, allowed);
      served.get("/v1/check/");
      for (String query : List.of("", "?body=plain", "?deny=403", "?deny=403&body=plain")) {
        HttpResponse<String> denied = served.get("/v1/check" + query, Served.told("/"));
        assertThat(denied.statusCode()).isEqualTo(query.contains("403") ? 403 : 429);
        conforms(served, denied, "/v1/check", "get");
        headersAreSent(served, denied);
      }
      for (String query : List.of("", "?body=plain")) {
        conforms(
            served, served.get("/v1/check" + query, Served.told("/closed")), "/v1/check", "get");
      }
    }
  }

  @Test
  void aRequestThatIsDelayedSaysSoAsDocumented() {
    String rules = "rules: [{name: flow, limit: 1/minute, algorithm: leaky-bucket, queue: 9}]";
    try (Served served = Served.with(rules)) {
      served.get("/v1/check/");
      HttpResponse<String> delayed = served.get("/v1/check/");
      assertThat(CheckTest.header(delayed, "Weir-Delay-Ms")).matches("[0-9]+");
      assertThat(headers(served, delayed)).contains("Weir-Delay-Ms");
    }
  }

  @Test
  void whatIsDecidedWithoutTheStoreSaysSoAsDocumented() {
    String rules =
        "rules: [{name: here, match: {path: /here}, limit: 1/hour, when-store-fails: local},"
            + " {name: open, match: {path: /open}, limit: 1/hour, when-store-fails: allow}]";
    MoodyStore store = new MoodyStore();
    try (Served served = Served.with(rules, ServerSettings.DEFAULT, store)) {
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
        assertThat(headers(served, checked)).contains("Weir-Degraded");
      }
      conforms(served, served.get("/readyz"), "/readyz", "get");
      HttpResponse<String> ready = served.admin("GET", "/readyz", "");
      conforms(served, ready, "/readyz", "get");
      assertThat(new JsonObject(ready.body()).getJsonObject("store").fieldNames())
          .contains("kind", "answers", "breaker", "servers", "owing", "whenStoreFails");
    }
  }

  private static void headersAreSent(Served served, HttpResponse<String> response) {
    Set<String> documented = headers(served, response);
    documented.removeAll(Set.of("Weir-Delay-Ms", "Weir-Degraded"));
    assertThat(documented).hasSizeGreaterThanOrEqualTo(5);
    for (String name : documented) {
      assertThat(response.headers().firstValue(name)).as(name).isPresent();
    }
  }

  private static Set<String> headers(Served served, HttpResponse<String> response) {
    return new HashSet<>(
        operation(document(served), "/v1/check", "get")
            .getJsonObject("responses")
            .getJsonObject("" + response.statusCode())
            .getJsonObject("headers")
            .fieldNames());
  }

  private static HttpResponse<String> ask(Served served, String method, String path, String body) {
    boolean admin =
        document(served).getJsonObject("paths").getJsonObject(path).containsKey("servers");
    return admin
        ? served.admin(method, path, body)
        : served.send(
            HttpRequest.newBuilder(served.uri(path))
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(body))
                .build());
  }

  private static JsonObject document(Served served) {
    return new JsonObject(served.get("/openapi.json").body());
  }

  private static JsonObject operation(JsonObject document, String path, String method) {
    return document.getJsonObject("paths").getJsonObject(path).getJsonObject(method);
  }

  /** A status that is documented, a media type that is documented for it, and a body that fits. */
  static void conforms(Served served, HttpResponse<String> response, String path, String method) {
    JsonObject document = document(served);
    JsonObject responses = operation(document, path, method).getJsonObject("responses");
    String status = "" + response.statusCode();
    assertThat(responses.fieldNames()).as(path + " " + method).contains(status);
    JsonObject content = responses.getJsonObject(status).getJsonObject("content");
    if (content == null) {
      assertThat(response.body()).isEmpty();
      return;
    }
    String type = CheckTest.header(response, "Content-Type").replaceAll(";.*", "");
    assertThat(content.fieldNames()).as(path + " " + status).contains(type);
    Object body = type.endsWith("json") ? Json.decodeValue(response.body()) : response.body();
    assertThat(
            new Schema(document)
                .problems(body, content.getJsonObject(type).getJsonObject("schema")))
        .as(path + " " + status + " " + response.body())
        .isEmpty();
  }
}
