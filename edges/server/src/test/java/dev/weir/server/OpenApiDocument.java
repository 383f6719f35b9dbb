package dev.weir.server;

import io.vertx.core.json.JsonObject;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.HashSet;
import java.util.Set;

/** The OpenAPI document that a server publishes. */
final class OpenApiDocument {
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
}
