package dev.weir.rules.gateway;

import dev.weir.Descriptor;
import dev.weir.rule.condition.Condition;
import dev.weir.rule.condition.ConditionIndex;
import dev.weir.rule.condition.IntList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lists of conditions, compiled for descriptors with given names. Immutable and safe for use by any
 * number of threads.
 */
final class ConditionTable {
  private final Descriptor.Names names;
  private final ConditionIndex index;
  private final Condition[][] conditions;
  private final int[][] positions;

  ConditionTable(List<List<Condition>> lists, Descriptor.Names names) {
    this.names = names;
    this.index = new ConditionIndex(lists, names);
    this.conditions =
        lists.stream().map(one -> one.toArray(Condition[]::new)).toArray(Condition[][]::new);
    this.positions =
        lists.stream()
            .map(list -> list.stream().mapToInt(one -> names.list().indexOf(one.name())).toArray())
            .toArray(int[][]::new);
  }

  /** The values in the order of this table's names. */
  Descriptor ordered(Descriptor values) {
    return values.as(names);
  }

  /** The numbers of the lists that may hold, in order. */
  IntList candidates(Descriptor ordered) {
    return index.find(ordered);
  }

  /** Whether all conditions of a list hold for usable values. */
  boolean holds(int list, Descriptor ordered) {
    for (int i = 0; i < conditions[list].length; i++) {
      String value = ordered.value(positions[list][i]);
      if (!isUsable(value) || !conditions[list][i].holds(value)) {
        return false;
      }
    }
    return true;
  }

  /** Whether all conditions of a list hold, those on unusable values included. */
  boolean mayHold(int list, Descriptor ordered) {
    for (int i = 0; i < conditions[list].length; i++) {
      if (!conditions[list][i].holds(ordered.value(positions[list][i]))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isUsable(@Nullable String value) {
    return value != null && !Descriptor.isUnusable(value);
  }
}
