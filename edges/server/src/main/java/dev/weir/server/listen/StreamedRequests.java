package dev.weir.server.listen;

import dev.weir.server.transport.Streams;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.impl.HttpServerConnection;

/** Requests whose edge streams them, and bounds their time itself. */
public final class StreamedRequests {
  private StreamedRequests() {}

  /**
   * Leaves the time of a request to its edge, once its headers are complete. Call it before the
   * body is read, on the event loop of the request.
   */
  public static void begin(HttpServerRequest request) {
    if (request.version() == HttpVersion.HTTP_2) {
      Streams.markProxied(request);
    } else if (request.connection() instanceof HttpServerConnection own) {
      Http1RequestGuard.streamBodies(own.channelHandlerContext().pipeline());
    }
  }

  /** Whether a request has no body; call it on the event loop, when the headers have arrived. */
  public static boolean hasNoBody(HttpServerRequest request) {
    String length = request.getHeader("Content-Length");
    if (length != null && !length.equals("0")) {
      return false;
    }
    if (request.version() == HttpVersion.HTTP_2) {
      return Streams.hasNoBody(request) && !mayBeUpgraded(request);
    }
    return !request.headers().contains("Transfer-Encoding");
  }

  /**
   * Whether the request may have come before the upgrade from HTTP/1.1: then its stream is closed
   * from the beginning, whether it has a body or not.
   */
  private static boolean mayBeUpgraded(HttpServerRequest request) {
    String method = request.method().name();
    return request.streamId() == 1 && !method.equals("GET") && !method.equals("HEAD");
  }
}
