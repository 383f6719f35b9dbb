package dev.weir.server.admin;

import dev.weir.server.access.Operator.Role;
import io.vertx.core.http.HttpServerRequest;
import java.util.Set;

/**
 * The role that each route of the administration port needs. A route that is not listed here needs
 * a viewer to read and an operator for anything else, so a new one cannot be open by mistake.
 */
final class RouteAccess {
  /** How a browser gets a session, and finds out whether it has one. */
  private static final Set<String> PUBLIC = Set.of("POST /login", "POST /logout", "GET /session");

  /** Questions that need a body, and change nothing. */
  private static final Set<String> QUESTIONS = Set.of("POST /explain");

  private RouteAccess() {}

  /** The method and path of a request. */
  static String route(HttpServerRequest request) {
    return request.method().name() + " " + request.path();
  }

  /** Whether anybody may use a route. */
  static boolean isPublic(String route) {
    return PUBLIC.contains(route);
  }

  /** The role that a route needs which is not public. */
  static Role needed(String route) {
    boolean reading = route.startsWith("GET ") || route.startsWith("HEAD ");
    return reading || QUESTIONS.contains(route) ? Role.VIEWER : Role.OPERATOR;
  }
}
