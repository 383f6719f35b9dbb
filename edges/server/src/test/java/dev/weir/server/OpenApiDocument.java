package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.Json;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.HashSet;
import java.util.Set;

/** The OpenAPI document that a server publishes. */
public final class OpenApiDocument {
  private OpenApiDocument() {}

  /** The documented headers of a response to a check. */
  static Set<String> headers(TestServer served, HttpResponse<String> response) {
    return new HashSet<>(
        operation(of(served), "/v1/check", "get")
            .getJsonObject("responses")
            .getJsonObject("" + response.statusCode())
            .getJsonObject("headers")
            .fieldNames());
  }

  /** Sends a request to the port that the document names for its path. */
  static HttpResponse<String> send(TestServer served, String method, String path, String body) {
    boolean admin = of(served).getJsonObject("paths").getJsonObject(path).containsKey("servers");
    return admin
        ? served.admin(method, path.replace("{id}", "unknown"), body)
        : served.send(
            HttpRequest.newBuilder(served.uri(path))
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(body))
                .build());
  }

  static JsonObject of(TestServer served) {
    return new JsonObject(served.get("/openapi.json").body());
  }

  static JsonObject operation(JsonObject document, String path, String method) {
    return document.getJsonObject("paths").getJsonObject(path).getJsonObject(method);
  }

  /** Asserts that status, media type and body of a response are as documented. */
  public static void conforms(
      TestServer served, HttpResponse<String> response, String path, String method) {
    JsonObject document = of(served);
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
