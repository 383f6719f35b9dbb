package dev.weir.server;

import dev.weir.server.stats.HttpStats.Endpoint;
import dev.weir.yaml.RulesInForce;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.Consumer;

/** For operators: metrics, the rules in force, explain a request, reset or change its counters. */
final class AdminEdge {
  private final RulesInForce rules;
  private final ExplainEdge explain;
  private final ResetEdge reset;
  private final DecideEdge decide;
  private final ReleaseEdge release;
  private final Readiness readiness;
  private final Metrics metrics;
  private final DebugEdge debug;
  private final Bodies bodies;
  private final AdminGuard guard;
  private final CrossSiteGuard pages;

  AdminEdge(
      RulesInForce rules,
      ExplainEdge explain,
      ResetEdge reset,
      DecideEdge decide,
      ReleaseEdge release,
      Readiness readiness,
      Metrics metrics,
      DebugEdge debug,
      Bodies bodies,
      AdminGuard guard,
      CrossSiteGuard pages) {
    this.pages = pages;
    this.rules = rules;
    this.explain = explain;
    this.reset = reset;
    this.decide = decide;
    this.release = release;
    this.readiness = readiness;
    this.metrics = metrics;
    this.debug = debug;
    this.bodies = bodies;
    this.guard = guard;
  }

  void handle(HttpServerRequest request) {
    if (!guard.admits(request)) {
      return;
    }
    String route = request.method().name() + " " + request.path();
    switch (route) {
      case "GET /metrics" -> metrics.tell(request);
      case "GET /rules" ->
          Replies.page(request, "application/json", () -> RulesPage.of(rules).toBuffer());
      case "GET /readyz" -> readiness.tellOperators(request);
      case "POST /explain" -> read(request, body -> explain.handle(request, body));
      case "POST /reset" -> read(request, body -> reset.handle(request, body));
      case "POST " + DecideEdge.PATH -> read(request, body -> decide.decide(request, body));
      case "POST " + ReleaseEdge.PATH -> read(request, body -> release.handle(request, body));
      default -> {
        if (!debug.handle(route, request)) {
          String expected =
              "GET /, GET /metrics, GET /rules, GET /readyz, GET /rlconfig, GET /stats, POST /explain,"
                  + " POST /reset, POST /v1/decide, POST /v1/release";
          Replies.error(request, 404, route + " (expected: " + expected + ")");
        }
      }
    }
  }

  private void read(HttpServerRequest request, Consumer<Buffer> then) {
    if (pages.admitsJson(request)) {
      bodies.read(request, then);
    }
  }

  /** What a request is counted as, be it allowed or not. */
  static Endpoint endpoint(HttpServerRequest request) {
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
