package dev.weir.server.rls;

import java.util.ArrayList;
import java.util.List;

/**
 * The limits of a request that are charged together if it passes, and not at all if it is denied.
 *
 * <p><b>How.</b> A store takes all claims or none, but a request may pass although one of its
 * quotas, or a limit in shadow mode, has no room. So the first attempt takes all of them at once,
 * which suffices as long as there is room. If only optional limits have no room, the next attempt
 * takes the others without them. Each attempt is atomic, and each leaves out at least one limit
 * more.
 *
 * <p><b>Guarantees.</b> A denied request is charged nowhere. A request that passes is charged to
 * all its required limits, and to those quotas and shadows that had room.
 */
final class AllOrNone {
  private final List<LimitCheck> required;
  private final List<OptionalGroup> optional;
  private final boolean quotaNeeded;
  private final boolean denied;

  /** Limits of one descriptor that a request may pass without; they are charged together. */
  record OptionalGroup(DescriptorCheck descriptor, List<LimitCheck> checks, boolean quota) {
    boolean lacksRoom() {
      return (quota && descriptor.isOverByTallies())
          || checks.stream().anyMatch(LimitCheck::lacksRoom);
    }
  }

  /**
   * @param quotaNeeded whether the request is denied if none of these quotas has room
   * @param denied whether other limits deny the request, whatever these decide
   */
  AllOrNone(
      List<LimitCheck> required,
      List<OptionalGroup> optional,
      boolean quotaNeeded,
      boolean denied) {
    this.required = required;
    this.optional = optional;
    this.quotaNeeded = quotaNeeded;
    this.denied = denied;
  }

  /** A copy without the quotas and shadows that are known to have no room. */
  AllOrNone withoutExhausted() {
    if (optional.stream().noneMatch(OptionalGroup::lacksRoom)) {
      return this;
    }
    List<OptionalGroup> left = optional.stream().filter(group -> !group.lacksRoom()).toList();
    return new AllOrNone(required, left, quotaNeeded, denied);
  }

  /** Whether it is known by now that the request is denied. */
  boolean isDenied() {
    return denied
        || required.stream().anyMatch(LimitCheck::lacksRoom)
        || (quotaNeeded && optional.stream().noneMatch(OptionalGroup::quota));
  }

  /** The checks to send to a store. */
  List<LimitCheck> checks() {
    List<LimitCheck> checks = new ArrayList<>(required.size() + optional.size());
    add(required, checks);
    optional.forEach(group -> add(group.checks, checks));
    return checks;
  }

  private static void add(List<LimitCheck> from, List<LimitCheck> checks) {
    for (LimitCheck check : from) {
      if (!check.isBlocked() && !check.isPeekOnly() && !check.isDecidedWithoutStore()) {
        checks.add(check);
      }
    }
  }
}
