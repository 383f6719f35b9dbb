package dev.weir.server;

import dev.weir.Store;
import dev.weir.limiter.Limiter;
import dev.weir.memory.MemoryStore;
import dev.weir.rules.RulesSnapshot;
import dev.weir.server.access.OperationsAccess;
import dev.weir.server.check.CheckEdge;
import dev.weir.server.decide.DecideEdge;
import dev.weir.server.decide.Permits;
import dev.weir.server.decide.ReleaseEdge;
import dev.weir.server.grpc.GrpcEdge;
import dev.weir.server.grpc.JsonEdge;
import dev.weir.server.grpc.RlsService;
import dev.weir.server.health.Readiness;
import dev.weir.server.listen.Listeners;
import dev.weir.server.listen.Listeners.Where;
import dev.weir.server.listen.RequestBodies;
import dev.weir.server.metrics.Metrics;
import dev.weir.server.metrics.RlsStats;
import dev.weir.server.reply.CrossSiteGuard;
import dev.weir.server.reply.DegradedCounters;
import dev.weir.server.rls.RlsEngine;
import dev.weir.server.settings.ServerSettings;
import dev.weir.server.shed.ActiveShedder;
import dev.weir.server.telemetry.Telemetry;
import dev.weir.server.tls.Tls;
import dev.weir.server.warmup.Driver;
import dev.weir.server.warmup.Driver.Outcome;
import dev.weir.server.warmup.Port;
import dev.weir.server.warmup.Sockets;
import dev.weir.shared.fallback.LocalFallback;
import dev.weir.time.Ticker;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Makes a server that has just started as fast as one that has run for a while, before it reports
 * that it is ready.
 *
 * <p><b>Why.</b> The JVM loads, links and interprets code that runs for the first time: the first
 * calls took 60 to 110 ms, where a store has 25 ms to answer and Envoy waits for 20.
 *
 * <p><b>How.</b> The server calls its own ports, and answers these calls like any other, by the
 * same code and the same store; but by {@link WarmUpRules rules and counters} of their own, and
 * without counting them in its metrics. Its counters in a shared store are deleted afterwards.
 */
final class WarmUp {
  private static final Logger LOG = System.getLogger(WarmUp.class.getName());

  /** Well below the deadline of a store, and the timeout of Envoy. */
  private static final Duration FAST = Duration.ofMillis(5);

  /** The part of the time limit that is reserved for cleanup; at most a fifth of it. */
  private static final Duration CLEANUP = Duration.ofSeconds(1);

  private final Sockets sockets = new Sockets();

  /** The time limit, cleanup included. */
  private final Duration limit;

  private final WarmUpRules rules;
  private final TrialStore counters;
  private final TrafficHandler traffic;
  private final GrpcEdge grpc;

  /**
   * @param operators the active rules, of which some take part
   * @param store keeps the counters
   * @param other creates the handler for the traffic port; null for decisions by HTTP
   */
  WarmUp(
      Vertx vertx,
      ServerSettings settings,
      RulesSnapshot operators,
      Store store,
      Readiness readiness,
      RequestBodies bodies,
      TrafficHandler.@Nullable Factory other) {
    this.limit = settings.times().warmUp();
    this.rules = other == null ? WarmUpRules.of(operators) : WarmUpRules.proxied(operators);
    this.counters = new TrialStore(store);
    LocalFallback fallback = LocalFallback.alone(new MemoryStore());
    Metrics metrics = new Metrics();
    DegradedCounters degraded = new DegradedCounters();
    Limiter limiter = new Limiter(counters, fallback, metrics);
    RlsEngine engine =
        new RlsEngine(
            limiter,
            rules.keys(),
            Ticker.system(),
            settings.grpc().rls(),
            new RlsStats(settings.grpc().rls().nearRatio(), degraded));
    OperationsAccess access = OperationsAccess.everybody(); // only calls of this server get here
    Telemetry telemetry = settings.telemetry().isOff() ? Telemetry.NONE : Telemetry.rehearsal();
    RlsService service =
        new RlsService(vertx, engine, () -> rules.live().descriptorRules(), access, telemetry);
    TrafficHandler.Context context =
        new TrafficHandler.Context(
            vertx,
            rules::live,
            new TrafficHandler.Decisions(limiter, degraded, new ActiveShedder(), telemetry),
            settings,
            bodies);
    CrossSiteGuard pages = PortAccess.pagesOnTraffic(settings);
    this.traffic =
        other == null
            ? decisions(context, readiness, new JsonEdge(service, access, false, pages), pages)
            : other.createForWarmUp(context);
    this.grpc = new GrpcEdge(service, bodies);
  }

