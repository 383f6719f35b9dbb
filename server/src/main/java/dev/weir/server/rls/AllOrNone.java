package dev.weir.server.rls;

import java.util.ArrayList;
import java.util.List;

/**
 * The limits of a request that are charged together if it passes, and not at all if it is denied.
 *
 * <p><b>How.</b> A store takes all claims or none, but a request may pass although one of its
 * quotas, or a limit in shadow mode, has no room. So all of them are asked for at once, which is
 * the whole story as long as there is room; if only such limits have none, the others are asked for
 * again without them. Each attempt is atomic, and each leaves out at least one limit more.
 *
 * <p><b>Guarantees.</b> A denied request is charged nowhere. One that passes is charged to all its
 * required limits, and to those quotas and shadows that had room.
 */
final class AllOrNone {
  private final List<Line> required;
  private final List<Dispensable> dispensable;
  private final boolean quotaNeeded;
  private final boolean denied;

  /** The limits of one descriptor that a request may pass without: charged together or not. */
  record Dispensable(Slot slot, List<Line> lines, boolean quota) {
    boolean lacksRoom() {
      return (quota && slot.isOverByTallies()) || lines.stream().anyMatch(Line::lacksRoom);
    }
  }

  /**
   * @param quotaNeeded whether the request is denied if none of these quotas has room
   * @param denied whether it is denied by other limits, whatever these say
   */
  AllOrNone(
      List<Line> required, List<Dispensable> dispensable, boolean quotaNeeded, boolean denied) {
    this.required = required;
    this.dispensable = dispensable;
    this.quotaNeeded = quotaNeeded;
    this.denied = denied;
  }

  /** The same without quotas and shadows of which it is known that they have no room. */
  AllOrNone withoutExhausted() {
    if (dispensable.stream().noneMatch(Dispensable::lacksRoom)) {
      return this;
    }
    List<Dispensable> left = dispensable.stream().filter(one -> !one.lacksRoom()).toList();
    return new AllOrNone(required, left, quotaNeeded, denied);
  }

  /** Whether it is known by now that the request is denied. */
  boolean isDenied() {
    return denied
        || required.stream().anyMatch(Line::lacksRoom)
        || (quotaNeeded && dispensable.stream().noneMatch(Dispensable::quota));
  }

  /** What a store is to be asked for. */
  List<Line> lines() {
    List<Line> lines = new ArrayList<>(required.size() + dispensable.size());
    add(required, lines);
    dispensable.forEach(one -> add(one.lines, lines));
    return lines;
  }

  private static void add(List<Line> some, List<Line> lines) {
    for (Line line : some) {
      if (!line.isBlocked() && !line.isLookOnly() && !line.isDecidedWithoutStore()) {
        lines.add(line);
      }
    }
  }
}
