package dev.weir.server.listen;

import dev.weir.server.metrics.HttpStats;
import dev.weir.server.metrics.HttpStats.Endpoint;
import dev.weir.server.reply.Replies;
import io.vertx.core.http.HttpServerRequest;

/** Rejects requests without a path, so that no edge has to check for one. */
final class RequestTarget {
  private RequestTarget() {}

  /** Whether the request has a path; if not, it has been answered with an error. */
  static boolean hasPath(HttpServerRequest request, HttpStats stats) {
    // HTTP/2 CONNECT has no :path, and then Vert.x returns null for both.
    if (request.uri() != null && request.path() != null) {
      return true;
    }
    TimedRequest.begin(stats, Endpoint.INVALID, request);
    Replies.error(request, 400, request.method() + " without a path (expected: a path)");
    return false;
  }
}
