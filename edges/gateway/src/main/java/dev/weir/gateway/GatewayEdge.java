package dev.weir.gateway;

import dev.weir.Algorithm;
import dev.weir.Limit;
import dev.weir.gateway.cost.Costs;
import dev.weir.gateway.log.AccessLog;
import dev.weir.gateway.proxy.ClientRequest;
import dev.weir.http.identity.RequestValues;
import dev.weir.limiter.Limiter;
import dev.weir.rule.Allowance;
import dev.weir.rule.Rule;
import dev.weir.rules.gateway.UpstreamSettings;
import dev.weir.server.TrafficHandler;
import dev.weir.server.exposition.MetricSink;
import dev.weir.server.listen.RequestBodies;
import dev.weir.server.listen.StreamedRequests;
import dev.weir.server.metrics.HttpStats.Endpoint;
import dev.weir.server.reply.DecisionHeaders;
import dev.weir.server.reply.DegradedCounters;
import dev.weir.server.reply.Replies;
import dev.weir.server.shed.ActiveShedder;
import dev.weir.server.telemetry.Telemetry;
import dev.weir.time.Ticker;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The gateway on the traffic port of a server: decides about each request, and proxies those that
 * pass. Safe for use by any number of threads.
 */
public final class GatewayEdge implements TrafficHandler {
  /** As long as clients keep connections that they may use again. */
  private static final long MIN_IDLE_SECONDS = 75;

  /** Exchanges end by their own time limits, not by that of the connection. */
  private static final long IDLE_MARGIN_SECONDS = 5;

  private static final long MAX_IDLE_SECONDS = 24 * 3_600;

  private final Plans plans;
  private final Limiter limiter;
  private final DegradedCounters degraded;
  private final DecisionHeaders headers;
  private final Optional<AccessLog> log;
  private final Telemetry telemetry;
  private final GatewayStats stats = new GatewayStats();
  private final ActiveShedder shedder;
  private final Costs costs;
  private final RequestBodies bodies;
  private final LoopRequests requests;
  private final Duration bodyPeriod;

  GatewayEdge(Context context, GatewayOptions options) {
    this.plans = new Plans(context.vertx(), context.rules(), options.upstream());
    this.limiter = context.limiter();
    this.degraded = context.degraded();
    this.shedder = context.shedder();
    this.costs = new Costs(context.limiter(), System::nanoTime);
    this.bodies = context.bodies();
    this.headers =
        new DecisionHeaders(
            context.settings().traffic().fields(),
            context.settings().traffic().jitter(),
            context.degraded(),
            Ticker.system()::micros);
    this.log = options.log();
    this.telemetry = context.telemetry();
    this.bodyPeriod = context.settings().times().request();
    this.requests = new LoopRequests(context.vertx());
  }

  /** Creates gateways with these options. */
  public static Factory factory(GatewayOptions options) {
    return new Factory() {
      @Override
      public TrafficHandler create(Context context) {
        return new GatewayEdge(context, options);
      }

      @Override
      public TrafficHandler createForWarmUp(Context context) {
        return WarmUpGateway.start(context);
      }
    };
  }

  Limiter limiter() {
    return limiter;
  }

  DegradedCounters degraded() {
    return degraded;
  }

  DecisionHeaders headers() {
    return headers;
  }

  Optional<AccessLog> log() {
    return log;
  }

  Telemetry telemetry() {
    return telemetry;
  }

  GatewayStats stats() {
    return stats;
  }

  ActiveShedder shedder() {
    return shedder;
  }

  Costs costs() {
    return costs;
  }

  RequestBodies bodies() {
    return bodies;
  }

  LoopRequests requests() {
    return requests;
  }

  /** The time in which the minimum of a body's bytes must come. */
  Duration bodyPeriod() {
    return bodyPeriod;
  }

  @Override
  public void configure(HttpServerOptions options) {
    long longest = MIN_IDLE_SECONDS;
    for (UpstreamSettings one : plans.current().upstreams().keySet()) {
      longest = Math.max(longest, one.connection().timeouts().idle().toSeconds());
    }
    for (Rule rule : plans.current().rules().book().rules()) {
      longest = Math.max(longest, longestWaitSeconds(rule));
    }
    long bounded = Math.min(MAX_IDLE_SECONDS, longest + IDLE_MARGIN_SECONDS);
    options
        .setReadIdleTimeout(0)
        .setIdleTimeout((int) bounded)
        .setPerFrameWebSocketCompressionSupported(false) // frames pass as they are
        .setPerMessageWebSocketCompressionSupported(false);
  }

  /** How long a rule may hold a request back, whose client sees no byte meanwhile. */
  private static long longestWaitSeconds(Rule rule) {
    double longest = 0;
    for (Allowance allowance : rule.allowances()) {
      for (Limit limit : allowance.limits()) {
        if (limit.algorithm() == Algorithm.LEAKY_BUCKET) {
          double wait = (double) limit.windowMicros() * limit.capacity() / limit.permits();
          longest = Math.max(longest, wait);
        }
      }
    }
    return (long) (longest / TimeUnit.SECONDS.toMicros(1));
  }

  @Override
  public Endpoint endpoint(HttpServerRequest request) {
    return Endpoint.PROXY;
  }

  @Override
  public void handle(HttpServerRequest request) {
    request.pause();
    ClientRequest client;
    try {
      checkMethod(request);
      client = ClientRequest.of(request);
    } catch (IllegalArgumentException e) {
      stats.count(GatewayStats.Outcome.REFUSED);
      Replies.error(request, 400, String.valueOf(e.getMessage()));
      if (request.version() != HttpVersion.HTTP_2) {
        var unused = request.connection().close(); // where its body ends is not certain
      } else {
        UnreadBody.discard(request);
      }
      return;
    }
    StreamedRequests.begin(request);
    Plan plan = plans.current();
    RequestValues values = plan.rules().read(client);
    new GatewayRequest(this, plan, client, values).begin();
  }

  /** CONNECT opens tunnels, and TRACE shows headers that the client should not see. */
  private static void checkMethod(HttpServerRequest request) {
    String method = request.method().name();
    if (method.equals("CONNECT") || method.equals("TRACE")) {
      throw new IllegalArgumentException(method + ": not supported (expected: another method)");
    }
  }

  @Override
  public void writeMetrics(MetricSink out) {
    stats.write(out, requests.inFlight(), plans.current().upstreams().values(), log);
  }

  @Override
  public void close() {
    requests.close();
    plans.close();
    log.ifPresent(AccessLog::close);
  }
}
