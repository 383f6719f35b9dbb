package dev.weir.server;

import dev.weir.LimitKey;
import dev.weir.Store;
import dev.weir.Ticker;
import dev.weir.guard.Standby;
import dev.weir.memory.MemoryStore;
import dev.weir.rule.Limiter;
import dev.weir.server.Listeners.Where;
import dev.weir.server.access.OperationsAccess;
import dev.weir.server.rls.RlsEngine;
import dev.weir.server.rls.RlsService;
import dev.weir.server.stats.RlsStats;
import dev.weir.server.stats.Surroundings;
import dev.weir.server.stats.Ways;
import dev.weir.server.warmup.Driver;
import dev.weir.server.warmup.Port;
import dev.weir.yaml.RulesInForce;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** A running service: a port for traffic, one for gRPC, one for administration. */
public final class WeirServer implements AutoCloseable {
  private static final Logger LOG = System.getLogger(WeirServer.class.getName());

  private final ServerSettings settings;
  private final RulesInForce rules;
  private final Arrivals arrivals;
  private final Drain drain = new Drain();
  private final Vertx vertx;
  private final Listeners listeners;
  private final Metrics metrics = new Metrics();
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile boolean ready;
  private volatile @Nullable WarmUp warmUp;
  private Driver.@Nullable Outcome outcome;
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
    this.vertx = Vertx.builder().withTransport(new WatchedTransport(arrivals, drain)).build();
    this.listeners = new Listeners(vertx, metrics.http(), drain);
    SeldomLogged.install();
    vertx.setPeriodic(arrivals.period().toMillis(), now -> arrivals.sweep());
  }

  /**
   * Starts to listen, and returns once it does.
   *
   * @throws CannotListen if it cannot, because a port is taken for one
   * @throws IllegalArgumentException if two ports of its own are the same
   */
  public static WeirServer start(
      ServerSettings settings, RulesInForce rules, StoreInUse store, Domains domains) {
    settings.checkConflicts();
    WeirServer server = new WeirServer(settings, rules);
    try {
      server.listen(store, domains);
      return server;
    } catch (CannotListen e) {
      server.close();
      throw e;
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
    metrics.watch(rules);
    metrics.watch(store.local());
    Ways ways = new Ways();
    metrics.watch(ways);
    Store counters = store.store();
    Standby standby = null;
    Optional<SharedStore> elsewhere = Optional.empty();
    if (store.isShared()) {
      SharedStore one = new SharedStore(store, ways, FailureModes.of(rules::current, domains.of()));
      metrics.watch(store, one);
      counters = one.asked();
      standby = one.standby();
      elsewhere = Optional.of(one);
      shared = one;
    }
    Surroundings around = surroundings(domains, elsewhere);
    RlsStats stats = new RlsStats(settings.grpc().rls().nearRatio(), ways);
    metrics.watch(stats, around, rules, settings.metrics().names());
    Limiter limiter =
        standby == null ? new Limiter(counters, metrics) : new Limiter(counters, standby, metrics);
    CheckEdge check =
        new CheckEdge(rules::current, limiter, ways, settings.traffic(), Ticker.system()::micros);
    PortAccess access = PortAccess.of(settings);
    Permits permits = new Permits(domains.keys(), new SecureRandom().nextLong());
    DecideEdge decide = new DecideEdge(rules::current, limiter, ways, permits, access.traffic());
    ReleaseEdge release = new ReleaseEdge(limiter, permits);
    HealthStatus health =
        new HealthStatus(settings.grpc().rls().health(), () -> ready, rules, around);
    Readiness readiness =
        new Readiness(() -> ready && rules.isLoaded(), drain, health, rules, store, elsewhere);
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
    RlsService service =
        new RlsService(vertx, engine, domains.rules(rules::current), access.grpc());
    rls = service;
    if (!rules.isLoaded()) {
      service.hold();
      var unused = rules.loaded().thenRun(service::begin);
    }
    health.tell(service, vertx);
    JsonEdge json = new JsonEdge(service, access.traffic(), settings.grpc().rls().plainErrors());
    TrafficEdge traffic =
        new TrafficEdge(check, decide, release, json, readiness, openApi(), bodies);
    DebugEdge debug = new DebugEdge(stats, around);
    Predicate<LimitKey> leased = shared == null ? key -> false : shared.byMode()::isLeased;
    IntSupplier servers = shared == null ? () -> 1 : shared::servers;
    ExplainEdge explain = new ExplainEdge(rules::current, limiter, servers, leased);
    ResetEdge reset = new ResetEdge(rules::current, limiter);
    DecideEdge onAdmin = decide.with(OperationsAccess.everybody());
    AdminEdge admin =
        new AdminEdge(
            rules,
            explain,
            reset,
            onAdmin,
            release,
            readiness,
            metrics,
            debug,
            bodies,
            access.admin());
    int loops = Math.max(1, Runtime.getRuntime().availableProcessors());
    Tls tls = settings.tls();
    Where toTraffic = new Where(settings.traffic().host(), settings.traffic().port(), tls);
    port =
        listeners.listen(
            loops, toTraffic, TrafficEdge::endpoint, request -> onTraffic(request, traffic));
    ServerSettings.Grpc grpc = settings.grpc();
    if (grpc.port() != ServerSettings.OFF) {
      GrpcEdge edge = new GrpcEdge(service, bodies);
      Where toGrpc = new Where(grpc.host(), grpc.port(), grpc.tls());
      grpcPort =
          listeners.listenGrpc(loops, toGrpc, GrpcEdge::suit, request -> onGrpc(request, edge));
    }
    Where toAdmin = new Where(settings.admin().host(), settings.admin().port(), tls);
    adminPort = listeners.listen(1, toAdmin, AdminEdge::endpoint, admin::handle);
    MetricsSettings.Listener alone = settings.metrics().listener();
    if (alone != null) {
      AdminGuard guard = PortAccess.metrics(settings, alone);
      Where toMetrics = new Where(alone.host(), alone.port(), tls);
      metricsPort =
          listeners.listen(
              1,
              toMetrics,
              request -> Metrics.endpoint(request, alone.path()),
              request -> metrics.handle(request, alone.path(), guard));
    }
    if (!settings.times().warmUp().isZero()) {
      health.setWarm(false, service);
      warmUp(readiness, bodies);
      health.setWarm(true, service);
    }
    metrics.http().start();
    ready = true;
    var unused = vertx.executeBlocking(Executors.callable(metrics::watchRuntime), false);
  }

  private void onTraffic(HttpServerRequest request, TrafficEdge edge) {
    WarmUp now = warmUp;
    if (now != null && now.owns(request)) {
      now.onTraffic(request);
    } else {
      edge.handle(request);
    }
  }

  private void onGrpc(HttpServerRequest request, GrpcEdge edge) {
    WarmUp now = warmUp;
    if (now != null && now.owns(request)) {
      now.onGrpc(request);
    } else {
      edge.handle(request);
    }
  }

  private void warmUp(Readiness readiness, Bodies bodies) {
    Store counters = shared == null ? new MemoryStore() : shared.trial();
    WarmUp one = new WarmUp(vertx, settings, rules.current(), counters, readiness, bodies);
    warmUp = one;
    Where toTraffic = new Where(settings.traffic().host(), port, settings.tls());
    Where toGrpc = new Where(settings.grpc().host(), grpcPort, settings.grpc().tls());
    Port traffic =
        callable(
            toTraffic, where -> listeners.listen(1, where, TrafficEdge::endpoint, one::onTraffic));
    Port grpc =
        grpcPort == ServerSettings.OFF
            ? null
            : callable(
                toGrpc, where -> listeners.listenGrpc(1, where, GrpcEdge::suit, one::onGrpc));
    outcome = one.drive(traffic, grpc, settings.times().warmUp());
    warmUp = null;
    if (traffic.number() != port) {
      listeners.close(traffic.number());
    }
    if (grpc != null && grpc.number() != grpcPort) {
      listeners.close(grpc.number());
    }
  }

  /**
   * A port on which this server can call itself: the real one; but where clients must show a
   * certificate, of which it has none, another one for the same handlers.
   */
  private static Port callable(Where where, ToIntFunction<Where> listen) {
    Tls tls = where.tls();
    if (tls == null || tls.clients() == null) {
      return new Port(where.host(), where.port(), tls != null);
    }
    Where loopback = new Where("127.0.0.1", 0, null);
    return new Port(loopback.host(), listen.applyAsInt(loopback), false);
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

  /** What came of the warm-up, if there was one. */
  Optional<Driver.Outcome> warmUp() {
    return Optional.ofNullable(outcome);
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

  /**
   * Says that it is not ready, asks clients to go elsewhere, lets those in flight finish, and
   * stops; a second time, nothing. An interrupt ends the time for which answers go on, and nothing
   * else.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    long start = System.nanoTime();
    boolean served = ready;
    ready = false;
    if (served) {
      long seconds = settings.times().drain().toSeconds();
      String rest = " s: not ready, and clients are asked to go elsewhere";
      LOG.log(Level.INFO, "Draining for " + seconds + rest);
    }
    drain.begin(Instant.now());
    if (rls != null) {
      rls.stop();
    }
    boolean interrupted = false;
    try {
      Thread.sleep(settings.times().drain().toMillis());
    } catch (InterruptedException e) {
      interrupted = true;
    }
    try {
      stop();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    if (served) {
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      LOG.log(Level.INFO, "Stopped " + millis + " ms after it began to drain");
    }
  }

  private void stop() {
    if (rls != null) {
      rls.end();
    }
    arrivals.hurry();
    listeners.shutdown();
    vertx.close().await();
    metrics.close();
    if (shared != null) {
      shared.close();
    }
  }
}
