package dev.weir.rule;

import dev.weir.Descriptor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a rule makes of a path that can be read in several ways.
 *
 * <p>It applies if it is about any of them. If it counts by the path, it counts by every reading
 * that it is about. Only one of them is the server's, and in the others a client may write whatever
 * it likes: whoever is counted by one of these alone has a new counter for every request.
 */
final class MatchedPaths {
  private final List<Condition> conditions;
  private final int others;

  /** Whether the path says more than that the rule applies: whom it counts, or what of. */
  private final boolean counted;

  MatchedPaths(Rule rule, Descriptor.Names names) {
    this.conditions = rule.match().stream().filter(one -> one instanceof Condition.Path).toList();
    this.others = names.list().indexOf(PathReadings.NAME);
    this.counted = isCounted(rule);
  }

  private static boolean isCounted(Rule rule) {
    return Condition.Path.NAME.equals(rule.cost().value())
        || rule.tiers().map(Tiers::value).filter(Condition.Path.NAME::equals).isPresent()
        || rule.per().stream()
            .flatMap(one -> one.alternatives().stream())
            .anyMatch(names -> names.contains(Condition.Path.NAME));
  }

  /** Whether a condition holds for the value at {@code index}, or for a reading of the path. */
  boolean holds(Condition condition, int index, Descriptor descriptor) {
    return holds(condition, index, others, descriptor);
  }

  /** The same, where the other readings are at {@code others}. */
  static boolean holds(Condition condition, int index, int others, Descriptor descriptor) {
    if (condition.holds(descriptor.value(index))) {
      return true;
    }
    String readings = condition instanceof Condition.Path ? descriptor.value(others) : null;
    return readings != null && PathReadings.split(readings).stream().anyMatch(condition::holds);
  }

  /** Whether there may be several callers, or none but that of another reading. */
  boolean areSeveral(Descriptor descriptor) {
    return counted && others >= 0 && descriptor.value(others) != null;
  }

  /** The request by each reading that the rule is about, at least one. */
  List<Descriptor> of(Descriptor descriptor) {
    if (!areSeveral(descriptor)) {
      return List.of(descriptor);
    }
    List<Descriptor> matched = new ArrayList<>();
    if (isMatched(descriptor.value(Condition.Path.NAME))) {
      matched.add(descriptor);
    }
    for (String reading : PathReadings.split(descriptor.value(others))) {
      if (isMatched(reading)) {
        matched.add(descriptor.with(Condition.Path.NAME, reading));
      }
    }
    return matched.isEmpty() ? List.of(descriptor) : matched;
  }

  private boolean isMatched(@Nullable String path) {
    for (Condition condition : conditions) {
      if (!condition.holds(path)) {
        return false;
      }
    }
    return true;
  }
}
