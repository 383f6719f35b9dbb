package dev.weir.server.action;

import dev.weir.rules.action.Adjustment;
import dev.weir.server.action.Action.Stamp;
import io.vertx.core.json.JsonObject;
import java.time.temporal.ChronoUnit;

/** Writes actions as the API shows them. */
public final class ActionJson {
  private ActionJson() {}

  /** An action in force, with the time it has left. */
  public static JsonObject of(ListedAction listed) {
    JsonObject json =
        of(listed.action())
            .put("remainingMillis", listed.left().toMillis())
            .put("inForce", listed.idle().isEmpty());
    listed.idle().ifPresent(reason -> json.put("noEffectBecause", reason));
    return json;
  }

  /** An action. */
  public static JsonObject of(Action action) {
    JsonObject json =
        what(action.adjustment())
            .put("why", action.why())
            .put("taken", stamp(action.taken()))
            .put("until", action.until().truncatedTo(ChronoUnit.MILLIS).toString());
    action.undone().ifPresent(undone -> json.put("undone", stamp(undone)));
    return json;
  }

  /** What an action does, without who took it. */
  public static JsonObject what(Adjustment adjustment) {
    JsonObject json =
        new JsonObject().put("id", adjustment.id()).put("action", adjustment.kind().label());
    adjustment.rule().ifPresent(rule -> json.put("rule", rule));
    adjustment.factor().ifPresent(factor -> json.put("factor", factor.toString().replace("x", "")));
    adjustment.caller().ifPresent(caller -> json.put("caller", CallerHash.text(caller)));
    return json;
  }

  private static JsonObject stamp(Stamp stamp) {
    return new JsonObject()
        .put("by", stamp.by())
        .put("address", stamp.address())
        .put("at", stamp.at().truncatedTo(ChronoUnit.MILLIS).toString());
  }
}
