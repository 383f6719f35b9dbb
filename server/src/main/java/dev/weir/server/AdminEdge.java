package dev.weir.server;

import dev.weir.server.stats.HttpStats.Endpoint;
import dev.weir.yaml.RulesInForce;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/** For operators: metrics, the rules in force, explain a request, reset its counters. */
final class AdminEdge {
  private final RulesInForce rules;
  private final ExplainEdge explain;
  private final ResetEdge reset;
  private final Readiness readiness;
  private final Metrics metrics;
  private final DebugEdge debug;
  private final Bodies bodies;
  private final @Nullable String token;

  AdminEdge(
      RulesInForce rules,
      ExplainEdge explain,
      ResetEdge reset,
      Readiness readiness,
      Metrics metrics,
      DebugEdge debug,
      Bodies bodies,
      @Nullable String token) {
    this.rules = rules;
    this.explain = explain;
    this.reset = reset;
    this.readiness = readiness;
    this.metrics = metrics;
    this.debug = debug;
    this.bodies = bodies;
    this.token = token;
  }

  void handle(HttpServerRequest request) {
    if (!isAuthorized(request)) {
      request.response().putHeader("WWW-Authenticate", "Bearer");
      Replies.error(request, 401, "Authorization: Bearer with the token for administrators");
      return;
    }
    String route = request.method().name() + " " + request.path();
    switch (route) {
      case "GET /metrics" -> metrics.tell(request);
      case "GET /rules" ->
          Replies.page(request, "application/json", () -> RulesPage.of(rules).toBuffer());
      case "GET /readyz" -> readiness.tellOperators(request);
      case "POST /explain" -> bodies.read(request, body -> explain.handle(request, body));
      case "POST /reset" -> bodies.read(request, body -> reset.handle(request, body));
      default -> {
        if (!debug.handle(route, request)) {
          String expected =
              "GET /, GET /metrics, GET /rules, GET /readyz, GET /rlconfig, GET /stats, POST /explain,"
                  + " POST /reset";
          Replies.error(request, 404, route + " (expected: " + expected + ")");
        }
      }
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
      default -> Endpoint.OTHER;
    };
  }

  private boolean isAuthorized(HttpServerRequest request) {
    if (token == null) {
      return true;
    }
    String shown = request.getHeader("authorization");
    return shown != null
        && MessageDigest.isEqual(
            shown.getBytes(StandardCharsets.UTF_8),
            ("Bearer " + token).getBytes(StandardCharsets.UTF_8));
  }
}
