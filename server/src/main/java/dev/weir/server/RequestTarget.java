package dev.weir.server;

import dev.weir.server.stats.HttpStats;
import dev.weir.server.stats.HttpStats.Endpoint;
import io.vertx.core.http.HttpServerRequest;

/** Lets requests pass that ask for a path, and answers all others: no edge has to look for one. */
final class RequestTarget {
  private RequestTarget() {}

  /** Whether to go on with a request, and ask for its path; it has its answer, if not. */
  static boolean isPath(HttpServerRequest request, HttpStats stats) {
    // CONNECT of HTTP/2 has none, and then Vert.x has neither.
    if (request.uri() != null && request.path() != null) {
      return true;
    }
    TimedRequest.begin(stats, Endpoint.INVALID, request);
    Replies.error(request, 400, request.method() + " without a path (expected: a path)");
    return false;
  }
}
