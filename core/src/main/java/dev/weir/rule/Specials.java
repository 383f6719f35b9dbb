package dev.weir.rule;

import dev.weir.Descriptor;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds what a particular caller is allowed, among thousands: callers named by a value are looked
 * up, the others asked one after the other. The first in the rule's order counts.
 */
final class Specials {
  private final List<Special> specials;
  private final Callers callers;

  /** By name of the value and value, the place in the list. */
  private final Map<String, Map<String, Integer>> named = new HashMap<>();

  private final Hits others = new Hits();

  Specials(List<Special> specials, Callers callers) {
    this.specials = specials;
    this.callers = callers;
    for (int i = 0; i < specials.size(); i++) {
      Map<Integer, Condition> who = specials.get(i).callers();
      if (callers.parts() == 1 && who.get(0) instanceof Condition.OneOf oneOf) {
        Map<String, Integer> places =
            named.computeIfAbsent(oneOf.name(), absent -> new HashMap<>());
        int place = i;
        oneOf.values().forEach(value -> places.putIfAbsent(value, place));
      } else {
        others.add(i);
      }
    }
  }

  @Nullable Allowance find(Descriptor descriptor) {
    if (specials.isEmpty()) {
      return null;
    }
    int found = specials.size();
    String name = callers.parts() == 1 ? callers.name(0, descriptor) : null;
    Map<String, Integer> places = name == null ? null : named.get(name);
    if (places != null) {
      found = places.getOrDefault(callers.value(0, descriptor), found);
    }
    for (int i = 0; i < others.size() && others.get(i) < found; i++) {
      if (holds(specials.get(others.get(i)), descriptor)) {
        found = others.get(i);
      }
    }
    return found == specials.size() ? null : specials.get(found).allowance();
  }

  private boolean holds(Special special, Descriptor descriptor) {
    for (Map.Entry<Integer, Condition> who : special.callers().entrySet()) {
      Condition condition = who.getValue();
      String identifiedBy = callers.name(who.getKey(), descriptor);
      // A condition may look closer at the value that identifies: "ip exact" at "ip".
      boolean same =
          identifiedBy != null
              && (condition.name().equals(identifiedBy)
                  || condition.name().startsWith(identifiedBy + " "));
      if (!same || !condition.test(descriptor.value(condition.name()))) {
        return false;
      }
    }
    return true;
  }
}
