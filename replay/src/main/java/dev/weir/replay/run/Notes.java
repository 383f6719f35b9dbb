package dev.weir.replay.run;

import dev.weir.Algorithm;
import dev.weir.http.identity.HttpReader;
import dev.weir.replay.result.Note;
import dev.weir.replay.result.Note.Severity;
import dev.weir.rule.Allowance;
import dev.weir.rule.Identity;
import dev.weir.rule.Rule;
import dev.weir.rule.Tiers;
import dev.weir.rule.condition.Condition;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Says what a replay could not do as servers would have done it, and what it assumed. */
final class Notes {
  private final CompiledRules rules;
  private final DemandTally demand;
  private final long requests;
  private final long withDuration;
  private final List<Note> notes = new ArrayList<>();

  Notes(CompiledRules rules, DemandTally demand, long requests, long withDuration) {
    this.rules = rules;
    this.demand = demand;
    this.requests = requests;
    this.withDuration = withDuration;
  }

  /**
   * All notes, those about rules in their order.
   *
   * @param crowdedOut how many counters found no room in a store
   * @param sampledOneIn which share of the callers is distinguished
   */
  List<Note> all(long crowdedOut, int sampledOneIn) {
    if (requests > 0) {
      rules.book().rules().forEach(this::add);
    }
    if (rules.rules().domains().size() > 0) {
      add(
          Severity.NOT_REPLAYED,
          "",
          "domains of Envoy's rate limit service are not replayed: an access log does not have"
              + " their descriptors");
    }
    if (!rules.rules().calls().isEmpty()) {
      add(Severity.NOT_REPLAYED, "", "calls are not replayed: code asks for them, not requests");
    }
    if (crowdedOut > 0) {
      add(
          Severity.ASSUMED,
          "",
          crowdedOut + " counters found no room in memory and shared one: give Java more memory");
    }
    if (sampledOneIn > 1) {
      add(
          Severity.ASSUMED,
          "",
          "there are too many callers to distinguish all: one in " + sampledOneIn + " is");
    }
    return notes;
  }

  private void add(Severity severity, String rule, String text) {
    notes.add(new Note(severity, rule, text));
  }

  private void add(Rule rule) {
    List<String> missing = missing(rule);
    if (demand.matched(rule) == 0) {
      String why = missing.isEmpty() ? "no request met its conditions" : String.join("; ", missing);
      add(Severity.NOT_REPLAYED, rule.name(), "never matched: " + why);
      return;
    }
    missing.forEach(one -> add(Severity.ASSUMED, rule.name(), one));
    addPermits(rule);
    addCosts(rule);
    if (rule.enforced() % Rule.WHOLE != 0 || rule.applied() != Rule.WHOLE) {
      String text = "a rollout denies other callers on servers, but as many of them";
      add(Severity.ASSUMED, rule.name(), text);
    }
    if (rule.mode().isLocal()) {
      add(Severity.ASSUMED, rule.name(), "replayed as if one server got all requests");
    }
  }

  private void addPermits(Rule rule) {
    boolean permits =
        rule.allowances().stream()
            .map(Allowance::limits)
            .flatMap(List::stream)
            .anyMatch(limit -> limit.algorithm() == Algorithm.CONCURRENCY);
    if (permits && withDuration == 0) {
      add(
          Severity.NOT_REPLAYED,
          rule.name(),
          "concurrent is not replayed: the log has no durations");
    } else if (permits && withDuration < requests) {
      add(
          Severity.ASSUMED,
          rule.name(),
          (requests - withDuration) + " requests without a duration held no permit");
    }
  }

  private void addCosts(Rule rule) {
    if (rule.cost().settled().isPresent()) {
      add(
          Severity.ASSUMED,
          rule.name(),
          "each request cost the estimate, "
              + rule.cost().defaultCost()
              + ": the log does not have the true cost");
    }
  }

  /** What the rule reads and no line has. */
  private List<String> missing(Rule rule) {
    Set<String> names = new LinkedHashSet<>();
    for (Condition condition : rule.match()) {
      names.add(condition.name());
    }
    for (Identity identity : rule.per()) {
      identity.alternatives().forEach(names::addAll);
    }
    rule.tiers().map(Tiers::value).ifPresent(names::add);
    if (rule.cost().value() != null) {
      names.add(rule.cost().value());
    }
    return names.stream().filter(name -> rules.present(name) == 0).map(Notes::missing).toList();
  }

  private static String missing(String name) {
    return HttpReader.isClaim(name)
        ? "the claim " + name + " is not replayed: a log has no token to verify"
        : "the log has no " + name;
  }
}
