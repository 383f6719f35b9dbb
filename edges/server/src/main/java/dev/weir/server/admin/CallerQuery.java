package dev.weir.server.admin;

import dev.weir.Descriptor;
import dev.weir.key.KeySpace;
import dev.weir.rule.book.Explanation;
import dev.weir.rules.RulesSnapshot;
import dev.weir.rules.domain.DescriptorCaller;
import dev.weir.rules.domain.DescriptorMatch;
import dev.weir.rules.domain.Domain;
import dev.weir.rules.domain.Entry;
import dev.weir.server.decide.DecideRequest;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Finds out whose counters a described request uses, for an operator who knows the request and not
 * the hash of its caller. Immutable.
 *
 * @param rule the rule that identifies the caller; if empty, all rules that apply must agree
 * @param entries of a descriptor, in the order in which the operator wrote them
 */
record CallerQuery(RulesSnapshot live, KeySpace keys, Optional<String> rule, List<Entry> entries) {
  private static final String ENTRY = "entry ";

  /** The entries among described values, which {@code /explain} takes in any order. */
  static List<Entry> entries(Object values) {
    List<Entry> entries = new ArrayList<>();
    if (values instanceof JsonObject object) {
      for (Map.Entry<String, Object> one : object) {
        if (one.getKey().startsWith(ENTRY) && one.getValue() instanceof String value) {
          entries.add(new Entry(one.getKey().substring(ENTRY.length()), value));
        }
      }
    }
    return entries;
  }

  /**
   * The hash of the caller.
   *
   * @throws IllegalArgumentException if the request identifies none, or several
   */
  long caller(Descriptor descriptor) {
    Map<Long, String> callers = new TreeMap<>();
    List<String> shared = new ArrayList<>();
    for (Explanation one : live.book().explain(descriptor, 0)) {
      String name = one.rule().name();
      boolean asked = rule.isPresent() ? rule.get().equals(name) : one.failed().isEmpty();
      if (asked) {
        Optional<String> because = RuleReset.sharedBecause(one.caller().identity());
        if (because.isPresent()) {
          shared.add(name + ": " + because.get());
        } else {
          callers.merge(one.caller().hash(), name, (all, more) -> all + ", " + more);
        }
      }
    }
    descriptorCaller(descriptor)
        .ifPresent(
            limit -> callers.merge(limit.hash, limit.name, (all, more) -> all + ", " + more));
    if (callers.size() == 1) {
      return callers.keySet().iterator().next();
    }
    if (callers.isEmpty()) {
      String why = shared.isEmpty() ? "no rule identifies its caller" : String.join("; ", shared);
      throw DecideRequest.refused("values", why, "what identifies a single caller");
    }
    throw DecideRequest.refused(
        "values",
        callers.size() + " callers, of " + String.join(" and of ", callers.values()),
        "one of them, named by rule");
  }

  /** The limit of a domain that applies, and the hash of its caller. */
  private record LimitCaller(String name, long hash) {}

  private Optional<LimitCaller> descriptorCaller(Descriptor descriptor) {
    String name = descriptor.value("domain");
    Domain domain = name == null ? null : live.rules().domains().domain(name).orElse(null);
    if (domain == null || entries.isEmpty()) {
      return Optional.empty();
    }
    DescriptorMatch match = domain.match(entries).orElse(null);
    if (match == null || rule.filter(one -> !one.equals(domain.nameOf(match.rule()))).isPresent()) {
      return Optional.empty();
    }
    long hash = DescriptorCaller.of(keys, domain.name(), match.counted()).hash();
    return Optional.of(new LimitCaller(domain.nameOf(match.rule()), hash));
  }
}
