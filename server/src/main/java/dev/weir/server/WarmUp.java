package dev.weir.server;

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
import dev.weir.server.stats.Ways;
import dev.weir.server.warmup.Driver;
import dev.weir.server.warmup.Driver.Outcome;
import dev.weir.server.warmup.Port;
import dev.weir.server.warmup.Sockets;
import dev.weir.yaml.LiveRules;
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
 * Makes a server that has just started as quick as one that has run for a while, before it says
 * that it is ready.
 *
 * <p><b>Why.</b> Code that runs for the first time is loaded, linked and interpreted on the way:
 * the first calls took 60 to 110 ms, where a store has 25 ms to answer and Envoy waits for 20.
 *
 * <p><b>How.</b> The server calls its own ports, and answers these calls like any other, by the
 * same code and the same store; but by {@link WarmUpRules rules and counters} that nobody else has,
 * and without counting them in its metrics. Counters that it leaves in a shared store are deleted.
 */
final class WarmUp {
  private static final Logger LOG = System.getLogger(WarmUp.class.getName());

  /** Well inside what a store has to answer, and what Envoy waits for. */
  private static final Duration QUICK = Duration.ofMillis(5);

  /** What is kept of the time to clean up in: this, or a fifth of it if that is less. */
  private static final Duration CLEANING = Duration.ofSeconds(1);

  private final Sockets sockets = new Sockets();

  /** How long it may take, cleaning included. */
  private final Duration limit;

  private final WarmUpRules rules;
  private final TrialStore counters;
  private final TrafficEdge traffic;
  private final GrpcEdge grpc;

  /**
   * @param store in which counters are kept
   */
  WarmUp(
      Vertx vertx,
      ServerSettings settings,
      LiveRules operators,
      Store store,
      Readiness readiness,
      Bodies bodies) {
    this.limit = settings.times().warmUp();
    this.rules = new WarmUpRules(operators);
    this.counters = new TrialStore(store);
    Standby standby = Standby.alone(new MemoryStore());
    Metrics metrics = new Metrics();
    Ways ways = new Ways();
    Limiter limiter = new Limiter(counters, standby, metrics);
    RlsEngine engine =
        new RlsEngine(
            counters,
            standby,
            rules.domains().keys(),
            Ticker.system(),
            settings.grpc().rls(),
            new RlsStats(settings.grpc().rls().nearRatio(), ways),
            metrics);
    OperationsAccess own = OperationsAccess.everybody(); // nobody else gets here
    RlsService service = new RlsService(vertx, engine, rules.domains().rules(rules::live), own);
    Permits permits = new Permits(rules.domains().keys(), 0);
    CrossSiteGuard pages = PortAccess.pagesOnTraffic(settings);
    this.traffic =
        new TrafficEdge(
            new CheckEdge(rules::live, limiter, ways, settings.traffic(), Ticker.system()::micros),
            new DecideEdge(rules::live, limiter, ways, permits, own),
            new ReleaseEdge(limiter, permits),
            new JsonEdge(service, own, false, pages),
            readiness,
            Buffer.buffer(),
            bodies,
            pages,
            Optional::empty);
    this.grpc = new GrpcEdge(service, bodies);
  }

  /** Whether a request comes from here. */
  boolean owns(HttpServerRequest request) {
    SocketAddress peer = request.remoteAddress();
    String address = peer == null ? null : peer.hostAddress();
    return address != null && sockets.own(address, peer.port());
  }

  /** Notes that a connection is closed, be it from here or not. */
  void forget(SocketAddress peer) {
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
   * Calls the ports until they answer quickly.
   *
   * @param stop whether it is to end before that
   */
  Outcome drive(Listeners listeners, Where toTraffic, Where toGrpc, BooleanSupplier stop) {
    Port trafficPort =
        callable(
            toTraffic, where -> listeners.listen(1, where, TrafficEdge::endpoint, this::onTraffic));
    Port grpcPort =
        toGrpc.port() == ServerSettings.OFF
            ? null
            : callable(
                toGrpc, where -> listeners.listenGrpc(1, where, GrpcEdge::suit, this::onGrpc));
    Outcome outcome = drive(trafficPort, grpcPort, stop);
    if (trafficPort.number() != toTraffic.port()) {
      listeners.close(trafficPort.number());
    }
    if (grpcPort != null && grpcPort.number() != toGrpc.port()) {
      listeners.close(grpcPort.number());
    }
    return outcome;
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

  /**
   * @param grpcPort null if it is off
   */
  private Outcome drive(Port trafficPort, @Nullable Port grpcPort, BooleanSupplier stop) {
    long start = System.nanoTime();
    Duration fifth = limit.dividedBy(5);
    Duration driving = limit.minus(fifth.compareTo(CLEANING) < 0 ? fifth : CLEANING);
    Outcome outcome =
        new Driver(sockets, trafficPort, grpcPort, rules)
            .drive(QUICK, driving, counters::tripNanos, stop);
    Duration left = limit.minusNanos(System.nanoTime() - start);
    counters.delete(left.isNegative() ? Duration.ZERO : left);
    if (!stop.getAsBoolean()) {
      tell(outcome);
    }
    return outcome;
  }

  private void tell(Outcome outcome) {
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
