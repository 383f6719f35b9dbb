package dev.weir.server;

import dev.weir.server.stats.HttpStats;
import dev.weir.server.stats.HttpStats.Endpoint;
import dev.weir.server.transport.ConnectionGates;
import dev.weir.server.transport.ConnectionLimits;
import dev.weir.server.transport.Streams;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.SocketAddress;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The ports that a server listens on, and what holds for requests on all of them. */
final class Listeners {
  /**
   * Beyond this HTTP/2 ends the connection, with all that others ask on it: so it is more than a
   * gateway passes on (60 KiB for Envoy). What is beyond the other bound is refused by itself.
   */
  private static final int MAX_HTTP2_HEADER_BYTES = 128 << 10;

  private static final int REFUSED_STREAM = 7;
  private static final int MAX_LINE_BYTES = 8 << 10;
  private static final int MAX_STREAMS = 100;
  private static final int IDLE_SECONDS = 75;
  private static final int SHUTDOWN_SECONDS = 10;

  /**
   * An address, how it is spoken to, and how many may connect.
   *
   * @param limits of connections
   */
  record Where(String host, int port, @Nullable Tls tls, ConnectionLimits limits) {
    /** For operators. */
    Where(String host, int port, @Nullable Tls tls) {
      this(host, port, tls, ConnectionLimits.FOR_OPERATORS);
    }

    ListenAddress address() {
      return new ListenAddress(host, port);
    }
  }

  private final Vertx vertx;
  private final HttpStats stats;
  private final Drain drain;
  private final ConnectionGates gates;
  private final Streams streams;
  private final Consumer<SocketAddress> closed;
  private final CopyOnWriteArrayList<HttpServer> servers = new CopyOnWriteArrayList<>();
  private int lastShared;

  /**
   * @param closed hears whose connection is closed
   */
  Listeners(
      Vertx vertx,
      HttpStats stats,
      Drain drain,
      ConnectionGates gates,
      Streams streams,
      Consumer<SocketAddress> closed) {
    this.gates = gates;
    this.streams = streams;
    this.vertx = vertx;
    this.stats = stats;
    this.drain = drain;
    this.closed = closed;
  }

  /**
   * Listens, and tells the port: the one that is asked for, or any that is free for 0.
   *
   * @param endpoint under which a request is counted
   * @throws CannotListen if it cannot, because the port is taken for one
   */
  int listen(
      int instances,
      Where where,
      Function<HttpServerRequest, Endpoint> endpoint,
      Consumer<HttpServerRequest> edge) {
    return bind(instances, where, same -> {}, request -> guarded(request, endpoint, edge));
  }

  /**
   * The same for gRPC, whose calls are counted by the service itself.
   *
   * @param suit changes options as suits what listens
   */
  int listenGrpc(
      int instances,
      Where where,
      Consumer<HttpServerOptions> suit,
      Consumer<HttpServerRequest> edge) {
    return bind(instances, where, suit, request -> guarded(request, null, edge));
  }

  private int bind(
      int instances,
      Where where,
      Consumer<HttpServerOptions> suit,
      Consumer<HttpServerRequest> edge) {
    HttpServerOptions options = options(where);
    suit.accept(options);
    gates.limit(options.getPort(), where.address().toString(), where.limits);
    List<HttpServer> started = listen(instances, where, options, edge);
    servers.addAll(started);
    if (where.tls != null) {
      TlsReload.watch(vertx, where.tls, started, () -> options(where).getSslOptions());
    }
    return started.get(0).actualPort();
  }

  /**
   * To Vert.x a negative port is any that is free, but the same for all that listen on that number.
   */
  private int sharedPort(int wanted) {
    return wanted == 0 ? --lastShared : wanted;
  }

  private HttpServerOptions options(Where where) {
    HttpServerOptions options =
        new HttpServerOptions()
            .setHost(where.host)
            .setPort(sharedPort(where.port))
            .setMaxHeaderSize(HeaderWeight.MAX_CHARS)
            .setMaxInitialLineLength(MAX_LINE_BYTES)
            .setInitialSettings(
                new Http2Settings()
                    .setMaxConcurrentStreams(MAX_STREAMS)
                    .setMaxHeaderListSize(MAX_HTTP2_HEADER_BYTES))
            .setReadIdleTimeout(IDLE_SECONDS);
    Tls tls = where.tls;
    if (tls != null) {
      options
          .setSsl(true)
          .setUseAlpn(true)
          .setKeyCertOptions(
              new PemKeyCertOptions()
                  .setCertPath(tls.certificate().toString())
                  .setKeyPath(tls.key().toString()));
      if (tls.clients() != null) {
        options
            .setClientAuth(ClientAuth.REQUIRED)
            .setTrustOptions(ClientTrust.of(tls.clients()).options());
      }
    }
    return options;
  }

