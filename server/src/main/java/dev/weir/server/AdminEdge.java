package dev.weir.server;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.rule.Explanation;
import dev.weir.rule.Limiter;
import dev.weir.rule.Match;
import dev.weir.rule.Rule;
import dev.weir.yaml.LiveRules;
import dev.weir.yaml.Problem;
import dev.weir.yaml.RulesWatch;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** For operators: metrics, the rules in force, explain a request, reset its counters. */
final class AdminEdge {
  private final RulesWatch rules;
  private final Limiter limiter;
  private final Metrics metrics;
  private final @Nullable String token;

  AdminEdge(RulesWatch rules, Limiter limiter, Metrics metrics, @Nullable String token) {
    this.rules = rules;
    this.limiter = limiter;
    this.metrics = metrics;
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
      case "GET /metrics" -> metrics(request);
      case "GET /rules" -> Replies.json(request, 200, rules());
      case "POST /explain" -> Bodies.read(request, body -> explain(request, body));
      case "POST /reset" -> Bodies.read(request, body -> reset(request, body));
      default ->
          Replies.error(
              request,
              404,
              route + " (expected: GET /metrics, GET /rules, POST /explain, POST /reset)");
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

  private void metrics(HttpServerRequest request) {
    var unused =
        request
            .response()
            .putHeader("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
            .end(metrics.scrape());
  }

  private JsonObject rules() {
    LiveRules live = rules.current();
    RulesWatch.Status status = rules.status();
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

  /** The body of a question: the same as for a decision, without an operation. */
  private DecideRequest question(Buffer body) {
    try {
      return DecideRequest.parse(Json.decodeValue(body));
    } catch (DecodeException e) {
      throw new IllegalArgumentException("body: not JSON (expected: {\"values\": {…}})", e);
    }
  }

  private void explain(HttpServerRequest request, Buffer body) {
    LiveRules live = rules.current();
    DecideRequest question = question(body);
    var descriptor = question.descriptor(live.rules().http());
    JsonArray out = new JsonArray();
    for (Explanation one : live.book().explain(descriptor, 1)) {
      JsonObject rule =
          new JsonObject().put("rule", one.rule().name()).put("applies", one.applies());
      JsonArray failed = new JsonArray();
      for (Explanation.Failed condition : one.failed()) {
        failed.add(
            new JsonObject()
                .put("value", condition.condition().name())
                .put("is", condition.value())
                .put("expected", condition.condition().expected()));
      }
      out.add(rule.put("failed", failed).put("skipped", one.skipped()));
    }
    Match match = live.book().match(descriptor, 0).costing(question.cost());
    var unused =
        limiter
            .look(match)
            .stage()
            .whenComplete(
                (decision, failure) -> {
                  if (failure != null) {
                    Replies.error(request, 503, "the store did not answer");
                  } else {
                    Replies.json(request, 200, explained(live, out, match, decision));
                  }
                });
  }

  private static JsonObject explained(
      LiveRules live, JsonArray rules, Match match, Decision decision) {
    return new JsonObject()
        .put("version", live.version())
        .put("rules", rules)
        .put("decision", DecideEdge.json(match, decision));
  }

  private void reset(HttpServerRequest request, Buffer body) {
    LiveRules live = rules.current();
    DecideRequest question = question(body);
    Match match = live.book().match(question.descriptor(live.rules().http()), 1);
    List<Claim> claims = match.claims();
    var unused =
        limiter
            .store()
            .forget(claims)
            .stage()
            .whenComplete(
                (decision, failure) -> {
                  if (failure == null) {
                    Replies.json(request, 200, new JsonObject().put("reset", claims.size()));
                  } else {
                    Replies.error(request, 503, "the store did not answer");
                  }
                });
  }
}
