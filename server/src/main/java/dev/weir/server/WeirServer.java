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
import dev.weir.server.transport.ByteBudget;
import dev.weir.server.transport.ConnectionGates;
import dev.weir.server.transport.ConnectionLimits;
import dev.weir.server.transport.LoopMonitor;
import dev.weir.server.transport.Streams;
import dev.weir.server.warmup.Driver;
import dev.weir.yaml.RulesInForce;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A running service: a port for traffic, one for gRPC, one for administration. */
public final class WeirServer implements AutoCloseable {
  private static final Logger LOG = System.getLogger(WeirServer.class.getName());

  private static final int EVENT_LOOPS = VertxOptions.DEFAULT_EVENT_LOOP_POOL_SIZE;
  private static final long SWEEP_MILLIS = 5_000;

  private final ServerSettings settings;
  private final RulesInForce rules;
  private final Arrivals arrivals;
  private final Drain drain = new Drain();
  private final LoopMonitor loops;
  private final ConnectionGates gates;
  private final Streams streams;
  private final ByteBudget budget = ByteBudget.byHeap();
  private final OwnCalls ownCalls = new OwnCalls();
  private final Vertx vertx;
  private final Listeners listeners;
  private final Metrics metrics = new Metrics();
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile boolean ready;
  private Driver.@Nullable Outcome outcome;
  private int port;
  private int adminPort;
  private int grpcPort = ServerSettings.OFF;
  private int metricsPort = ServerSettings.OFF;
  private @Nullable RlsService rls;
  private @Nullable SharedStore shared;

  private WeirServer(ServerSettings settings, RulesInForce rules, HostProcess host) {
    this.settings = settings;
    this.rules = rules;
    this.arrivals = new Arrivals(settings.times().request());
    this.loops = new LoopMonitor(host::onFatal);
    this.gates = new ConnectionGates(error -> host.onFatal(String.valueOf(error)));
    this.streams = Streams.byHeap(EVENT_LOOPS);
    WatchedTransport transport = new WatchedTransport(arrivals, drain, gates, loops, budget);
    this.vertx =
        Vertx.builder()
            .with(new VertxOptions().setEventLoopPoolSize(EVENT_LOOPS))
            .withTransport(transport)
            .build();
    this.listeners =
        new Listeners(vertx, metrics.http(), drain, gates, streams, ownCalls::onClosed);
    SeldomLogged.install();
    vertx.setPeriodic(arrivals.period().toMillis(), now -> arrivals.sweep());
    vertx.setPeriodic(SWEEP_MILLIS, now -> streams.sweep());
    loops.start();
  }

  /**
   * Starts to listen, and returns once it does. If it cannot, nothing of it is left.
   *
   * @throws CannotListen if it cannot, because a port is taken for one
   * @throws IllegalArgumentException if two ports of its own are the same
   */
  public static WeirServer start(
      ServerSettings settings, RulesInForce rules, StoreInUse store, Domains domains) {
    return start(settings, rules, store, domains, HostProcess.ENDLESS);
  }

  /**
   * The same, as part of a process that may be told to stop meanwhile, and hears of what ends it.
   */
  public static WeirServer start(
      ServerSettings settings,
      RulesInForce rules,
      StoreInUse store,
      Domains domains,
      HostProcess host) {
    settings.checkConflicts();
    WeirServer server = new WeirServer(settings, rules, host);
    try {
      server.listen(store, domains, host);
      return server;
    } catch (RuntimeException | Error e) {
      try {
        server.close();
      } catch (RuntimeException also) {
        e.addSuppressed(also);
      }
      throw e;
    }
  }

  /** The same without domains, and with counters in this process. */
  public static WeirServer start(ServerSettings settings, RulesInForce rules, MemoryStore store) {
    return start(settings, rules, StoreInUse.embedded(store), Domains.none());
  }

