package dev.weir.rules.gateway;

import dev.weir.Descriptor;
import dev.weir.rule.condition.Condition;
import dev.weir.rule.condition.IntList;
import dev.weir.rule.condition.PathReadings;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the priority of a request, from 0, which is never shed, to {@link SheddingSettings#LOWEST}.
 * Immutable and safe for use by any number of threads.
 *
 * <p>The first priority whose conditions hold decides, and else the method. A client gains nothing
 * by being ambiguous: of a path with several readings, and of an {@linkplain Descriptor#UNUSABLE
 * unusable} value, which may or may not meet a condition, the least important priority counts.
 */
public final class PriorityTable {
  static final String METHOD = "method";

  private final ConditionTable table;
  private final int[] priorities;

  private PriorityTable(ConditionTable table, int[] priorities) {
    this.table = table;
    this.priorities = priorities;
  }

  /**
   * Compiles priorities.
   *
   * @param names of the values of requests; all of {@link GatewaySettings#names()} and perhaps more
   */
  public static PriorityTable of(List<PriorityRule> rules, Descriptor.Names names) {
    return new PriorityTable(
        new ConditionTable(rules.stream().map(PriorityRule::match).toList(), names),
        rules.stream().mapToInt(PriorityRule::priority).toArray());
  }

  /** The priority of a request with these values. */
  public int priority(Descriptor values) {
    Descriptor ordered = table.ordered(values);
    int priority = first(ordered);
    for (String reading : PathReadings.split(ordered.value(PathReadings.NAME))) {
      priority = Math.max(priority, first(ordered.with(Condition.Path.NAME, reading)));
    }
    return priority;
  }

  private int first(Descriptor ordered) {
    IntList candidates = table.candidates(ordered);
    int priority = 0;
    for (int i = 0; i < candidates.size(); i++) {
      int rule = candidates.get(i);
      if (table.mayHold(rule, ordered)) {
        priority = Math.max(priority, priorities[rule]);
        if (table.holds(rule, ordered)) {
          return priority;
        }
      }
    }
    return Math.max(priority, byMethod(ordered.value(METHOD)));
  }

  /** The priority of requests that no rule gives one: 1 if they change something, else 2. */
  public static int byMethod(@Nullable String method) {
    if (method == null) {
      return 2;
    }
    return switch (method) {
      case "POST", "PUT", "PATCH", "DELETE" -> 1;
      default -> 2;
    };
  }
}
