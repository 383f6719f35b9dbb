package dev.weir.server.admin;

import dev.weir.rule.action.CallerAction;
import dev.weir.rule.book.Explanation;
import dev.weir.rules.RulesSnapshot;
import dev.weir.server.action.ActionJson;
import dev.weir.server.action.Actions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** Names the actions of operators that apply where a page shows a rule. */
final class AppliedActions {
  private AppliedActions() {}

  /** The actions that apply to a rule for all its callers, the oldest first. */
  static JsonArray to(String rule, RulesSnapshot live, Actions actions) {
    return named(live.adjustments().adjusting(rule), actions);
  }

  /** The actions that apply to a rule for one caller: that on the caller alone, if there is one. */
  static JsonArray to(Explanation explained, RulesSnapshot live, Actions actions) {
    return explained
        .caller()
        .action()
        .map(CallerAction::id)
        .map(id -> named(List.of(id), actions))
        .orElseGet(() -> to(explained.rule().name(), live, actions));
  }

  /** An action that ends at this moment is named by its id alone. */
  private static JsonArray named(List<String> ids, Actions actions) {
    JsonArray list = new JsonArray();
    for (String id : ids) {
      list.add(
          actions.find(id).map(ActionJson::of).orElseGet(() -> new JsonObject().put("id", id)));
    }
    return list;
  }
}
