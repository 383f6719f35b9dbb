package dev.weir.server;

import dev.weir.Claim;
import dev.weir.rule.Limiter;
import dev.weir.rule.Match;
import dev.weir.rule.Rule;
import dev.weir.yaml.LiveRules;
import dev.weir.yaml.Problem;
import dev.weir.yaml.RulesInForce;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** For operators: metrics, the rules in force, explain a request, reset its counters. */
final class AdminEdge {
  private final RulesInForce rules;
  private final Limiter limiter;
  private final ExplainEdge explain;
  private final Metrics metrics;
  private final DebugEdge debug;
  private final Bodies bodies;
  private final @Nullable String token;

  AdminEdge(
      RulesInForce rules,
      Limiter limiter,
      ExplainEdge explain,
      Metrics metrics,
      DebugEdge debug,
      Bodies bodies,
      @Nullable String token) {
    this.rules = rules;
    this.limiter = limiter;
    this.explain = explain;
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
      case "GET /rules" -> Replies.json(request, 200, rules());
      case "POST /explain" -> bodies.read(request, body -> explain.handle(request, body));
      case "POST /reset" -> bodies.read(request, body -> reset(request, body));
      default -> {
        if (!debug.handle(route, request)) {
          String expected =
              "GET /, GET /metrics, GET /rules, GET /rlconfig, GET /stats, POST /explain,"
                  + " POST /reset";
          Replies.error(request, 404, route + " (expected: " + expected + ")");
        }
      }
    }
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

  private JsonObject rules() {
    LiveRules live = rules.current();
    RulesInForce.Status status = rules.status();
    JsonArray list = new JsonArray();
    for (Rule rule : live.book().rules()) {
      JsonArray limits = new JsonArray();
      rule.allowances().stream()
          .flatMap(allowance -> allowance.limits().stream())
          .forEach(limit -> limits.add(DecideEdge.limit(limit)));
      list.add(
          new JsonObject()
              .put("name", rule.name())
              .put("per", new JsonArray(rule.per().stream().map(one -> one.name()).toList()))
              .put("limits", limits)
              .put("enforcedPercent", rule.enforced() * 100L / Rule.WHOLE));
    }
    List<String> warnings = live.rules().warnings().stream().map(Problem::toString).toList();
    return new JsonObject()
        .put("version", live.version())
        .put("since", status.since().toString())
        .put("reloads", status.reloads())
        .put("refusals", status.refusals())
        .put("problems", new JsonArray(status.problems()))
        .put("warnings", new JsonArray(warnings))
        .put("rules", list);
  }

  private void reset(HttpServerRequest request, Buffer body) {
    LiveRules live = rules.current();
    Match match = live.book().match(Question.parse(body).descriptor(live), 1);
    List<Claim> claims = match.claims();
    Replies.when(
        request,
        limiter.forget(match).stage(),
        done -> Replies.json(request, 200, new JsonObject().put("reset", claims.size())));
  }
}