  private void listen(StoreInUse store, Domains domains, HostProcess host) {
    metrics.watch(rules);
    metrics.watch(store.local());
    metrics.watch(gates);
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
    boolean cold = !settings.times().warmUp().isZero();
    PortAccess access = PortAccess.of(settings);
    Permits permits = new Permits(domains.keys(), new SecureRandom().nextLong());
    DecideEdge decide = new DecideEdge(rules::current, limiter, ways, permits, access.traffic());
    ReleaseEdge release = new ReleaseEdge(limiter, permits);
    HealthStatus health =
        new HealthStatus(settings.grpc().rls().health(), () -> ready, rules, around, !cold);
    Readiness readiness =
        new Readiness(() -> ready && rules.isLoaded(), drain, health, rules, store, elsewhere);
    Bodies bodies = new Bodies(arrivals, budget);
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
    CrossSiteGuard pages = PortAccess.pagesOnTraffic(settings);
    JsonEdge json =
        new JsonEdge(service, access.traffic(), settings.grpc().rls().plainErrors(), pages);
    TrafficEdge traffic =
        new TrafficEdge(
            check,
            decide,
            release,
            json,
            readiness,
            TrafficEdge.openApi(),
            bodies,
            pages,
            loops::problem);
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
            access.admin(),
            PortAccess.pagesOnAdmin(settings));
    // It loads many classes, for which the first requests should not have to wait.
    Future<?> runtime =
        vertx.executeBlocking(Executors.callable(metrics::watchRuntime), false).otherwiseEmpty();
    int instances = Math.max(1, Runtime.getRuntime().availableProcessors());
    Tls tls = settings.tls();
    ConnectionLimits limits =
        settings.connections() == null ? ConnectionLimits.byOpenFiles(2) : settings.connections();
    Where toTraffic = new Where(settings.traffic().host(), settings.traffic().port(), tls, limits);
    port =
        listeners.listen(
            instances,
            toTraffic,
            TrafficEdge::endpoint,
            request -> ownCalls.onTraffic(request, traffic::handle));
    ServerSettings.Grpc grpc = settings.grpc();
    if (grpc.port() != ServerSettings.OFF) {
      GrpcEdge edge = new GrpcEdge(service, bodies);
      Where toGrpc = new Where(grpc.host(), grpc.port(), grpc.tls(), limits);
      grpcPort =
          listeners.listenGrpc(
              instances, toGrpc, GrpcEdge::suit, request -> ownCalls.onGrpc(request, edge::handle));
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
    if (cold) {
      warmUp(readiness, bodies, host);
    }
    runtime.await();
    metrics.http().start();
    if (!host.isStopping()) {
      health.setWarm(service);
      ready = true;
    }
  }

  private void warmUp(Readiness readiness, Bodies bodies, HostProcess host) {
    Store counters = shared == null ? new MemoryStore() : shared.trial();
    WarmUp one = new WarmUp(vertx, settings, rules.current(), counters, readiness, bodies);
    ownCalls.begin(one);
    Where toTraffic = new Where(settings.traffic().host(), port, settings.tls());
    Where toGrpc = new Where(settings.grpc().host(), grpcPort, settings.grpc().tls());
    rules.current().reader().warmUp();
    outcome = one.drive(listeners, toTraffic, toGrpc, host::isStopping);
    ownCalls.end(vertx);
  }

  private Surroundings surroundings(Domains domains, Optional<SharedStore> elsewhere) {
    return new Surroundings(
        () -> domains.of().apply(rules.current()),
        () -> (rules.isLoaded() ? 1 : 0) + rules.status().reloads(),
        () -> rules.status().refusals(),
        () -> elsewhere.map(SharedStore::unanswered).orElse(0L),
        elsewhere.map(one -> one::isAnswering));
  }

  /** What came of the warm-up, if there was one. */
  Optional<Driver.Outcome> warmUp() {
    return Optional.ofNullable(outcome);
  }

  /** Bytes that are kept of requests which have arrived in part. */
  long keptBytes() {
    return budget.used();
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
      // Where nobody was sent here, nobody must be given time to go elsewhere.
      Thread.sleep(served ? settings.times().drain().toMillis() : 0);
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
    loops.close();
    vertx.close().await();
    metrics.close();
    if (shared != null) {
      shared.close();
    }
  }
}
