package dev.weir.gateway.proxy;

import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpVersion;
import java.util.concurrent.TimeUnit;

/** Ends requests to upstreams so that nothing of them meets another request. */
final class OutboundRequests {
  /** The code of HTTP/2 for a stream that is no longer needed. */
  static final long CANCEL = 8;

  private OutboundRequests() {}

  /** Ends a request that was answered before it was sent. */
  static void abandon(HttpClientRequest request) {
    var unused =
        request.version() == HttpVersion.HTTP_2
            ? request.reset(CANCEL)
            : request.connection().close();
  }

  /** Sends no more requests on the connection of a request. */
  static void leave(HttpClientRequest request) {
    if (request.version() != HttpVersion.HTTP_2) {
      var unused = request.connection().shutdown(1, TimeUnit.SECONDS);
    }
  }
}
