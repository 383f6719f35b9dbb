package dev.weir.server.admin;

import dev.weir.rules.ActiveRules;
import dev.weir.server.decide.DecideEdge;
import dev.weir.server.decide.ReleaseEdge;
import dev.weir.server.health.Readiness;
import dev.weir.server.listen.RequestBodies;
import dev.weir.server.metrics.HttpStats.Endpoint;
import dev.weir.server.metrics.Metrics;
import dev.weir.server.reply.AdminGuard;
import dev.weir.server.reply.CrossSiteGuard;
import dev.weir.server.reply.Replies;
import dev.weir.server.telemetry.Observation;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.Consumer;

/**
 * The edge on the admin port: metrics, the active rules, explaining a request, and resetting or
 * changing its counters. Safe for use by any number of threads.
 */
public final class AdminEdge {
  private final Pages pages;
  private final Operations operations;
  private final RequestBodies bodies;
  private final AdminGuard guard;
  private final CrossSiteGuard sites;

  /** What operators can read. */
  public record Pages(ActiveRules rules, Readiness readiness, Metrics metrics, DebugEdge debug) {}

  /** What operators can do with the counters of a request. */
  public record Operations(
      ExplainEdge explain, ResetEdge reset, DecideEdge decide, ReleaseEdge release) {}

  /**
   * An edge with these pages and operations.
   *
   * @param guard decides who may use the port
   * @param sites decides which web pages may send bodies
   */
  public AdminEdge(
      Pages pages,
      Operations operations,
      RequestBodies bodies,
      AdminGuard guard,
      CrossSiteGuard sites) {
    this.pages = pages;
    this.operations = operations;
    this.bodies = bodies;
    this.guard = guard;
    this.sites = sites;
  }

  /** Answers a request. */
  public void handle(HttpServerRequest request) {
    if (!guard.admits(request)) {
      return;
    }
    String route = request.method().name() + " " + request.path();
    switch (route) {
      case "GET /metrics" -> pages.metrics.serve(request);
      case "GET /rules" ->
          Replies.page(request, "application/json", () -> RulesPage.of(pages.rules).toBuffer());
      case "GET /readyz" -> pages.readiness.serveDetails(request);
      case "POST /explain" -> read(request, body -> operations.explain.handle(request, body));
      case "POST /reset" -> read(request, body -> operations.reset.handle(request, body));
      case "POST " + DecideEdge.PATH ->
          read(request, body -> operations.decide.decide(request, body, Observation.NONE));
      case "POST " + ReleaseEdge.PATH ->
          read(request, body -> operations.release.handle(request, body));
      default -> {
        if (!pages.debug.handle(route, request)) {
          String expected =
              "GET /, GET /metrics, GET /rules, GET /readyz, GET /rlconfig, GET /stats, POST /explain,"
                  + " POST /reset, POST /v1/decide, POST /v1/release";
          Replies.error(request, 404, route + " (expected: " + expected + ")");
        }
      }
    }
  }

  private void read(HttpServerRequest request, Consumer<Buffer> then) {
    if (sites.admitsJson(request)) {
      bodies.read(request, then);
    }
  }

  /** The endpoint under which a request is counted, allowed or not. */
  public static Endpoint endpoint(HttpServerRequest request) {
    return switch (request.path()) {
      case "/" -> Endpoint.INDEX;
      case "/metrics" -> Endpoint.METRICS;
      case "/rules" -> Endpoint.RULES;
      case "/explain" -> Endpoint.EXPLAIN;
      case "/reset" -> Endpoint.RESET;
      case "/rlconfig" -> Endpoint.RLCONFIG;
      case "/stats" -> Endpoint.STATS;
      case "/readyz" -> Endpoint.READYZ;
      case DecideEdge.PATH -> Endpoint.DECIDE;
      case ReleaseEdge.PATH -> Endpoint.RELEASE;
      default -> Endpoint.OTHER;
    };
  }
}
