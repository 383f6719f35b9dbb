package dev.weir.rule.book;

import dev.weir.Descriptor;
import dev.weir.rule.Rule;
import dev.weir.rule.Tiers;
import dev.weir.rule.condition.Condition;
import dev.weir.rule.condition.PathReadings;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Matches a rule against a path that has several readings. Immutable, and safe for use by any
 * number of threads.
 *
 * <p>The rule applies if any reading matches. If it counts by the path, it counts by every reading
 * that matches. The server behind uses only one of them, and a client can make up the rest at will:
 * if a request were counted by one of those alone, a client could have a new counter for every
 * request.
 */
final class MatchedPaths {
  private final List<Condition> conditions;
  private final int otherReadings;

  /** Whether the path also decides the caller, the tier or the cost. */
  private final boolean counted;

  MatchedPaths(Rule rule, Descriptor.Names names) {
    this.conditions = rule.match().stream().filter(one -> one instanceof Condition.Path).toList();
    this.otherReadings = names.list().indexOf(PathReadings.NAME);
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
    return holds(condition, index, otherReadings, descriptor);
  }

  /** Whether a condition holds, with the other readings at the index {@code otherReadings}. */
  static boolean holds(Condition condition, int index, int otherReadings, Descriptor descriptor) {
    if (condition.holds(descriptor.value(index))) {
      return true;
    }
    String readings = condition instanceof Condition.Path ? descriptor.value(otherReadings) : null;
    return readings != null && PathReadings.split(readings).stream().anyMatch(condition::holds);
  }

  /** Whether the request may count for several readings, or for another one than the first. */
  boolean hasSeveral(Descriptor descriptor) {
    return counted && otherReadings >= 0 && descriptor.value(otherReadings) != null;
  }

  /** The request as each reading that matches, at least one. */
  List<Descriptor> of(Descriptor descriptor) {
    if (!hasSeveral(descriptor)) {
      return List.of(descriptor);
    }
    List<Descriptor> matched = new ArrayList<>();
    if (isMatched(descriptor.value(Condition.Path.NAME))) {
      matched.add(descriptor);
    }
    for (String reading : PathReadings.split(descriptor.value(otherReadings))) {
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
