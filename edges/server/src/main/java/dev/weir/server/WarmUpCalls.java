package dev.weir.server;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Separates the calls of the warm-up from those of clients, on the same ports. Safe for use by any
 * number of threads.
 */
final class WarmUpCalls {
  /** Abandoned calls may be read so late, and must not be taken for those of a client. */
  private static final long ABANDONED_MILLIS = 1_000;

  private volatile @Nullable WarmUp warmUp;

  /** The warm-up begins: from now on there may be calls of it. */
  void begin(WarmUp warming) {
    warmUp = warming;
  }

  /** The warm-up has ended, and sends no more calls. */
  void end(Vertx vertx) {
    vertx.setTimer(ABANDONED_MILLIS, now -> warmUp = null);
  }

  /** Answers a request on the traffic port. */
  void onTraffic(HttpServerRequest request, Consumer<HttpServerRequest> clientEdge) {
    WarmUp current = warmUp;
    if (current != null && current.owns(request)) {
      current.onTraffic(request);
    } else {
      clientEdge.accept(request);
    }
  }

  /** Answers a request on the gRPC port. */
  void onGrpc(HttpServerRequest request, Consumer<HttpServerRequest> clientEdge) {
    WarmUp current = warmUp;
    if (current != null && current.owns(request)) {
      current.onGrpc(request);
    } else {
      clientEdge.accept(request);
    }
  }

  /** Called when any connection is closed. */
  void onClosed(SocketAddress peer) {
    WarmUp current = warmUp;
    if (current != null) {
      current.onClosed(peer);
    }
  }
}
