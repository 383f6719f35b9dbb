package dev.weir.rule.action;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The callers whom operators have blocked or exempted. Immutable, and safe for use by any number of
 * threads.
 *
 * <p>A lookup compares at most ten numbers, and allocates nothing: it is made for each rule that
 * matches a request. Where there are no actions, none is made.
 */
public final class CallerActions {
  /** No caller is blocked or exempted: this very object, so that a comparison finds out. */
  public static final CallerActions NONE = new CallerActions(new TreeMap<>());

  /** The callers, sorted. */
  private final long[] callers;

  /** The actions of each caller, the newest first. */
  private final CallerAction[][] actions;

  private CallerActions(Map<Long, List<CallerAction>> byCaller) {
    this.callers = byCaller.keySet().stream().mapToLong(Long::longValue).sorted().toArray();
    this.actions =
        Arrays.stream(callers)
            .mapToObj(caller -> byCaller.getOrDefault(caller, List.of()))
            .map(list -> list.toArray(CallerAction[]::new))
            .toArray(CallerAction[][]::new);
  }

  /** These actions, the oldest first; of several about the same, the newest applies. */
  public static CallerActions of(List<CallerAction> actions) {
    if (actions.isEmpty()) {
      return NONE;
    }
    Map<Long, List<CallerAction>> byCaller = new TreeMap<>();
    for (CallerAction action : actions) {
      byCaller.computeIfAbsent(action.caller(), absent -> new ArrayList<>()).add(0, action);
    }
    return new CallerActions(byCaller);
  }

  /**
   * The action that applies to a caller by a rule; null if there is none.
   *
   * @param caller the hash of its identity
   */
  public @Nullable CallerAction find(String rule, long caller) {
    int index = Arrays.binarySearch(callers, caller);
    if (index >= 0) {
      for (CallerAction action : actions[index]) {
        if (action.isAbout(rule)) {
          return action;
        }
      }
    }
    return null;
  }
}
