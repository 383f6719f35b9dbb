package dev.weir.server;

import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.PemKeyCertOptions;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The ports that a server listens on, and what holds for requests on all of them. */
final class Listeners {
  private static final int MOST_HEADER_BYTES = 32 << 10;
  private static final int MOST_LINE_BYTES = 8 << 10;
  private static final int IDLE_SECONDS = 75;
  private static final int SHUTDOWN_SECONDS = 10;

  /** An address, and how it is spoken to. */
  record Where(String host, int port, @Nullable Tls tls) {}

  private final Vertx vertx;
  private final CopyOnWriteArrayList<HttpServer> servers = new CopyOnWriteArrayList<>();
  private int lastShared;

  Listeners(Vertx vertx) {
    this.vertx = vertx;
  }

  /**
   * Listens, and tells the port: the one that is asked for, or any that is free for 0.
   *
   * @param suit changes options as suits what listens
   */
  int listen(
      int instances,
      Where where,
      Consumer<HttpServerOptions> suit,
      Consumer<HttpServerRequest> edge) {
    HttpServerOptions options = options(where);
    suit.accept(options);
    List<HttpServer> started = listen(instances, options, edge);
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
            .setMaxHeaderSize(MOST_HEADER_BYTES)
            .setMaxInitialLineLength(MOST_LINE_BYTES)
            .setIdleTimeout(IDLE_SECONDS);
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
      int instances, HttpServerOptions options, Consumer<HttpServerRequest> edge) {
    CopyOnWriteArrayList<HttpServer> started = new CopyOnWriteArrayList<>();
    vertx
        .deployVerticle(
            () ->
                new VerticleBase() {
                  @Override
                  public Future<?> start() {
                    HttpServer server = vertx.createHttpServer(options);
                    server.requestHandler(request -> guarded(request, edge));
                    server.invalidRequestHandler(Listeners::invalid);
                    return server.listen().onSuccess(started::add);
                  }
                },
            new DeploymentOptions().setInstances(instances))
        .await();
    return started;
  }

  /** Whatever a request does to us, the client gets an answer and the server goes on. */
  private static void guarded(HttpServerRequest request, Consumer<HttpServerRequest> edge) {
    try {
      MultiMap headers = request.headers();
      if (headers.contains(HttpHeaders.HOST) && headers.getAll(HttpHeaders.HOST).size() > 1) {
        Replies.error(request, 400, "Host: several (expected: one)");
        return;
      }
      edge.accept(request);
    } catch (RuntimeException e) {
      Replies.failed(request, e);
    }
  }

  /** What is not HTTP gets a reason too, before the connection is closed. */
  private static void invalid(HttpServerRequest request) {
    Throwable cause = request.decoderResult().cause();
    if (cause instanceof TooLongHttpLineException) {
      Replies.error(request, 414, "target: too long (expected: at most " + MOST_LINE_BYTES + ")");
    } else if (cause instanceof TooLongHttpHeaderException) {
      String most = MOST_HEADER_BYTES + " bytes";
      Replies.error(request, 431, "headers: too large (expected: at most " + most + ")");
    } else if (cause instanceof ArrivingOnHttp1.OtherVersion) {
      Replies.error(
          request, 400, "version: not spoken here (expected: HTTP/1.1, HTTP/1.0, HTTP/2)");
    } else {
      Replies.error(request, 400, "not a request of HTTP/1.1");
    }
    var unused = request.connection().close();
  }

  /** Lets those in flight finish, all at once: each may wait for half a request that has come. */
  void shutdown() {
    Future.join(
            servers.stream()
                .map(server -> server.shutdown(SHUTDOWN_SECONDS, TimeUnit.SECONDS))
                .toList())
        .await();
  }
}
