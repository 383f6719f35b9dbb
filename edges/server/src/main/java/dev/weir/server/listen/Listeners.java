package dev.weir.server.listen;

import dev.weir.server.metrics.HttpStats;
import dev.weir.server.metrics.HttpStats.Endpoint;
import dev.weir.server.reply.Replies;
import dev.weir.server.settings.ListenAddress;
import dev.weir.server.tls.Tls;
import dev.weir.server.tls.TlsReload;
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
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.SocketAddress;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The ports that a server listens on, and the checks for requests on all of them. One thread opens
 * the ports; any thread may close them.
 */
public final class Listeners {
  private static final int REFUSED_STREAM = 7;
  private static final int SHUTDOWN_SECONDS = 10;

  /**
   * An address to listen on, and how.
   *
   * @param port 0 for any free port
   * @param tls null for plain text
   * @param limits the maximum number of connections
   */
  public record Where(String host, int port, @Nullable Tls tls, ConnectionLimits limits) {
    /** An address for operators, with the limits for them. */
    public Where(String host, int port, @Nullable Tls tls) {
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
  private final Consumer<SocketAddress> onClose;
  private final CopyOnWriteArrayList<HttpServer> servers = new CopyOnWriteArrayList<>();
  private int lastShared;

  /**
   * Listens on nothing yet.
   *
   * @param onClose gets the peer of every closed connection
   */
  public Listeners(
      Vertx vertx,
      HttpStats stats,
      Drain drain,
      ConnectionGates gates,
      Streams streams,
      Consumer<SocketAddress> onClose) {
    this.gates = gates;
    this.streams = streams;
    this.vertx = vertx;
    this.stats = stats;
    this.drain = drain;
    this.onClose = onClose;
  }

  /**
   * Listens for HTTP, with the usual options.
   *
   * @param instances the number of event loops that serve the port
   * @param endpoint under which to count a request
   * @return the port: the configured one, or a free one for 0
   * @throws CannotListen if the port is in use, for example
   */
  public int listen(
      int instances,
      Where where,
      Function<HttpServerRequest, Endpoint> endpoint,
      Consumer<HttpServerRequest> edge) {
    return listen(instances, where, unchanged -> {}, endpoint, edge);
  }

  /**
   * Listens for HTTP.
   *
   * @param instances the number of event loops that serve the port
   * @param configure adjusts the options of the listener
   * @param endpoint under which to count a request
   * @return the port: the configured one, or a free one for 0
   * @throws CannotListen if the port is in use, for example
   */
  public int listen(
      int instances,
      Where where,
      Consumer<HttpServerOptions> configure,
      Function<HttpServerRequest, Endpoint> endpoint,
      Consumer<HttpServerRequest> edge) {
    return bind(instances, where, configure, request -> handle(request, endpoint, edge));
  }

  /**
   * Listens for gRPC, whose calls the service itself counts.
   *
   * @param configure adjusts the options of the listener
   * @return the port: the configured one, or a free one for 0
   * @throws CannotListen if the port is in use, for example
   */
  public int listenGrpc(
      int instances,
      Where where,
      Consumer<HttpServerOptions> configure,
      Consumer<HttpServerRequest> edge) {
    return bind(instances, where, configure, request -> handle(request, null, edge));
  }

  private int bind(
      int instances,
      Where where,
      Consumer<HttpServerOptions> configure,
      Consumer<HttpServerRequest> edge) {
    HttpServerOptions options = options(where);
    configure.accept(options);
    gates.limit(options.getPort(), where.address().toString(), where.limits);
    List<HttpServer> started = listen(instances, where, options, edge);
    servers.addAll(started);
    if (where.tls != null) {
      TlsReload.watch(vertx, where.tls, started, () -> options(where).getSslOptions());
    }
    return started.get(0).actualPort();
  }

  /**
   * The port for Vert.x, where a negative number is any free port, shared by all listeners of that
   * number.
   */
  private int sharedPort(int port) {
    return port == 0 ? --lastShared : port;
  }

  private HttpServerOptions options(Where where) {
    return ListenerOptions.of(where.host, sharedPort(where.port), where.tls);
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
                    server.invalidRequestHandler(Listeners.this::onInvalid);
                    server.connectionHandler(Listeners.this::onConnect);
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

  private void onConnect(HttpConnection connection) {
    SocketAddress peer = connection.remoteAddress(); // unknown once the connection is closed
    drain.onConnect(connection);
    streams.track(connection);
    connection.closeHandler(
        end -> {
          drain.onClose(connection);
          onClose.accept(peer);
        });
  }

  /** Checks a request and passes it on; an exception becomes a response, and the server goes on. */
  private void handle(
      HttpServerRequest request,
      @Nullable Function<HttpServerRequest, Endpoint> endpoint,
      Consumer<HttpServerRequest> edge) {
    try {
      MultiMap headers = request.headers();
      HeaderSize weight = null;
      if (request.version() == HttpVersion.HTTP_2) {
        weight = HeaderSize.of(headers);
        if (!streams.admit(request, weight.bytes())) {
          var unused = request.response().reset(REFUSED_STREAM);
          return;
        }
      }
      drain.onRequest(request);
      if (!RequestTarget.hasPath(request, stats)) {
        return;
      }
      if (endpoint != null) {
        TimedRequest.begin(stats, endpoint.apply(request), request);
      }
      if (weight != null && weight.isTooLarge()) {
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
    Replies.error(request, 431, HeaderSize.tooLargeMessage());
  }

  /** Answers input that is not valid HTTP with the reason, and closes the connection. */
  private void onInvalid(HttpServerRequest request) {
    TimedRequest.begin(stats, Endpoint.INVALID, request);
    Throwable cause = request.decoderResult().cause();
    if (cause instanceof TooLongHttpLineException) {
      Replies.error(
          request,
          414,
          "target: too long (expected: at most " + ListenerOptions.MAX_LINE_BYTES + ")");
    } else if (cause instanceof TooLongHttpHeaderException
        || cause instanceof RejectedHeads.TooManyFields) {
      tooLargeHeaders(request);
    } else if (cause instanceof RejectedHeads.OtherVersion) {
      Replies.error(request, 400, "version: not supported (expected: HTTP/1.1, HTTP/1.0, HTTP/2)");
    } else {
      Replies.error(request, 400, "not a request of HTTP/1.1");
    }
    var unused = request.connection().close();
  }

  /** Stops listening on a port. */
  public void close(int port) {
    List<HttpServer> onPort = servers.stream().filter(one -> one.actualPort() == port).toList();
    servers.removeAll(onPort);
    Future.join(onPort.stream().map(HttpServer::close).toList()).await();
  }

  /** Waits for requests in flight on all ports at once: each port may wait for a slow request. */
  public void shutdown() {
    drain.end();
    Future.join(
            servers.stream()
                .map(server -> server.shutdown(SHUTDOWN_SECONDS, TimeUnit.SECONDS))
                .toList())
        .await();
  }
}
