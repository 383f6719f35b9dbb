package dev.weir.cli;

import dev.weir.Descriptor;
import dev.weir.Mode;
import dev.weir.rule.Cost;
import dev.weir.rule.Explanation;
import dev.weir.rule.Identity;
import dev.weir.rule.Percent;
import dev.weir.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What one rule makes of a request, in words that need no knowledge of the code. */
record RuleStory(Explanation explanation, Descriptor request, Values values) {

  Rule rule() {
    return explanation.rule();
  }

  /** Why the rule does not apply; empty if it does. */
  List<String> reasons() {
    List<String> reasons = new ArrayList<>();
    for (Explanation.Failed failed : explanation.failed()) {
      String name = failed.condition().name();
      String had = values.shown(name, failed.value());
      reasons.add(name + ": " + had + " (expected: " + failed.condition().expected() + ")");
    }
    if (explanation.failed().isEmpty() && explanation.skipped()) {
      reasons.add(String.join(" and ", absent()) + ": absent (when-absent: skip)");
    } else if (explanation.failed().isEmpty() && explanation.outside()) {
      reasons.add("rollout: this caller is not among the " + Percent.of(rule().applied()));
    }
    return reasons;
  }

  /** Whom the rule counts. */
  String caller() {
    List<String> parts = new ArrayList<>();
    eachPart(
        (name, value) ->
            parts.add(
                name.isEmpty()
                    ? "no " + value + ", as all who have none"
                    : name + " " + values.shown(name, value)));
    List<String> per = rule().per().stream().map(Identity::name).toList();
    boolean plain = per.equals(names());
    String as = plain || absent().equals(per) ? "" : ", as " + String.join(" and ", per);
    return parts.isEmpty() ? "everybody together" : String.join(" and ", parts) + as;
  }

  Grant grant() {
    return Grant.of(explanation, request, values);
  }

  List<Counter> counters() {
    return Counter.all(explanation.match());
  }

  /** How much the request costs, and who says so. */
  String cost(long cost) {
    Cost rule = rule().cost();
    String name = rule.value();
    if (name == null) {
      return String.valueOf(cost);
    }
    String told = request.value(name);
    return told == null
        ? cost + ", since " + name + " is absent"
        : cost + ", from " + name + " " + values.shown(name, told) + ", at most " + rule.ceiling();
  }

  /** How far the rule is rolled out; null if there is nothing to say about that. */
  @Nullable String rollout() {
    int enforced = rule().enforced();
    if (enforced == Rule.WHOLE) {
      return null;
    }
    if (enforced > 0) {
      return "enforced for " + Percent.of(enforced) + " of callers";
    }
    String whom =
        rule().applied() == Rule.WHOLE ? "" : " " + Percent.of(rule().applied()) + " of callers";
    return "shadow: counts" + whom + ", denies nobody";
  }

  /** How exactly servers keep its limits together. */
  String mode() {
    return Words.lower(rule().mode().kind());
  }

  /** What part of the limits that is about; null where it is all of them. */
  @Nullable String share() {
    Mode mode = rule().mode();
    return mode.kind() == Mode.Kind.STRICT ? null : Percent.of(mode.share());
  }

  /** What it does while the store does not answer; null if it never asks. */
  @Nullable String whenStoreFails() {
    return rule().mode().isLocal() ? null : Words.lower(rule().whenStoreFails());
  }

  Map<String, @Nullable Object> json() {
    List<Object> caller = new ArrayList<>();
    eachPart(
        (name, value) ->
            caller.add(
                name.isEmpty()
                    ? Json.object("absent", value)
                    : Json.object("name", name, "value", values.shown(name, value))));
    boolean applies = explanation.applies();
    return Json.object(
        "name",
        rule().name(),
        "applies",
        applies,
        "reasons",
        reasons(),
        "caller",
        applies ? caller : null,
        "grant",
        applies ? Json.object("kind", grant().kind(), "why", grant().why()) : null,
        "counters",
        counters().stream().map(Counter::json).toList(),
        "mode",
        mode(),
        "share",
        share(),
        "enforcedPercent",
        Percent.of(rule().enforced()),
        "appliedPercent",
        Percent.of(rule().applied()),
        "whenStoreFails",
        whenStoreFails());
  }

  private List<String> names() {
    List<String> names = new ArrayList<>();
    eachPart((name, value) -> names.add(name));
    return names;
  }

  private List<String> absent() {
    List<String> absent = new ArrayList<>();
    eachPart((name, value) -> absent.addAll(name.isEmpty() ? List.of(value) : List.of()));
    return absent;
  }

  private void eachPart(java.util.function.BiConsumer<String, String> part) {
    List<String> caller = explanation.caller();
    for (int i = 0; i + 1 < caller.size(); i += 2) {
      part.accept(caller.get(i), caller.get(i + 1));
    }
  }
}
