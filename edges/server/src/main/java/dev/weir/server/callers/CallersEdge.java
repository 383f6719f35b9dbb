package dev.weir.server.callers;

import dev.weir.server.decide.DecideRequest;
import dev.weir.server.reply.Replies;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code GET /callers}: who is denied most, or sends most. Thread-safe. */
public final class CallersEdge {
  private static final Set<String> PARAMETERS = Set.of("kind", "window", "rule", "limit", "scope");
  private static final int DEFAULT_LIMIT = 20;
  private static final int MAX_LIMIT = 1_000;

  private final CallerStats stats;
  private final FleetCallers fleet;

  /** An edge on what this server has counted, and the fleet. */
  public CallersEdge(CallerStats stats, FleetCallers fleet) {
    this.stats = stats;
    this.fleet = fleet;
  }

  private record Query(
      Kind kind, Window window, @Nullable String rule, int limit, boolean ofFleet) {}

  /** Answers a request. */
  public void handle(HttpServerRequest request) {
    Query query;
    try {
      query = query(request.params());
    } catch (IllegalArgumentException e) {
      Replies.error(request, 400, String.valueOf(e.getMessage()));
      return;
    }
    Replies.page(request, "application/json", () -> answer(query));
  }

  private Buffer answer(Query query) {
    CallerSource source = query.ofFleet ? fleet : stats;
    Collection<String> rules = query.rule == null ? source.rules() : List.of(query.rule);
    List<TopCaller> found = new TopCallers(source).of(rules, query.kind, query.window, query.limit);
    JsonArray callers = new JsonArray();
    found.forEach(one -> callers.add(one.json()));
    return new JsonObject()
        .put("kind", query.kind.label())
        .put("window", query.window.label())
        .put("servers", query.ofFleet ? fleet.servers() : 1)
        .put("revealed", stats.isRevealed())
        .put("callers", callers)
        .toBuffer();
  }

  private static Query query(MultiMap parameters) {
    for (String name : parameters.names()) {
      if (!PARAMETERS.contains(name)) {
        throw DecideRequest.refused("parameter", name, "kind, window, rule, limit, scope");
      }
      if (parameters.getAll(name).size() > 1) {
        throw DecideRequest.refused(name, "several", "one value");
      }
    }
    String kind = value(parameters, "kind", Kind.DENIED.label());
    String window = value(parameters, "window", Window.MINUTE.label());
    return new Query(
        Kind.of(kind)
            .orElseThrow(
                () ->
                    DecideRequest.refused(
                        "kind", kind, "denied, shadow-denied, near-limit or allowed")),
        Window.of(window)
            .orElseThrow(() -> DecideRequest.refused("window", window, "minute or hour")),
        parameters.get("rule"),
        limit(value(parameters, "limit", Integer.toString(DEFAULT_LIMIT))),
        isFleet(value(parameters, "scope", "fleet")));
  }

  private static boolean isFleet(String scope) {
    if (!scope.equals("fleet") && !scope.equals("server")) {
      throw DecideRequest.refused("scope", scope, "fleet or server");
    }
    return scope.equals("fleet");
  }

  private static String value(MultiMap parameters, String name, String otherwise) {
    String given = parameters.get(name);
    return given == null ? otherwise : given;
  }

  private static int limit(String text) {
    int limit = text.matches("[0-9]{1,4}") ? Integer.parseInt(text) : 0;
    if (limit < 1 || limit > MAX_LIMIT) {
      throw DecideRequest.refused("limit", text, "a whole number from 1 to " + MAX_LIMIT);
    }
    return limit;
  }
}
