package dev.weir.rule.book;

import dev.weir.Descriptor;
import dev.weir.rule.Rule;
import dev.weir.rule.condition.Condition;
import dev.weir.rule.condition.ConditionIndex;
import dev.weir.rule.condition.IntList;
import dev.weir.rule.condition.PathReadings;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Tells whether a rule that reads certain values, such as the claims of a token, may apply to a
 * request, before those values are computed. Immutable, and safe for use by any number of threads.
 *
 * <p>Values that are expensive to compute are not needed if every rule that reads them fails by its
 * other conditions. Rules with the same other conditions are tested once, so that a rule for each
 * of a hundred thousand tenants costs no more than one.
 */
public final class ValueReaders {
  private final Descriptor.Names names;
  private final List<List<Condition>> others;
  private final int[][] indexes;
  private final int otherReadings;
  private final ConditionIndex index;
  private final boolean always;

  ValueReaders(RuleBook book, Predicate<String> wanted) {
    this.names = book.names();
    Set<List<Condition>> distinct = new LinkedHashSet<>();
    for (Rule rule : book.rules()) {
      Set<String> read = new LinkedHashSet<>();
      RuleBook.addNames(rule, read);
      if (read.stream().anyMatch(wanted)) {
        distinct.add(rule.match().stream().filter(one -> !wanted.test(one.name())).toList());
      }
    }
    this.always = distinct.contains(List.of());
    this.others = always ? List.of() : List.copyOf(distinct);
    this.index = new ConditionIndex(others, names);
    this.otherReadings = names.list().indexOf(PathReadings.NAME);
    this.indexes = new int[others.size()][];
    for (int i = 0; i < indexes.length; i++) {
      indexes[i] =
          others.get(i).stream().mapToInt(one -> names.list().indexOf(one.name())).toArray();
    }
  }

  /** Whether one of the rules applies to the request, or would if the values were right. */
  public boolean mayApply(Descriptor request) {
    if (always || others.isEmpty()) {
      return always;
    }
    Descriptor descriptor = request.as(names);
    IntList candidates = index.find(descriptor);
    for (int i = 0; i < candidates.size(); i++) {
      if (hold(candidates.get(i), descriptor)) {
        return true;
      }
    }
    return false;
  }

  private boolean hold(int list, Descriptor descriptor) {
    List<Condition> conditions = others.get(list);
    for (int i = 0; i < conditions.size(); i++) {
      if (!MatchedPaths.holds(conditions.get(i), indexes[list][i], otherReadings, descriptor)) {
        return false;
      }
    }
    return true;
  }
}