  private List<HttpServer> listen(
      int instances, Where where, HttpServerOptions options, Consumer<HttpServerRequest> edge) {
    CopyOnWriteArrayList<HttpServer> started = new CopyOnWriteArrayList<>();
    Future<String> deployed =
        vertx.deployVerticle(
            () ->
                new VerticleBase() {
                  @Override
                  public Future<?> start() {
                    HttpServer server = vertx.createHttpServer(options);
                    server.requestHandler(edge::accept);
                    server.invalidRequestHandler(Listeners.this::invalid);
                    server.connectionHandler(Listeners.this::connected);
                    return server.listen().onSuccess(started::add);
                  }
                },
            new DeploymentOptions().setInstances(instances));
    try {
      var unused = deployed.toCompletionStage().toCompletableFuture().join();
    } catch (CompletionException e) {
      throw new CannotListen(where.address(), e.getCause() == null ? e : e.getCause());
    }
    return started;
  }

  private void connected(HttpConnection connection) {
    SocketAddress peer = connection.remoteAddress(); // which is not known any more in the end
    drain.connected(connection);
    streams.track(connection);
    connection.closeHandler(
        end -> {
          drain.closed(connection);
          closed.accept(peer);
        });
  }

  /** Whatever a request does to us, the client gets an answer and the server goes on. */
  private void guarded(
      HttpServerRequest request,
      @Nullable Function<HttpServerRequest, Endpoint> endpoint,
      Consumer<HttpServerRequest> edge) {
    try {
      MultiMap headers = request.headers();
      HeaderWeight weight = null;
      if (request.version() == HttpVersion.HTTP_2) {
        weight = HeaderWeight.of(headers);
        if (!streams.admit(request, weight.bytes())) {
          var unused = request.response().reset(REFUSED_STREAM);
          return;
        }
      }
      drain.requested(request);
      if (!RequestTarget.isPath(request, stats)) {
        return;
      }
      if (endpoint != null) {
        TimedRequest.begin(stats, endpoint.apply(request), request);
      }
      if (weight != null && weight.isTooMuch()) {
        tooLargeHeaders(request);
        return;
      }
      if (headers.contains(HttpHeaders.HOST) && headers.getAll(HttpHeaders.HOST).size() > 1) {
        Replies.error(request, 400, "Host: several (expected: one)");
        return;
      }
      edge.accept(request);
    } catch (RuntimeException e) {
      Replies.failed(request, e);
    }
  }

  private static void tooLargeHeaders(HttpServerRequest request) {
    Replies.error(request, 431, HeaderWeight.expected());
  }

  /** What is not HTTP gets a reason too, before the connection is closed. */
  private void invalid(HttpServerRequest request) {
    TimedRequest.begin(stats, Endpoint.INVALID, request);
    Throwable cause = request.decoderResult().cause();
    if (cause instanceof TooLongHttpLineException) {
      Replies.error(request, 414, "target: too long (expected: at most " + MAX_LINE_BYTES + ")");
    } else if (cause instanceof TooLongHttpHeaderException
        || cause instanceof RefusedHeads.TooManyFields) {
      tooLargeHeaders(request);
    } else if (cause instanceof RefusedHeads.OtherVersion) {
      Replies.error(
          request, 400, "version: not spoken here (expected: HTTP/1.1, HTTP/1.0, HTTP/2)");
    } else {
      Replies.error(request, 400, "not a request of HTTP/1.1");
    }
    var unused = request.connection().close();
  }

  /** Stops listening on a port. */
  void close(int port) {
    List<HttpServer> there = servers.stream().filter(one -> one.actualPort() == port).toList();
    servers.removeAll(there);
    Future.join(there.stream().map(HttpServer::close).toList()).await();
  }

  /** Lets those in flight finish, all at once: each may wait for half a request that has come. */
  void shutdown() {
    drain.end();
    Future.join(
            servers.stream()
                .map(server -> server.shutdown(SHUTDOWN_SECONDS, TimeUnit.SECONDS))
                .toList())
        .await();
  }
}
