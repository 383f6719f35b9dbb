package dev.weir.rule;

import dev.weir.Descriptor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds, among many lists of conditions, those that may hold for a request, without asking each.
 *
 * <p>Each list is filed under the one of its conditions that it shares with the fewest others. A
 * list with no condition that can be filed is asked always.
 */
final class ConditionIndex {
  private final List<Drawer> drawers = new ArrayList<>();
  private final Hits always = new Hits();
  private final @Nullable Condition[] filed;
  private final int otherReadings;

  /** What is filed by one kind of condition on one value. */
  private static final class Drawer {
    final Class<?> kind;
    final int name;
    final Condition.Filing filing;
    final Hits all = new Hits();

    Drawer(Class<?> kind, int name, Condition.Filing filing) {
      this.kind = kind;
      this.name = name;
      this.filing = filing;
    }

    void find(@Nullable String value, Hits hits) {
      if (value != null && Descriptor.isUnusable(value)) {
        hits.addAll(all);
      } else if (value != null) {
        filing.find(value, hits);
      }
    }
  }

  private record Place(String name, Object value) {}

  ConditionIndex(List<? extends Collection<Condition>> lists, Descriptor.Names names) {
    this.otherReadings = names.list().indexOf(PathReadings.NAME);
    Map<Place, Integer> sharing = new HashMap<>();
    for (Collection<Condition> list : lists) {
      for (Condition condition : list) {
        places(condition).forEach(place -> sharing.merge(place, 1, Integer::sum));
      }
    }
    this.filed = new Condition[lists.size()];
    for (int i = 0; i < filed.length; i++) {
      Condition rarest = rarest(lists.get(i), sharing);
      filed[i] = rarest;
      if (rarest == null) {
        always.add(i);
      } else {
        Drawer drawer = drawer(rarest, names);
        drawer.filing.add(rarest, i);
        drawer.all.add(i);
      }
    }
  }

  private static @Nullable Condition rarest(
      Collection<Condition> conditions, Map<Place, Integer> sharing) {
    Condition rarest = null;
    int fewest = Integer.MAX_VALUE;
    for (Condition condition : conditions) {
      int shared = places(condition).stream().mapToInt(sharing::get).sum();
      if (shared > 0 && shared < fewest) {
        rarest = condition;
        fewest = shared;
      }
    }
    return rarest;
  }

  private static Set<Place> places(Condition condition) {
    return condition.places().stream()
        .map(place -> new Place(condition.name(), place))
        .collect(Collectors.toSet());
  }

  private Drawer drawer(Condition condition, Descriptor.Names names) {
    int name = names.list().indexOf(condition.name());
    for (Drawer drawer : drawers) {
      if (drawer.name == name && drawer.kind == condition.getClass()) {
        return drawer;
      }
    }
    Drawer drawer = new Drawer(condition.getClass(), name, condition.filing().orElseThrow());
    drawers.add(drawer);
    return drawer;
  }

  /** The condition of a list that holds whenever {@link #find} finds the list, if there is one. */
  @Nullable Condition filed(int list) {
    return filed[list];
  }

  /** The numbers of the lists that may hold, in order, each once. */
  Hits find(Descriptor descriptor) {
    Hits hits = new Hits();
    hits.addAll(always);
    for (int i = 0; i < drawers.size(); i++) {
      Drawer drawer = drawers.get(i);
      drawer.find(descriptor.value(drawer.name), hits);
      if (drawer.kind == Condition.Path.class && descriptor.value(otherReadings) != null) {
        for (String reading : PathReadings.split(descriptor.value(otherReadings))) {
          drawer.find(reading, hits);
        }
      }
    }
    hits.order();
    return hits;
  }
}
