package dev.weir.server.grpc;

import dev.weir.server.listen.RequestBodies;
import dev.weir.server.reply.Replies;
import dev.weir.server.transport.ByteBudget;
import dev.weir.server.transport.Streams;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.concurrent.TimeUnit;

/** The edge on the gRPC port, as requests of HTTP/2. Safe for use by any number of threads. */
public final class GrpcEdge {
  /** Concurrent streams on one connection; a client that needs more opens another connection. */
  public static final int MAX_STREAMS = 500;

  private static final int CONNECTION_WINDOW_BYTES = 1 << 20;

  /** Long, so that a proxy keeps its connection through a quiet night. */
  private static final int IDLE_SECONDS = 3_600;

  /** A proxy with a timeout of 20 ms cancels many calls while the store is slow. */
  private static final int MAX_RESETS_PER_SECOND = 5_000;

  private static final int CANCEL = 8;
  private static final String REFLECTION = "/grpc.reflection.";
  private static final String WATCH = "/grpc.health.v1.Health/Watch";

  private final RlsService service;
  private final RequestBodies bodies;
  private final Reflections reflections;

  /** An edge in front of a service. */
  public GrpcEdge(RlsService service, RequestBodies bodies) {
    this.service = service;
    this.bodies = bodies;
    this.reflections = new Reflections(service);
  }

  /** Sets options for few connections with very many calls on each. */
  public static void suit(HttpServerOptions options) {
    options
        .setInitialSettings(options.getInitialSettings().setMaxConcurrentStreams(MAX_STREAMS))
        .setHttp2ConnectionWindowSize(CONNECTION_WINDOW_BYTES)
        .setHttp2RstFloodMaxRstFramePerWindow(MAX_RESETS_PER_SECOND)
        .setHttp2RstFloodWindowDuration(1)
        .setHttp2RstFloodWindowDurationTimeUnit(TimeUnit.SECONDS)
        .setReadIdleTimeout(IDLE_SECONDS);
  }

  /** Answers a request. */
  public void handle(HttpServerRequest request) {
    if (request.version() != HttpVersion.HTTP_2) {
      Replies.error(request, 415, "HTTP/1 (expected: gRPC, which is HTTP/2)");
      return;
    }
    if (!request.headers().contains("grpc-encoding")) {
      // Without it Vert.x leaves a call open whose message is marked as compressed.
      request.headers().set("grpc-encoding", HttpHeaders.IDENTITY);
    }
    String path = request.path();
    ByteBudget.Share share = bodies.share();
    bodies.watch(request, share, () -> request.response().reset(CANCEL));
    if (path.equals(WATCH) && !Streams.markLongLived(request)) {
      RlsService.refuse(request, "too many watch at once");
    } else if (path.startsWith(REFLECTION)) {
      reflections.handle(request, share);
    } else {
      service.handle(request, share);
    }
  }
}