  private TrafficEdge decisions(
      TrafficHandler.Context context, Readiness readiness, JsonEdge json, CrossSiteGuard pages) {
    Permits permits = new Permits(rules.keys(), 0);
    Limiter limiter = context.limiter();
    return new TrafficEdge(
        new TrafficEdge.Decisions(
            new CheckEdge(
                rules::live,
                limiter,
                context.degraded(),
                context.settings().traffic(),
                Ticker.system()::micros),
            new DecideEdge(
                rules::live,
                limiter,
                context.degraded(),
                permits,
                OperationsAccess.everybody(),
                context.shedder()),
            new ReleaseEdge(limiter, permits),
            json),
        readiness,
        Buffer.buffer(),
        context.bodies(),
        pages,
        Optional::empty,
        context.telemetry());
  }

  /** Whether a request is one of the warm-up. */
  boolean owns(HttpServerRequest request) {
    SocketAddress peer = request.remoteAddress();
    String address = peer == null ? null : peer.hostAddress();
    return address != null && sockets.isOwn(address, peer.port());
  }

  /** Called when any connection is closed, of the warm-up or not. */
  void onClosed(SocketAddress peer) {
    String address = peer.hostAddress();
    if (address != null) {
      sockets.forget(address, peer.port());
    }
  }

  void onTraffic(HttpServerRequest request) {
    traffic.handle(request);
  }

  void onGrpc(HttpServerRequest request) {
    grpc.handle(request);
  }

  /**
   * Calls the ports until they answer fast.
   *
   * @param stop whether to end before that
   */
  Outcome drive(Listeners listeners, Where toTraffic, Where toGrpc, BooleanSupplier stop) {
    Port trafficPort =
        callable(
            toTraffic, where -> listeners.listen(1, where, traffic::endpoint, this::onTraffic));
    Port grpcPort =
        toGrpc.port() == ServerSettings.OFF
            ? null
            : callable(
                toGrpc, where -> listeners.listenGrpc(1, where, GrpcEdge::suit, this::onGrpc));
    Outcome outcome;
    try {
      outcome = drive(trafficPort, grpcPort, stop);
    } finally {
      traffic.close();
    }
    if (trafficPort.number() != toTraffic.port()) {
      listeners.close(trafficPort.number());
    }
    if (grpcPort != null && grpcPort.number() != toGrpc.port()) {
      listeners.close(grpcPort.number());
    }
    return outcome;
  }

  /**
   * A port on which this server can call itself: the real one; but where clients need a
   * certificate, which it does not have, another one for the same handlers.
   */
  private static Port callable(Where where, ToIntFunction<Where> listen) {
    Tls tls = where.tls();
    if (tls == null || tls.clients() == null) {
      return new Port(where.host(), where.port(), tls != null);
    }
    Where loopback = new Where("127.0.0.1", 0, null);
    return new Port(loopback.host(), listen.applyAsInt(loopback), false);
  }

  /**
   * @param grpcPort null if gRPC is off
   */
  private Outcome drive(Port trafficPort, @Nullable Port grpcPort, BooleanSupplier stop) {
    long start = System.nanoTime();
    Duration fifth = limit.dividedBy(5);
    Duration driving = limit.minus(fifth.compareTo(CLEANUP) < 0 ? fifth : CLEANUP);
    Outcome outcome =
        new Driver(sockets, trafficPort, grpcPort, rules)
            .drive(FAST, driving, counters::roundTripNanos, stop);
    Duration left = limit.minusNanos(System.nanoTime() - start);
    counters.delete(left.isNegative() ? Duration.ZERO : left);
    if (!stop.getAsBoolean()) {
      log(outcome);
    }
    return outcome;
  }

  private void log(Outcome outcome) {
    String summary =
        outcome.rounds()
            + " rounds in "
            + outcome.took().toMillis()
            + " ms, slowest of the last calls "
            + outcome.slowest().toNanos() / 1_000
            + " us";
    if (outcome.failure() != null) {
      LOG.log(
          Level.WARNING,
          "The warm-up ended early, first requests may be slow: " + summary,
          outcome.failure());
    } else if (!outcome.warm()) {
      LOG.log(
          Level.WARNING,
          "Not warm within " + limit.toMillis() + " ms, first requests may be slow: " + summary);
    } else {
      LOG.log(Level.DEBUG, "Warm: " + summary);
    }
  }
}
