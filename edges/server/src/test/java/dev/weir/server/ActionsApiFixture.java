package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.memory.MemoryStore;
import dev.weir.server.settings.ServerSettings;
import dev.weir.testkit.time.ManualTicker;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** A server whose operators take actions; every answer is compared with the OpenAPI document. */
@Timeout(120)
abstract class ActionsApiFixture {
  static final String RULES =
      """
      identity: {key: header X-Key}
      rules:
        - {name: site, match: {path: /**}, limit: 100/hour, algorithm: fixed-window}
        - {name: each, match: {path: /**}, per: key, limit: 2/hour, algorithm: fixed-window}
        - {name: address, match: {path: /a}, per: ip, limit: 50/hour, algorithm: fixed-window}
      """;
  static final String WHY = "\"why\": \"a test\"";

  /** No window ends during a test. */
  final TestServer served =
      TestServer.with(
          RULES,
          ServerSettings.DEFAULT,
          new MemoryStore(1_000, ManualTicker.at(Duration.ofDays(20_000))));

  @AfterEach
  void stop() {
    served.close();
  }

  HttpResponse<String> post(String body) {
    HttpResponse<String> response = served.admin("POST", "/actions", body);
    OpenApiDocument.conforms(served, response, "/actions", "post");
    return response;
  }

  JsonObject take(String body) {
    HttpResponse<String> response = post(body);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
    JsonObject action = new JsonObject(response.body());
    assertThat(CheckTest.header(response, "Location"))
        .isEqualTo("/actions/" + action.getString("id"));
    return action;
  }

  String rejected(String body) {
    HttpResponse<String> response = post(body);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(400);
    return new JsonObject(response.body()).getString("detail");
  }

  HttpResponse<String> undo(String id) {
    HttpResponse<String> response = served.admin("DELETE", "/actions/" + id, "");
    OpenApiDocument.conforms(served, response, "/actions/{id}", "delete");
    return response;
  }

  JsonArray list() {
    HttpResponse<String> response = served.admin("GET", "/actions", "");
    OpenApiDocument.conforms(served, response, "/actions", "get");
    return new JsonObject(response.body()).getJsonArray("actions");
  }

  int check(String key) {
    return served.get("/v1/check/", "X-Key", key).statusCode();
  }

  JsonObject explained(String rule, String key) {
    String question =
        "{\"values\": {\"path\": \"/\", \"header x-key\": \"" + key + "\", \"ip\": \"192.0.2.1\"}}";
    HttpResponse<String> response = served.admin("POST", "/explain", question);
    OpenApiDocument.conforms(served, response, "/explain", "post");
    JsonArray rules = new JsonObject(response.body()).getJsonArray("rules");
    return IntStream.range(0, rules.size())
        .mapToObj(rules::getJsonObject)
        .filter(one -> one.getString("rule").equals(rule))
        .findFirst()
        .orElseThrow();
  }

  JsonObject rule(String name) {
    HttpResponse<String> response = served.admin("GET", "/rules", "");
    OpenApiDocument.conforms(served, response, "/rules", "get");
    JsonArray rules = new JsonObject(response.body()).getJsonArray("rules");
    return IntStream.range(0, rules.size())
        .mapToObj(rules::getJsonObject)
        .filter(one -> one.getString("name").equals(name))
        .findFirst()
        .orElseThrow();
  }
}
