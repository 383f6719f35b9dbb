package dev.weir.cli.action;

import dev.weir.cli.terminal.Style;
import dev.weir.cli.terminal.Terminal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Prints actions as text. */
final class ActionText {
  private final Terminal out;

  ActionText(Terminal out) {
    this.out = out;
  }

  /** Prints an action that was just taken. */
  void taken(Map<?, ?> action) {
    out.line("Action ", Style.BOLD.of(text(action, "id")), " is in force: ", words(action));
    details(action);
    field("undo", "weir action undo " + text(action, "id"));
  }

  /** Prints an action that was just undone. */
  void undone(Map<?, ?> action) {
    out.line("Action ", Style.BOLD.of(text(action, "id")), " is undone: ", words(action));
  }

  /** Prints all actions. */
  void list(Map<?, ?> document) {
    List<?> actions = document.get("actions") instanceof List<?> list ? list : List.of();
    if (actions.isEmpty()) {
      out.line("No actions are in force.");
    }
    for (Object one : actions) {
      if (one instanceof Map<?, ?> action) {
        out.line(Style.BOLD.of(text(action, "id")), "  ", words(action));
        details(action);
      }
    }
  }

  private void details(Map<?, ?> action) {
    field("until", text(action, "until") + left(action));
    if (action.get("taken") instanceof Map<?, ?> taken) {
      String by = text(taken, "by") + " from " + text(taken, "address");
      field("by", by + ", at " + text(taken, "at"));
    }
    field("why", text(action, "why"));
    if (action.get("noEffectBecause") instanceof String reason) {
      out.line("  ", Style.DIM.of("effect "), Style.YELLOW.of("none: " + reason));
    }
  }

  private static String left(Map<?, ?> action) {
    return action.get("remainingMillis") instanceof Number millis
        ? ", in " + (millis.longValue() + 999) / 1_000 + " s"
        : "";
  }

  /** What an action does: {@code multiply login by 2}, {@code block caller 1f0e… by all rules}. */
  private static String words(Map<?, ?> action) {
    String kind = text(action, "action");
    String rule = text(action, "rule");
    if (action.get("caller") != null) {
      String by = action.get("rule") == null ? "all rules" : "rule " + rule;
      return kind + " caller " + text(action, "caller") + " by " + by;
    }
    return kind
        + " "
        + rule
        + (action.get("factor") == null ? "" : " by " + text(action, "factor"));
  }

  private void field(String name, String value) {
    out.line("  ", Style.DIM.of(name + " ".repeat(7 - name.length())), value);
  }

  private static String text(Map<?, ?> object, String name) {
    @Nullable Object value = object.get(name);
    return value == null ? "absent" : String.valueOf(value);
  }
}
