package dev.weir.server;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Tells the calls by which a server warms up from those of clients, on the same ports. */
final class OwnCalls {
  /** Calls that were given up may be read so late, and must not pass for a client's. */
  private static final long GIVEN_UP_MILLIS = 1_000;

  private volatile @Nullable WarmUp warmUp;

  /** From now on there may be some. */
  void begin(WarmUp one) {
    warmUp = one;
  }

  /** No more come. */
  void end(Vertx vertx) {
    vertx.setTimer(GIVEN_UP_MILLIS, now -> warmUp = null);
  }

  /** Answers a request on the port for traffic. */
  void onTraffic(HttpServerRequest request, Consumer<HttpServerRequest> ofClients) {
    WarmUp now = warmUp;
    if (now != null && now.owns(request)) {
      now.onTraffic(request);
    } else {
      ofClients.accept(request);
    }
  }

  /** Answers a request on the port for gRPC. */
  void onGrpc(HttpServerRequest request, Consumer<HttpServerRequest> ofClients) {
    WarmUp now = warmUp;
    if (now != null && now.owns(request)) {
      now.onGrpc(request);
    } else {
      ofClients.accept(request);
    }
  }

  void onClosed(SocketAddress peer) {
    WarmUp now = warmUp;
    if (now != null) {
      now.forget(peer);
    }
  }
}
