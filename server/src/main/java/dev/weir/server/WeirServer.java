package dev.weir.server;

import dev.weir.Store;
import dev.weir.Ticker;
import dev.weir.memory.MemoryStore;
import dev.weir.rule.Limiter;
import dev.weir.yaml.RulesWatch;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** A running service: one port for traffic, one for administration. */
public final class WeirServer implements AutoCloseable {
  /** What there is to say about a limit on what is in flight, wherever one is explained. */
  public static final String LEFT_OUT_OF_CHECK =
      "held by /v1/decide until /v1/release; /v1/check leaves it out";

  private static final int MOST_HEADER_BYTES = 32 << 10;
  private static final int MOST_LINE_BYTES = 8 << 10;
  private static final int IDLE_SECONDS = 75;
  private static final int SHUTDOWN_SECONDS = 10;
  private static final int PROBE_MILLIS = 1_000;

  private final ServerSettings settings;
  private final RulesWatch rules;
  private final Arrivals arrivals;
  private final Vertx vertx;
  private final CopyOnWriteArrayList<HttpServer> servers = new CopyOnWriteArrayList<>();
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile boolean ready;
  private int port;
  private int adminPort;

  private WeirServer(ServerSettings settings, RulesWatch rules) {
    this.settings = settings;
    this.rules = rules;
    this.arrivals = new Arrivals(settings.requestTime());
    this.vertx = Vertx.builder().withTransport(new WatchedTransport(arrivals)).build();
    vertx.setPeriodic(arrivals.period().toMillis(), now -> arrivals.sweep());
  }

  /**
   * Starts to listen, and returns once it does.
   *
   * @throws IllegalStateException if it cannot, because a port is taken for one
   */
  public static WeirServer start(ServerSettings settings, RulesWatch rules, StoreInUse store) {
    WeirServer server = new WeirServer(settings, rules);
    try {
      server.listen(store);
      return server;
    } catch (CompletionException e) {
      server.close();
      String where =
          settings.host()
              + ":"
              + settings.port()
              + ", "
              + settings.adminHost()
              + ":"
              + settings.adminPort();
      throw new IllegalStateException("cannot listen on " + where + ": " + e.getCause(), e);
    }
  }

  /** The same with counters in this process. */
  public static WeirServer start(ServerSettings settings, RulesWatch rules, MemoryStore store) {
    return start(settings, rules, StoreInUse.embedded(store));
  }

  private void listen(StoreInUse store) {
    Metrics metrics = new Metrics();
    metrics.watch(rules);
    metrics.watch(store.local());
    Store counters = store.store();
    BooleanSupplier answering = () -> true;
    if (store.isShared()) {
      WatchedStore watched = new WatchedStore(counters);
      metrics.watch(store, watched);
      vertx.setPeriodic(PROBE_MILLIS, now -> watched.probe());
      counters = watched;
      answering = watched::isAnswering;
    }
    Limiter limiter = new Limiter(counters, store.local(), metrics);
    CheckEdge check = new CheckEdge(rules::current, limiter, settings, Ticker.system()::micros);
    DecideEdge decide = new DecideEdge(rules::current, limiter);
    Readiness readiness = new Readiness(() -> ready, rules, store, answering);
    Bodies bodies = new Bodies(arrivals);
    TrafficEdge traffic = new TrafficEdge(check, decide, readiness, openApi(), bodies);
    AdminEdge admin = new AdminEdge(rules, limiter, metrics, bodies, settings.adminToken());
    // A negative port is any that is free, but the same for all that listen.
    int wanted = settings.port() == 0 ? -1 : settings.port();
    int loops = Math.max(1, Runtime.getRuntime().availableProcessors());
    port = deploy(loops, options(settings.host(), wanted), traffic::handle);
    adminPort = deploy(1, options(settings.adminHost(), settings.adminPort()), admin::handle);
    ready = true;
  }

  private HttpServerOptions options(String host, int wanted) {
    HttpServerOptions options =
        new HttpServerOptions()
            .setHost(host)
            .setPort(wanted)
            .setMaxHeaderSize(MOST_HEADER_BYTES)
            .setMaxInitialLineLength(MOST_LINE_BYTES)
            .setIdleTimeout(IDLE_SECONDS);
    ServerSettings.Tls tls = settings.tls();
    if (tls != null) {
      options
          .setSsl(true)
          .setUseAlpn(true)
          .setKeyCertOptions(
              new PemKeyCertOptions()
                  .setCertPath(tls.certificate().toString())
                  .setKeyPath(tls.key().toString()));
    }
    return options;
  }

  private int deploy(int instances, HttpServerOptions options, Consumer<HttpServerRequest> edge) {
    CopyOnWriteArrayList<HttpServer> started = new CopyOnWriteArrayList<>();
    vertx
        .deployVerticle(
            () ->
                new VerticleBase() {
                  @Override
                  public Future<?> start() {
                    HttpServer server = vertx.createHttpServer(options);
                    server.requestHandler(request -> guarded(request, edge));
                    server.invalidRequestHandler(WeirServer::invalid);
                    return server.listen().onSuccess(started::add);
                  }
                },
            new DeploymentOptions().setInstances(instances))
        .await();
    servers.addAll(started);
    return started.get(0).actualPort();
  }

  /** Whatever a request does to us, the client gets an answer and the server goes on. */
  private static void guarded(HttpServerRequest request, Consumer<HttpServerRequest> edge) {
    try {
      if (request.headers().getAll(HttpHeaders.HOST).size() > 1) {
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

  private static Buffer openApi() {
    try (InputStream in = WeirServer.class.getResourceAsStream("openapi.json")) {
      return Buffer.buffer(Objects.requireNonNull(in, "openapi.json").readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The port for traffic that it listens on. */
  public int port() {
    return port;
  }

  /** The port for administration that it listens on. */
  public int adminPort() {
    return adminPort;
  }

  /** Says that it is not ready, lets those in flight finish, and stops; a second time, nothing. */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    ready = false;
    try {
      Thread.sleep(settings.drain().toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    arrivals.hurry();
    // All at once: each may wait as long for a connection on which half a request has come.
    Future.join(
            servers.stream()
                .map(server -> server.shutdown(SHUTDOWN_SECONDS, TimeUnit.SECONDS))
                .toList())
        .await();
    vertx.close().await();
  }
}
