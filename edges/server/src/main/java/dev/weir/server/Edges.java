package dev.weir.server;

import dev.weir.key.KeySpace;
import dev.weir.limiter.Limiter;
import dev.weir.rules.ActiveRules;
import dev.weir.server.access.Authenticator;
import dev.weir.server.access.OperationsAccess;
import dev.weir.server.admin.ActionsEdge;
import dev.weir.server.admin.AdminEdge;
import dev.weir.server.admin.DebugEdge;
import dev.weir.server.admin.ExplainEdge;
import dev.weir.server.admin.LoginEdge;
import dev.weir.server.admin.ResetEdge;
import dev.weir.server.check.CheckEdge;
import dev.weir.server.decide.DecideEdge;
import dev.weir.server.decide.Permits;
import dev.weir.server.decide.ReleaseEdge;
import dev.weir.server.grpc.GrpcEdge;
import dev.weir.server.grpc.JsonEdge;
import dev.weir.server.grpc.RlsService;
import dev.weir.server.health.HealthStatus;
import dev.weir.server.health.Readiness;
import dev.weir.server.metrics.Metrics;
import dev.weir.server.metrics.RlsStats;
import dev.weir.server.metrics.ServerStatus;
import dev.weir.server.otlp.OtlpExporter;
import dev.weir.server.reply.AdminGuard;
import dev.weir.server.reply.AuditedActions;
import dev.weir.server.reply.CrossSiteGuard;
import dev.weir.server.rls.RlsEngine;
import dev.weir.server.rls.RlsSettings;
import dev.weir.server.settings.ServerSettings;
import dev.weir.server.settings.TelemetrySettings;
import dev.weir.server.shed.ActiveShedder;
import dev.weir.server.telemetry.DenialLog;
import dev.weir.server.telemetry.Telemetry;
import dev.weir.time.Ticker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.SecureRandom;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The edges of a server, each wired to the limiter and the active rules. */
final class Edges {
  final RlsService service;
  final HealthStatus health;
  final Readiness readiness;
  final Telemetry telemetry;
  final TrafficHandler traffic;
  final GrpcEdge grpc;
  final AdminEdge admin;
  final Observation observation;

  /**
   * Builds the edges, and has the health service follow the state of the server.
   *
   * @param other creates the handler for the traffic port; null for decisions by HTTP
   * @param ready whether the server is ready, and does not stop
   */
  Edges(
      ServerSettings settings,
      ActiveRules rules,
      KeySpace keys,
      ServerRuntime runtime,
      ServerStore store,
      TrafficHandler.@Nullable Factory other,
      BooleanSupplier ready) {
    RlsSettings rls = settings.grpc().rls();
    ServerStatus status = store.status(rules);
    RlsStats stats = new RlsStats(rls.nearRatio(), store.degraded);
    runtime.metrics.watch(stats, status, rules, settings.metrics().names());
    this.observation = new Observation(settings, rules, runtime, store, stats);
    Limiter limiter = store.limiter(observation.ofLimiter());
    this.telemetry = openTelemetry(settings.telemetry(), runtime.metrics, store.config.kind());
    boolean warm = settings.times().warmUp().isZero();
    this.health = new HealthStatus(rls.health(), ready, rules, status, warm);
    this.readiness =
        new Readiness(
            () -> ready.getAsBoolean() && rules.isLoaded(),
            runtime.drain,
            health,
            rules,
            store.config,
            store.monitor);
    this.service =
        new RlsService(
            runtime.vertx,
            new RlsEngine(limiter, keys, Ticker.system(), rls, observation.ofRls()),
            () -> rules.current().descriptorRules(),
            PortAccess.of(settings).grpc(),
            telemetry);
    holdUntilLoaded(service, rules);
    health.publish(service, runtime.vertx);

    ActiveShedder shedder = new ActiveShedder();
    runtime.metrics.watch(shedder);
    TrafficEdge.Decisions decisions =
        decisions(settings, rules, keys, store, limiter, service, shedder);
    this.traffic =
        other == null
            ? traffic(settings, runtime, decisions, readiness, telemetry)
            : other.create(
                new TrafficHandler.Context(
                    runtime.vertx,
                    rules::current,
                    new TrafficHandler.Decisions(limiter, store.degraded, shedder, telemetry),
                    settings,
                    runtime.bodies));
    runtime.metrics.add(traffic::writeMetrics);
    this.grpc = new GrpcEdge(service, runtime.bodies);
    Authenticator authenticator = PortAccess.authenticator(settings, runtime.clock, runtime.audit);
    this.admin =
        new AdminEdge(
            pages(rules, store, runtime, new DebugEdge(stats, status)),
            operations(rules, keys, store, limiter, decisions, runtime),
            new LoginEdge(authenticator, runtime.audit),
            runtime.bodies,
            new AdminGuard(PortAccess.browsers(settings), authenticator));
  }

