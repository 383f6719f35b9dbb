package dev.weir.cli.explain;

import dev.weir.Descriptor;
import dev.weir.Mode;
import dev.weir.cli.terminal.Json;
import dev.weir.cli.terminal.Wording;
import dev.weir.rule.Cost;
import dev.weir.rule.Identity;
import dev.weir.rule.Percent;
import dev.weir.rule.Rule;
import dev.weir.rule.book.Explanation;
import dev.weir.rule.book.Twin;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** How one rule applies to a request, in words for users. */
record RuleExplanation(Explanation explanation, Descriptor request, ValueRedactor redactor) {

  /** The rule. */
  Rule rule() {
    return explanation.rule();
  }

  /** The reasons why the rule does not apply; empty if it does. */
  List<String> reasons() {
    List<String> reasons = new ArrayList<>();
    for (Explanation.Failed failed : explanation.failed()) {
      String name = failed.condition().name();
      String actual = redactor.redacted(name, failed.value());
      reasons.add(name + ": " + actual + " (expected: " + failed.condition().expected() + ")");
    }
    if (explanation.failed().isEmpty() && explanation.caller().skipped()) {
      reasons.add(String.join(" and ", absent()) + ": absent (when-absent: skip)");
    } else if (explanation.failed().isEmpty() && explanation.caller().outside()) {
      reasons.add("rollout: this caller is not among the " + Percent.of(rule().applied()));
    }
    return reasons;
  }

  /** The caller that the rule counts. */
  String caller() {
    List<String> parts = new ArrayList<>();
    eachPart(
        (name, value) ->
            parts.add(
                name.isEmpty()
                    ? "no " + value + ", shared by all callers without one"
                    : name + " " + redactor.redacted(name, value)));
    List<String> per = rule().per().stream().map(Identity::name).toList();
    boolean direct = per.equals(names());
    String as = direct || absent().equals(per) ? "" : ", as " + String.join(" and ", per);
    return parts.isEmpty() ? "everybody together" : String.join(" and ", parts) + as;
  }

  /** The reason for the caller's limit. */
  Grant grant() {
    return Grant.of(explanation, request, redactor);
  }

  /** The counters that the request is charged to. */
  List<Counter> counters() {
    return Counter.all(explanation.match());
  }

  /** The cost of the request, and where it comes from. */
  String cost(long cost) {
    Cost rule = rule().cost();
    String name = rule.value();
    if (name == null) {
      return String.valueOf(cost);
    }
    String value = request.value(name);
    return value == null
        ? cost + ", since " + name + " is absent"
        : cost
            + ", from "
            + name
            + " "
            + redactor.redacted(name, value)
            + ", at most "
            + rule.maxCost();
  }

  /** The rollout of the rule; null if it is enforced for all callers. */
  @Nullable String rollout() {
    int enforced = rule().enforced();
    if (enforced == Rule.WHOLE) {
      return null;
    }
    if (enforced > 0) {
      return "enforced for " + Percent.of(enforced) + " of callers";
    }
    String share =
        rule().applied() == Rule.WHOLE ? "" : " " + Percent.of(rule().applied()) + " of callers";
    return "shadow: counts" + share + ", never denies";
  }

  /** The mode of the rule, such as {@code strict}. */
  String mode() {
    return Wording.lower(rule().mode().kind());
  }

  /** The share of the limit in modes other than strict; null in strict mode. */
  @Nullable String share() {
    Mode mode = rule().mode();
    return mode.kind() == Mode.Kind.STRICT ? null : Percent.of(mode.share());
  }

  /** The failure mode of the rule; null if it never calls the store. */
  @Nullable String whenStoreFails() {
    return rule().mode().isLocal() ? null : Wording.lower(rule().failureMode());
  }

  /** The explanation as JSON. */
  Map<String, @Nullable Object> json() {
    List<Object> caller = new ArrayList<>();
    eachPart(
        (name, value) ->
            caller.add(
                name.isEmpty()
                    ? Json.object("absent", value)
                    : Json.object("name", name, "value", redactor.redacted(name, value))));
    boolean applies = explanation.applies();
    Map<String, @Nullable Object> json =
        Json.object(
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
    for (Twin twin : explanation.match().twins()) {
      json.put("candidate", candidate(twin));
    }
    return json;
  }

  /** Which of both limits is in force for this caller, and the other ones. */
  private static Map<String, @Nullable Object> candidate(Twin twin) {
    return Json.object(
        "inForce",
        !twin.ofCandidate(),
        "other",
        Counter.of(twin).stream().map(Counter::json).toList());
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

  private void eachPart(BiConsumer<String, String> part) {
    List<String> caller = explanation.caller().identity();
    for (int i = 0; i + 1 < caller.size(); i += 2) {
      part.accept(caller.get(i), caller.get(i + 1));
    }
  }
}
