package dev.weir.server;

import dev.weir.LimitKey;
import dev.weir.Store;
import dev.weir.Ticker;
import dev.weir.guard.Standby;
import dev.weir.memory.MemoryStore;
import dev.weir.rule.Limiter;
import dev.weir.server.Listeners.Where;
import dev.weir.server.rls.RlsEngine;
import dev.weir.server.rls.RlsService;
import dev.weir.server.stats.RlsStats;
import dev.weir.server.stats.Surroundings;
import dev.weir.server.stats.Ways;
import dev.weir.yaml.RulesInForce;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A running service: a port for traffic, one for gRPC, one for administration. */
public final class WeirServer implements AutoCloseable {
  private final ServerSettings settings;
  private final RulesInForce rules;
  private final Arrivals arrivals;
  private final Vertx vertx;
  private final Listeners listeners;
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile boolean ready;
  private int port;
  private int adminPort;
  private int grpcPort = ServerSettings.OFF;
  private int metricsPort = ServerSettings.OFF;
  private @Nullable RlsService rls;
  private @Nullable SharedStore shared;

  private WeirServer(ServerSettings settings, RulesInForce rules) {
    this.settings = settings;
    this.rules = rules;
    this.arrivals = new Arrivals(settings.times().request());
    this.vertx = Vertx.builder().withTransport(new WatchedTransport(arrivals)).build();
    this.listeners = new Listeners(vertx);
    SeldomLogged.install();
    vertx.setPeriodic(arrivals.period().toMillis(), now -> arrivals.sweep());
  }

  /**
   * Starts to listen, and returns once it does.
   *
   * @throws IllegalStateException if it cannot, because a port is taken for one
   */
  public static WeirServer start(
      ServerSettings settings, RulesInForce rules, StoreInUse store, Domains domains) {
    WeirServer server = new WeirServer(settings, rules);
    try {
      server.listen(store, domains);
      return server;
    } catch (CompletionException e) {
      server.close();
      ServerSettings.Grpc grpc = settings.grpc();
      String where =
          settings.traffic().host()
              + ":"
              + settings.traffic().port()
              + (grpc.port() == ServerSettings.OFF ? "" : ", " + grpc.host() + ":" + grpc.port())
              + ", "
              + settings.admin().host()
              + ":"
              + settings.admin().port()
              + (settings.metrics().listener() == null
                  ? ""
                  : ", " + settings.metrics().listener().where());
      throw new IllegalStateException("cannot listen on " + where + ": " + e.getCause(), e);
    }
  }

  /** The same without domains. */
  public static WeirServer start(ServerSettings settings, RulesInForce rules, StoreInUse store) {
    return start(settings, rules, store, Domains.none());
  }

  /** The same with counters in this process. */
  public static WeirServer start(ServerSettings settings, RulesInForce rules, MemoryStore store) {
    return start(settings, rules, StoreInUse.embedded(store));
  }

  private void listen(StoreInUse store, Domains domains) {
    Metrics metrics = new Metrics();
    metrics.watch(rules);
    metrics.watch(store.local());
    Store counters = store.store();
    Standby standby = null;
    Optional<SharedStore> elsewhere = Optional.empty();
    if (store.isShared()) {
      SharedStore one = new SharedStore(store);
      metrics.watch(store, one);
      counters = one.asked();
      standby = one.standby();
      elsewhere = Optional.of(one);
      shared = one;
    }
    Surroundings around = surroundings(domains, elsewhere);
    Ways ways = new Ways();
    metrics.watch(ways);
    RlsStats stats = new RlsStats(settings.grpc().rls().nearRatio(), ways);
    metrics.watch(stats, around, settings.metrics().names());
    Limiter limiter =
        standby == null ? new Limiter(counters, metrics) : new Limiter(counters, standby, metrics);
    CheckEdge check =
        new CheckEdge(rules::current, limiter, ways, settings.traffic(), Ticker.system()::micros);
    DecideEdge decide = new DecideEdge(rules::current, limiter, ways);
    Readiness readiness = new Readiness(() -> ready && rules.isLoaded(), rules, store, elsewhere);
    Bodies bodies = new Bodies(arrivals);
    RlsEngine engine =
        new RlsEngine(
            counters,
            standby,
            domains.keys(),
            Ticker.system(),
            settings.grpc().rls(),
            stats,
            metrics);
    RlsService service = new RlsService(vertx, engine, domains.rules(rules));
    rls = service;
    if (!rules.isLoaded()) {
      service.hold();
      var unused = rules.loaded().thenRun(service::begin);
    }
    JsonEdge json = new JsonEdge(service);
    TrafficEdge traffic = new TrafficEdge(check, decide, json, readiness, openApi(), bodies);
    DebugEdge debug = new DebugEdge(stats, around);
    Predicate<LimitKey> leased = shared == null ? key -> false : shared.byMode()::isLeased;
    IntSupplier servers = shared == null ? () -> 1 : shared::servers;
    ExplainEdge explain = new ExplainEdge(rules::current, limiter, servers, leased);
    AdminEdge admin =
        new AdminEdge(rules, limiter, explain, metrics, debug, bodies, settings.admin().token());
    int loops = Math.max(1, Runtime.getRuntime().availableProcessors());
    Tls tls = settings.tls();
    Where toTraffic = new Where(settings.traffic().host(), settings.traffic().port(), tls);
    port = listeners.listen(loops, toTraffic, same -> {}, traffic::handle);
    ServerSettings.Grpc grpc = settings.grpc();
    if (grpc.port() != ServerSettings.OFF) {
      GrpcEdge edge = new GrpcEdge(service, bodies);
      Where toGrpc = new Where(grpc.host(), grpc.port(), grpc.tls());
      grpcPort = listeners.listen(loops, toGrpc, GrpcEdge::suit, edge::handle);
    }
    Where toAdmin = new Where(settings.admin().host(), settings.admin().port(), tls);
    adminPort = listeners.listen(1, toAdmin, same -> {}, admin::handle);
    MetricsSettings.Listener alone = settings.metrics().listener();
    if (alone != null) {
      Where toMetrics = new Where(alone.host(), alone.port(), tls);
      metricsPort =
          listeners.listen(
              1, toMetrics, same -> {}, request -> metrics.handle(request, alone.path()));
    }
    ready = true;
  }

  private Surroundings surroundings(Domains domains, Optional<SharedStore> elsewhere) {
    return new Surroundings(
        () -> domains.of().apply(rules.current()),
        () -> (rules.isLoaded() ? 1 : 0) + rules.status().reloads(),
        () -> rules.status().refusals(),
        () -> elsewhere.map(SharedStore::unanswered).orElse(0L),
        elsewhere.map(one -> one::isAnswering));
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

  /** The port for gRPC that it listens on; {@link ServerSettings#OFF} if on none. */
  public int grpcPort() {
    return grpcPort;
  }

  /** The port for administration that it listens on. */
  public int adminPort() {
    return adminPort;
  }

  /** The port for metrics alone that it listens on; {@link ServerSettings#OFF} if on none. */
  public int metricsPort() {
    return metricsPort;
  }

  /** Says that it is not ready, lets those in flight finish, and stops; a second time, nothing. */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    ready = false;
    if (rls != null) {
      rls.stop();
    }
    try {
      Thread.sleep(settings.times().drain().toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (rls != null) {
      rls.end();
    }
    arrivals.hurry();
    listeners.shutdown();
    vertx.close().await();
    if (shared != null) {
      shared.close();
    }
  }
}