  private static TrafficEdge traffic(
      ServerSettings settings,
      ServerRuntime runtime,
      TrafficEdge.Decisions decisions,
      Readiness readiness,
      Telemetry telemetry) {
    return new TrafficEdge(
        decisions,
        readiness,
        TrafficEdge.openApi(),
        runtime.bodies,
        PortAccess.pagesOnTraffic(settings),
        runtime.loops::problem,
        telemetry);
  }

  private AdminEdge.Pages pages(
      ActiveRules rules, ServerStore store, ServerRuntime runtime, DebugEdge debug) {
    return new AdminEdge.Pages(
        rules, store.actions, readiness, runtime.metrics, debug, observation.edges(readiness));
  }

  /** Opens the logs of requests, and prepares what is to be sent to a collector. */
  private static Telemetry openTelemetry(
      TelemetrySettings settings, Metrics metrics, String storeKind) {
    Telemetry.Builder builder = new Telemetry.Builder(Ticker.system());
    try {
      if (settings.accessLog().isPresent()) {
        builder.accessLog(settings.accessLog().get(), settings.format(), settings.withQueries());
      }
      if (settings.denialLog().isPresent()) {
        builder.denials(
            DenialLog.open(
                settings.denialLog().get(), settings.format(), settings.denialsPerSecond()));
      }
    } catch (IOException e) {
      builder.build().close();
      throw new UncheckedIOException(e);
    }
    settings
        .otlp()
        .ifPresent(
            otlp -> builder.export(new OtlpExporter(otlp, metrics, storeKind), otlp.spanSampler()));
    Telemetry telemetry = builder.build();
    metrics.add(telemetry::writeMetrics);
    return telemetry;
  }

  /** Until the rules are loaded for the first time, no rate limit request is answered. */
  private static void holdUntilLoaded(RlsService service, ActiveRules rules) {
    if (!rules.isLoaded()) {
      service.hold();
      var unused = rules.loaded().thenRun(service::begin);
    }
  }

  private static TrafficEdge.Decisions decisions(
      ServerSettings settings,
      ActiveRules rules,
      KeySpace keys,
      ServerStore store,
      Limiter limiter,
      RlsService service,
      ActiveShedder shedder) {
    OperationsAccess access = PortAccess.of(settings).traffic();
    CrossSiteGuard pages = PortAccess.pagesOnTraffic(settings);
    Permits permits = new Permits(keys, new SecureRandom().nextLong());
    return new TrafficEdge.Decisions(
        new CheckEdge(
            rules::current, limiter, store.degraded, settings.traffic(), Ticker.system()::micros),
        new DecideEdge(rules::current, limiter, store.degraded, permits, access, shedder),
        new ReleaseEdge(limiter, permits),
        new JsonEdge(service, access, settings.grpc().rls().plainErrors(), pages));
  }

  /** The operations of the admin port, whose callers may change counters. */
  private AdminEdge.Operations operations(
      ActiveRules rules,
      KeySpace keys,
      ServerStore store,
      Limiter limiter,
      TrafficEdge.Decisions decisions,
      ServerRuntime runtime) {
    AuditedActions audited = new AuditedActions(runtime.audit);
    return new AdminEdge.Operations(
        new ExplainEdge(rules::current, limiter, store::servers, store::isLeased, store.actions),
        new ResetEdge(rules::current, limiter, audited, observation::identity),
        new ActionsEdge(rules::current, keys, store.actions, audited, runtime.clock),
        decisions.decide().with(OperationsAccess.everybody()),
        decisions.release());
  }
}
