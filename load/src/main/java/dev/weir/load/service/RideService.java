package dev.weir.load.service;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/**
 * A service that collapses when it gets more than it can do: it accepts every request and works
 * through them in their order.
 *
 * <p>{@code POST /api/rides/request} and {@code POST /api/fares/estimate} need a worker; {@code GET
 * /healthz} does not. Thread-safe.
 */
public final class RideService implements AutoCloseable {
  private static final Set<String> PATHS = Set.of("/api/rides/request", "/api/fares/estimate");
  private static final int BACKLOG = 4_096;
  private static final long SEED = 28;

  private final Vertx vertx;
  private final Edge edge;

  private RideService(Vertx vertx, Edge edge) {
    this.vertx = vertx;
    this.edge = edge;
  }

  /**
   * Starts the service on a port of this machine; 0 stands for a free one.
   *
   * @throws IOException if it cannot listen there
   */
  public static RideService start(int port, Capacity capacity) throws IOException {
    // A service that is to be overloaded need not report that its thread is late.
    VertxOptions options =
        new VertxOptions()
            .setEventLoopPoolSize(1)
            .setBlockedThreadCheckInterval(1)
            .setBlockedThreadCheckIntervalUnit(TimeUnit.DAYS);
    Vertx vertx = Vertx.vertx(options);
    Edge edge = new Edge(port, capacity);
    try {
      vertx.deployVerticle(edge).toCompletionStage().toCompletableFuture().join();
    } catch (CompletionException e) {
      vertx.close();
      throw new IOException("127.0.0.1:" + port + ": cannot listen", e);
    }
    return new RideService(vertx, edge);
  }

  /** The port it listens on. */
  public int port() {
    return edge.actualPort;
  }

  @Override
  public void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  /** The HTTP server, its queue and its timers, all on one event loop. */
  private static final class Edge extends VerticleBase {
    private final int port;
    private final WorkerPool workers;
    private volatile int actualPort;

    Edge(int port, Capacity capacity) {
      this.port = port;
      ServiceTime time = new ServiceTime(capacity, new SplittableRandom(SEED));
      this.workers = new WorkerPool(capacity, time, this::at);
    }

    @Override
    public Future<?> start() {
      HttpServerOptions options = new HttpServerOptions().setAcceptBacklog(BACKLOG);
      return vertx
          .createHttpServer(options)
          .requestHandler(this::handle)
          .exceptionHandler(failure -> {}) // clients that reset their connections
          .listen(port, "127.0.0.1")
          .onSuccess(server -> actualPort = server.actualPort());
    }

    private void at(long nanos, Runnable task) {
      long delay = TimeUnit.NANOSECONDS.toMillis(nanos - System.nanoTime());
      if (delay <= 0) {
        context.runOnContext(now -> task.run());
      } else {
        vertx.setTimer(delay, id -> task.run());
      }
    }

    private void handle(HttpServerRequest request) {
      HttpServerResponse response = request.response();
      response.exceptionHandler(failure -> {});
      if (request.path().equals("/healthz")) {
        answer(response, 200, "ok\n");
      } else if (!PATHS.contains(request.path())) {
        answer(response, 404, "not found\n");
      } else if (!request.method().equals(HttpMethod.POST)) {
        answer(response.putHeader("Allow", "POST"), 405, "POST only\n");
      } else if (!workers.accept(
          () -> answer(response, 200, "{\"ok\":true}\n"), System.nanoTime())) {
        answer(response, 500, "queue full\n");
      }
    }

    private static void answer(HttpServerResponse response, int status, String body) {
      if (!response.closed()) {
        response.setStatusCode(status).end(body);
      }
    }
  }
}
