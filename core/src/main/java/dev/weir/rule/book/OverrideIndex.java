package dev.weir.rule.book;

import dev.weir.Descriptor;
import dev.weir.rule.CallerOverride;
import dev.weir.rule.condition.Condition;
import dev.weir.rule.condition.ConditionIndex;
import dev.weir.rule.condition.IntList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the override for a caller among thousands; the first that matches applies. Immutable, and
 * safe for use by any number of threads.
 */
final class OverrideIndex {
  private final List<CallerOverride> overrides;
  private final IdentityResolver callers;
  private final ConditionIndex index;

  OverrideIndex(List<CallerOverride> overrides, IdentityResolver callers, Descriptor.Names names) {
    this.overrides = overrides;
    this.callers = callers;
    this.index =
        new ConditionIndex(overrides.stream().map(one -> one.callers().values()).toList(), names);
  }

  /** The first override for the caller of a request; null if there is none. */
  @Nullable CallerOverride find(Descriptor descriptor) {
    if (overrides.isEmpty()) {
      return null;
    }
    IntList candidates = index.find(descriptor);
    for (int i = 0; i < candidates.size(); i++) {
      CallerOverride override = overrides.get(candidates.get(i));
      if (holds(override, descriptor)) {
        return override;
      }
    }
    return null;
  }

  private boolean holds(CallerOverride override, Descriptor descriptor) {
    for (Map.Entry<Integer, Condition> caller : override.callers().entrySet()) {
      Condition condition = caller.getValue();
      String identifiedBy = callers.name(caller.getKey(), descriptor);
      if (identifiedBy == null
          || !CallerOverride.isAbout(condition.name(), identifiedBy)
          || !condition.holds(descriptor.value(condition.name()))) {
        return false;
      }
    }
    return true;
  }
}
