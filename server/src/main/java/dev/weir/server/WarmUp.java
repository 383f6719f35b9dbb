package dev.weir.server;

import dev.weir.Answer;
import dev.weir.Claim;
import dev.weir.LimitKey;
import dev.weir.Store;
import dev.weir.Ticker;
import dev.weir.guard.Standby;
import dev.weir.memory.MemoryStore;
import dev.weir.operation.Operation;
import dev.weir.operation.UniformStore;
import dev.weir.rule.Limiter;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
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

  private static final Duration CLEANING = Duration.ofSeconds(1);

  private final Sockets sockets = new Sockets();
  private final WarmUpRules rules;
  private final Recorded counters;
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
    this.rules = new WarmUpRules(operators);
    this.counters = new Recorded(store);
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
    this.traffic =
        new TrafficEdge(
            new CheckEdge(rules::live, limiter, ways, settings.traffic(), Ticker.system()::micros),
            new DecideEdge(rules::live, limiter, ways, permits, own),
            new ReleaseEdge(limiter, permits),
            new JsonEdge(service, own, false),
            readiness,
            Buffer.buffer(),
            bodies);
    this.grpc = new GrpcEdge(service, bodies);
  }

  /** Whether a request comes from here. */
  boolean owns(HttpServerRequest request) {
    SocketAddress peer = request.remoteAddress();
    return peer != null && sockets.own(String.valueOf(peer.hostAddress()), peer.port());
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
   * @param grpcPort null if it is off
   * @param limit how long it may take
   */
  Outcome drive(Port trafficPort, @Nullable Port grpcPort, Duration limit) {
    Outcome outcome = new Driver(sockets, trafficPort, grpcPort, rules).drive(QUICK, limit);
    counters.delete();
    String summary =
        outcome.rounds()
            + " rounds in "
            + outcome.took().toMillis()
            + " ms, slowest of the last calls "
            + outcome.slowest().toNanos() / 1_000
            + " µs";
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
    return outcome;
  }

  /** A store that remembers which counters were used. */
  private static final class Recorded extends UniformStore {
    private final Store store;
    private final Map<LimitKey, Claim> used = new ConcurrentHashMap<>();

    Recorded(Store store) {
      this.store = store;
    }

    @Override
    protected Answer ask(Operation operation, List<Claim> claims) {
      for (Claim claim : claims) {
        used.putIfAbsent(claim.key(), claim);
      }
      return operation.on(store, claims);
    }

    void delete() {
      List<CompletableFuture<?>> deleted = new ArrayList<>();
      for (Claim claim : used.values()) {
        deleted.add(store.forget(List.of(claim)).stage().toCompletableFuture());
      }
      var unused =
          CompletableFuture.allOf(deleted.toArray(CompletableFuture<?>[]::new))
              .exceptionally(failure -> null) // they expire by themselves
              .completeOnTimeout(null, CLEANING.toMillis(), TimeUnit.MILLISECONDS)
              .join();
    }
  }
}
