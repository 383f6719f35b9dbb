package dev.weir.server.action;

import dev.weir.rule.Multiple;
import dev.weir.rules.action.Adjustment;
import dev.weir.rules.action.Adjustment.Kind;
import dev.weir.server.action.Action.Stamp;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Writes actions for the table that servers share, and reads them. Servers of a fleet may be of
 * several versions: one that cannot read an action ignores it.
 */
final class ActionCodec {
  private ActionCodec() {}

  static byte[] encode(Action action) {
    Adjustment adjustment = action.adjustment();
    JsonObject json =
        new JsonObject()
            .put("action", adjustment.kind().label())
            .put("why", action.why())
            .put("taken", stamp(action.taken()))
            .put("until", action.until().toEpochMilli());
    adjustment.rule().ifPresent(rule -> json.put("rule", rule));
    adjustment.factor().ifPresent(factor -> json.put("factorMillionths", factor.millionths()));
    adjustment.caller().ifPresent(caller -> json.put("caller", CallerHash.text(caller)));
    action.undone().ifPresent(undone -> json.put("undone", stamp(undone)));
    return json.toBuffer().getBytes();
  }

  private static JsonObject stamp(Stamp stamp) {
    return new JsonObject()
        .put("by", stamp.by())
        .put("address", stamp.address())
        .put("at", stamp.at().toEpochMilli());
  }

  /** The action; empty if this server cannot read it. */
  static Optional<Action> decode(String id, byte[] value) {
    try {
      JsonObject json = new JsonObject(Buffer.buffer(value));
      String why = json.getString("why");
      Stamp taken = stamp(json.getJsonObject("taken"));
      if (why == null || taken == null) {
        return Optional.empty();
      }
      Instant until = Instant.ofEpochMilli(json.getLong("until"));
      Optional<Stamp> undone = Optional.ofNullable(stamp(json.getJsonObject("undone")));
      return Optional.of(new Action(adjustment(id, json), why, taken, until, undone));
    } catch (DecodeException
        | ClassCastException
        | IllegalArgumentException
        | NullPointerException e) {
      return Optional.empty(); // it is not what encode() writes
    }
  }

  private static @Nullable Stamp stamp(@Nullable JsonObject json) {
    return json == null
        ? null
        : new Stamp(
            json.getString("by"),
            json.getString("address"),
            Instant.ofEpochMilli(json.getLong("at")));
  }

  private static Adjustment adjustment(String id, JsonObject json) {
    Kind kind = Kind.valueOf(json.getString("action").toUpperCase(Locale.ROOT));
    Long factor = json.getLong("factorMillionths");
    String caller = json.getString("caller");
    return new Adjustment(
        id,
        kind,
        Optional.ofNullable(json.getString("rule")),
        factor == null ? Optional.empty() : Optional.of(new Multiple(factor)),
        caller == null ? OptionalLong.empty() : CallerHash.parse(caller));
  }
}
