package dev.weir.server.admin;

import dev.weir.rules.ActiveRules;
import dev.weir.server.access.Operator;
import dev.weir.server.access.Operator.Role;
import dev.weir.server.action.Actions;
import dev.weir.server.callers.CallersEdge;
import dev.weir.server.callers.RevealEdge;
import dev.weir.server.decide.DecideEdge;
import dev.weir.server.decide.ReleaseEdge;
import dev.weir.server.health.Readiness;
import dev.weir.server.listen.RequestBodies;
import dev.weir.server.live.LiveEdge;
import dev.weir.server.live.PageEdge;
import dev.weir.server.metrics.HttpStats.Endpoint;
import dev.weir.server.metrics.Metrics;
import dev.weir.server.reply.AdminGuard;
import dev.weir.server.reply.Replies;
import dev.weir.server.telemetry.RequestObserver;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;

/**
 * The edge on the admin port: metrics, the active rules, explaining a request, and resetting or
 * changing its counters. Safe for use by any number of threads.
 */
public final class AdminEdge {
  private final Pages pages;
  private final Operations operations;
  private final LoginEdge login;
  private final RequestBodies bodies;
  private final AdminGuard guard;

  /**
   * What viewers can read.
   *
   * @param actions of operators, which the pages name
   */
  public record Pages(
      ActiveRules rules,
      Actions actions,
      Readiness readiness,
      Metrics metrics,
      DebugEdge debug,
      Live live) {}

  /** What the dashboard is made of. */
  public record Live(PageEdge page, LiveEdge feed, CallersEdge callers, RevealEdge reveal) {}

  /** What operators can do with rules, and with the counters of a request. */
  public record Operations(
      ExplainEdge explain,
      ResetEdge reset,
      ActionsEdge actions,
      DecideEdge decide,
      ReleaseEdge release) {}

  /**
   * An edge with these pages and operations.
   *
   * @param guard decides who may use the port
   */
  public AdminEdge(
      Pages pages, Operations operations, LoginEdge login, RequestBodies bodies, AdminGuard guard) {
    this.pages = pages;
    this.operations = operations;
    this.login = login;
    this.bodies = bodies;
    this.guard = guard;
  }

  /** Answers a request. */
  public void handle(HttpServerRequest request) {
    String route = RouteAccess.route(request);
    if (pages.live.page.serves(route, request)) {
      if (guard.admitsAnybody(request)) { // the page is no secret, and asks for a token
        pages.live.page.handle(route, request);
      }
    } else if (RouteAccess.isPublic(route)) {
      if (guard.admitsAnybody(request)) {
        serveAnybody(route, request);
      }
    } else {
      guard.admit(request, RouteAccess.needed(route)).ifPresent(who -> serve(route, request, who));
    }
  }

  private void serveAnybody(String route, HttpServerRequest request) {
    switch (route) {
      case "POST /login" -> bodies.read(request, body -> login.logIn(request, body));
      case "POST /logout" -> bodies.read(request, body -> login.logOut(request));
      case "GET /session" -> login.session(request);
      default -> notFound(route, request);
    }
  }

  private void serve(String route, HttpServerRequest request, Operator who) {
    switch (route) {
      case "GET /callers" -> pages.live.callers.handle(request);
      case "POST /callers/reveal" ->
          bodies.read(request, body -> pages.live.reveal.handle(request, who, body));
      case "GET /live" ->
          pages.live.feed.handle(request, () -> guard.stillAdmits(request, Role.VIEWER));
      case "GET /metrics" -> pages.metrics.serve(request);
      case "GET /rules" ->
          Replies.page(
              request,
              "application/json",
              () -> RulesPage.of(pages.rules, pages.actions).toBuffer());
      case "GET /readyz" -> pages.readiness.serveDetails(request);
      case "GET /actions" -> operations.actions.list(request);
      case "POST /actions" ->
          bodies.read(request, body -> operations.actions.take(request, who, body));
      case "POST /explain" ->
          bodies.read(request, body -> operations.explain.handle(request, body));
      case "POST /reset" ->
          bodies.read(request, body -> operations.reset.handle(request, who, body));
      case "POST " + DecideEdge.PATH ->
          bodies.read(
              request, body -> operations.decide.decide(request, body, RequestObserver.NONE));
      case "POST " + ReleaseEdge.PATH ->
          bodies.read(request, body -> operations.release.handle(request, body));
      default -> {
        if (route.startsWith("DELETE /actions/")) {
          operations.actions.undo(request, who);
        } else if (!pages.debug.handle(route, request)) {
          notFound(route, request);
        }
      }
    }
  }

  private static void notFound(String route, HttpServerRequest request) {
    String expected =
        "GET /, GET /live, GET /callers, GET /actions, GET /metrics, GET /rules, GET /readyz,"
            + " GET /rlconfig, GET /stats, GET /session, POST /login, POST /logout, POST /explain,"
            + " POST /reset, POST /actions, DELETE /actions/{id}, POST /callers/reveal,"
            + " POST /v1/decide, POST /v1/release";
    Replies.error(request, 404, route + " (expected: " + expected + ")");
  }

  /** Lets a stream of events go on, whose client has nothing more to say. */
  public static void configure(HttpServerOptions options) {
    options.setIdleTimeout(options.getReadIdleTimeout()).setReadIdleTimeout(0);
  }

  /** The endpoint under which a request is counted, allowed or not. */
  public static Endpoint endpoint(HttpServerRequest request) {
    if (ActionsEdge.isAbout(request.path())) {
      return Endpoint.ACTIONS;
    }
    return switch (request.path()) {
      case "/" -> Endpoint.INDEX;
      case "/metrics" -> Endpoint.METRICS;
      case "/rules" -> Endpoint.RULES;
      case "/callers" -> Endpoint.CALLERS;
      case "/callers/reveal" -> Endpoint.REVEAL;
      case "/live" -> Endpoint.LIVE;
      case "/explain" -> Endpoint.EXPLAIN;
      case "/reset" -> Endpoint.RESET;
      case "/login" -> Endpoint.LOGIN;
      case "/logout" -> Endpoint.LOGOUT;
      case "/session" -> Endpoint.SESSION;
      case "/rlconfig" -> Endpoint.RLCONFIG;
      case "/stats" -> Endpoint.STATS;
      case "/readyz" -> Endpoint.READYZ;
      case DecideEdge.PATH -> Endpoint.DECIDE;
      case ReleaseEdge.PATH -> Endpoint.RELEASE;
      default -> request.path().startsWith(PageEdge.FOLDER) ? Endpoint.DASHBOARD : Endpoint.OTHER;
    };
  }
}
