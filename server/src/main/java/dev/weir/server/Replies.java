package dev.weir.server;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Answers that every edge gives. */
final class Replies {
  private static final Logger LOG = System.getLogger(Replies.class.getName());

  private Replies() {}

  static void json(HttpServerRequest request, int status, JsonObject body) {
    var unused =
        request
            .response()
            .setStatusCode(status)
            .putHeader("Content-Type", "application/json")
            .putHeader("Cache-Control", "no-store")
            .end(body.encode());
  }

  static void text(HttpServerRequest request, int status, String body) {
    var unused =
        request
            .response()
            .setStatusCode(status)
            .putHeader("Content-Type", "text/plain; charset=utf-8")
            .end(body + "\n");
  }

  /** A problem document about the request itself, or about this server. */
  static void error(HttpServerRequest request, int status, String detail) {
    if (request.response().ended()) {
      return;
    }
    var unused =
        request
            .response()
            .setStatusCode(status)
            .putHeader("Content-Type", "application/problem+json")
            .putHeader("Cache-Control", "no-store")
            .end(problem(status, detail).encode());
  }

  static JsonObject problem(int status, String detail) {
    return new JsonObject().put("title", title(status)).put("status", status).put("detail", detail);
  }

  /** The client gets an answer, and the operator the reason. */
  static void failed(HttpServerRequest request, RuntimeException e) {
    LOG.log(Level.ERROR, "A request could not be answered", e);
    error(request, 500, "an error of this server");
  }

  private static String title(int status) {
    return switch (status) {
      case 400 -> "Bad request";
      case 401 -> "Unauthorized";
      case 404 -> "Not found";
      case 405 -> "Method not allowed";
      case 408 -> "Request timeout";
      case 413 -> "Content too large";
      case 414 -> "URI too long";
      case 431 -> "Request header fields too large";
      case 503 -> "Unavailable";
      default -> "Error";
    };
  }
}
