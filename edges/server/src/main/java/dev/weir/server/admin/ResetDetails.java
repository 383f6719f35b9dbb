package dev.weir.server.admin;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/**
 * What the audit log says of a reset: which rules, which caller, and what is left as it is. Of
 * bounded size; values that may be credentials are not shown whole.
 */
final class ResetDetails {
  private static final int MAX_RULES = 20;
  private static final int MAX_CHARS = 100;

  /** How much is shown of a value that may be a credential, if that is a small part of it. */
  private static final int SHOWN_CHARS = 4;

  private ResetDetails() {}

  static JsonObject of(List<RuleReset> each) {
    JsonObject details =
        new JsonObject().put("reset", named(each.stream().filter(one -> !one.isLeft()).toList()));
    JsonArray shared = named(each.stream().filter(RuleReset::isLeft).toList());
    return shared.isEmpty() ? details : details.put("leftBecauseShared", shared);
  }

  private static JsonArray named(List<RuleReset> rules) {
    JsonArray named = new JsonArray();
    for (RuleReset one : rules.subList(0, Math.min(MAX_RULES, rules.size()))) {
      named.add(bounded(one.rule().name()) + caller(one.caller()));
    }
    if (rules.size() > MAX_RULES) {
      named.add("and " + (rules.size() - MAX_RULES) + " more");
    }
    return named;
  }

  private static String caller(List<String> caller) {
    List<String> parts = new ArrayList<>();
    for (int i = 0; i + 1 < caller.size(); i += 2) {
      String name = caller.get(i);
      String value = caller.get(i + 1);
      parts.add(name.isEmpty() ? "no " + bounded(value) : bounded(name) + " " + shown(name, value));
    }
    return parts.isEmpty() ? "" : " (" + String.join(", ", parts) + ")";
  }

  private static String shown(String name, String value) {
    boolean secret = name.startsWith("header ") || name.startsWith("cookie ");
    if (!secret) {
      return bounded(value);
    }
    boolean isLong = value.length() >= 4 * SHOWN_CHARS;
    return (isLong ? bounded(value.substring(0, SHOWN_CHARS)) : "") + "***";
  }

  private static String bounded(String text) {
    return text.length() > MAX_CHARS ? text.substring(0, MAX_CHARS) + "…" : text;
  }
}
