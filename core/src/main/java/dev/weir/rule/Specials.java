package dev.weir.rule;

import dev.weir.Descriptor;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds what a particular caller is allowed, among thousands. The first in order counts. */
final class Specials {
  private final List<Special> specials;
  private final Callers callers;
  private final ConditionIndex index;

  Specials(List<Special> specials, Callers callers, Descriptor.Names names) {
    this.specials = specials;
    this.callers = callers;
    this.index =
        new ConditionIndex(specials.stream().map(one -> one.callers().values()).toList(), names);
  }

  @Nullable Special find(Descriptor descriptor) {
    if (specials.isEmpty()) {
      return null;
    }
    Hits hits = index.find(descriptor);
    for (int i = 0; i < hits.size(); i++) {
      Special special = specials.get(hits.get(i));
      if (holds(special, descriptor)) {
        return special;
      }
    }
    return null;
  }

  private boolean holds(Special special, Descriptor descriptor) {
    for (Map.Entry<Integer, Condition> who : special.callers().entrySet()) {
      Condition condition = who.getValue();
      String identifiedBy = callers.name(who.getKey(), descriptor);
      if (identifiedBy == null
          || !Special.looksAt(condition.name(), identifiedBy)
          || !condition.holds(descriptor.value(condition.name()))) {
        return false;
      }
    }
    return true;
  }
}
