package dev.weir.gateway;

import dev.weir.server.listen.StreamedRequests;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;

/**
 * Gets rid of the body of a request that was answered without reading it. A small rest is read, so
 * that the client sees the answer and can use the connection again; beyond that the connection is
 * closed.
 */
final class UnreadBody {
  private static final long MAX_BYTES = 1 << 20;
  private static final long MAX_MILLIS = 5_000;
  private static final long NO_ERROR = 0;

  private final HttpServerRequest request;
  private long bytes;

  private UnreadBody(HttpServerRequest request) {
    this.request = request;
  }

  /** Reads and drops the rest of a request. Call it on its event loop, after the response. */
  static void discard(HttpServerRequest request) {
    if (request.isEnded()) {
      return;
    }
    if (StreamedRequests.hasNoBody(request)) {
      request.resume();
    } else if (request.version() == HttpVersion.HTTP_2) {
      request.handler(dropped -> {});
      request.resume();
      Vertx.currentContext().runOnContext(arrived -> stop(request));
    } else {
      new UnreadBody(request).drop();
    }
  }

  /** Asks the client to send no more, unless it has sent everything. */
  private static void stop(HttpServerRequest request) {
    if (!request.isEnded()) {
      var unused = request.response().reset(NO_ERROR);
    }
  }

  private void drop() {
    long timer =
        Vertx.currentContext().owner().setTimer(MAX_MILLIS, late -> request.connection().close());
    request.handler(
        part -> {
          bytes += part.length();
          if (bytes > MAX_BYTES) {
            var unused = request.connection().close();
          }
        });
    request.endHandler(end -> Vertx.currentContext().owner().cancelTimer(timer));
    request.exceptionHandler(gone -> Vertx.currentContext().owner().cancelTimer(timer));
    request.resume();
  }
}
