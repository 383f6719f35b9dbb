package dev.weir.server.callers;

import dev.weir.server.access.Operator;
import dev.weir.server.decide.DecideRequest;
import dev.weir.server.reply.AuditedActions;
import dev.weir.server.reply.Replies;
import dev.weir.server.wire.JsonBody;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /callers/reveal}: what identifies a caller that is shown as a hash, if the operator
 * of the server wants callers to be revealed. Each reveal is recorded before. Thread-safe.
 */
public final class RevealEdge {
  private static final Set<String> FIELDS = Set.of("rule", "caller");
  private static final String FORM = "{\"rule\": \"login\", \"caller\": \"0123456789abcdef\"}";
  private static final int MAX_RULE_CHARS = 1_000;

  private final CallerStats stats;
  private final TopCallers top;
  private final AuditedActions actions;

  /** An edge on what this server has counted. */
  public RevealEdge(CallerStats stats, AuditedActions actions) {
    this.stats = stats;
    this.top = new TopCallers(stats);
    this.actions = actions;
  }

  private record Wanted(String rule, long caller) {}

  /** Answers a request of an operator. */
  public void handle(HttpServerRequest request, Operator who, Buffer body) {
    if (!stats.isRevealed()) {
      Replies.error(request, 409, "callers are known by hashes only (expected: --reveal-callers)");
      return;
    }
    Wanted wanted = parse(body);
    JsonObject details =
        new JsonObject().put("rule", wanted.rule).put("caller", TopCaller.id(wanted.caller));
    actions.perform(
        request,
        who,
        "reveal",
        details,
        () ->
            Vertx.currentContext()
                .executeBlocking(() -> top.find(wanted.rule, wanted.caller), false)
                .toCompletionStage(),
        found -> answer(request, found));
  }

  private static void answer(HttpServerRequest request, Optional<TopCaller> found) {
    List<String> identity = found.map(TopCaller::note).map(CallerNote::identity).orElse(List.of());
    if (identity.isEmpty()) {
      String expected = "one of the heaviest callers of this server within the last hour";
      Replies.error(request, 404, "caller: not known (expected: " + expected + ")");
      return;
    }
    JsonArray parts = new JsonArray();
    for (int i = 0; i + 1 < identity.size(); i += 2) {
      parts.add(new JsonObject().put("name", identity.get(i)).put("value", identity.get(i + 1)));
    }
    Replies.json(request, 200, new JsonObject().put("identity", parts));
  }

  private static Wanted parse(Buffer body) {
    if (!(json(body) instanceof JsonObject object)) {
      throw DecideRequest.refused("body", "not an object", FORM);
    }
    for (String name : object.fieldNames()) {
      if (!FIELDS.contains(name)) {
        throw DecideRequest.refused("field", name, "rule, caller");
      }
    }
    Object rule = object.getValue("rule");
    if (!(rule instanceof String name) || name.isEmpty() || name.length() > MAX_RULE_CHARS) {
      throw DecideRequest.refused("rule", rule, "the name of a rule");
    }
    Object caller = object.getValue("caller");
    return new Wanted(
        name,
        Optional.ofNullable(caller instanceof String text ? text : null)
            .flatMap(TopCaller::hash)
            .orElseThrow(() -> DecideRequest.refused("caller", caller, "16 hexadecimal digits")));
  }

  private static @Nullable Object json(Buffer body) {
    try {
      return JsonBody.decode(body);
    } catch (DecodeException e) {
      throw new IllegalArgumentException("body: not JSON (expected: " + FORM + ")", e);
    }
  }
}
