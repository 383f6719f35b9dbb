package dev.weir.rule;

import dev.weir.Descriptor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rules that may apply to a request without asking each of them.
 *
 * <p>Each rule is filed under the one of its conditions that it shares with the fewest others: a
 * path, or a value that must be equal to something. A rule with no such condition is asked always.
 */
final class RuleIndex {
  private final int path;
  private final int otherReading;
  private final PathIndex paths = new PathIndex();
  private final List<ValueIndex> values = new ArrayList<>();
  private final int[] always;
  private final @Nullable Condition[] filed;

  private record ValueIndex(int name, Map<String, List<Integer>> rules) {
    void find(Descriptor descriptor, Hits hits) {
      String value = descriptor.value(name);
      List<Integer> found = value == null ? null : rules.get(value);
      for (int i = 0; found != null && i < found.size(); i++) {
        hits.add(found.get(i));
      }
    }
  }

  RuleIndex(List<Rule> rules, Descriptor.Names names) {
    this.path = names.list().indexOf(Condition.Path.NAME);
    this.otherReading = names.list().indexOf(Condition.Path.OTHER_READING);
    Map<Object, Integer> sharing = new HashMap<>();
    for (Rule rule : rules) {
      for (Condition condition : rule.match()) {
        filedUnder(condition).forEach(place -> sharing.merge(place, 1, Integer::sum));
      }
    }
    Hits unfiled = new Hits();
    this.filed = new Condition[rules.size()];
    for (int i = 0; i < rules.size(); i++) {
      Condition rarest = rarest(rules.get(i), sharing);
      filed[i] = rarest;
      if (rarest == null) {
        unfiled.add(i);
      } else {
        file(rarest, i, names);
      }
    }
    this.always = new int[unfiled.size()];
    for (int i = 0; i < always.length; i++) {
      always[i] = unfiled.get(i);
    }
  }

  private static @Nullable Condition rarest(Rule rule, Map<Object, Integer> sharing) {
    Condition rarest = null;
    int fewest = Integer.MAX_VALUE;
    for (Condition condition : rule.match()) {
      int shared =
          filedUnder(condition).stream().mapToInt(place -> sharing.getOrDefault(place, 0)).sum();
      if (shared > 0 && shared < fewest) {
        rarest = condition;
        fewest = shared;
      }
    }
    return rarest;
  }

  private record Place(String name, Object value) {}

  private static Set<Place> filedUnder(Condition condition) {
    List<?> under = List.of();
    if (condition instanceof Condition.OneOf oneOf) {
      under = List.copyOf(oneOf.values());
    } else if (condition instanceof Condition.Path paths) {
      under = paths.patterns();
    }
    Set<Place> places = new HashSet<>();
    under.forEach(value -> places.add(new Place(condition.name(), value)));
    return places;
  }

  private void file(Condition condition, int rule, Descriptor.Names names) {
    if (condition instanceof Condition.Path one) {
      one.patterns().forEach(pattern -> paths.add(pattern, rule));
    } else if (condition instanceof Condition.OneOf oneOf) {
      int name = names.list().indexOf(condition.name());
      ValueIndex index = values.stream().filter(one -> one.name == name).findFirst().orElse(null);
      if (index == null) {
        index = new ValueIndex(name, new HashMap<>());
        values.add(index);
      }
      for (String value : oneOf.values()) {
        index.rules.computeIfAbsent(value, absent -> new ArrayList<>()).add(rule);
      }
    }
  }

  /** The condition of a rule that holds whenever {@link #find} finds the rule, if there is one. */
  @Nullable Condition filed(int rule) {
    return filed[rule];
  }

  Hits find(Descriptor descriptor) {
    Hits hits = new Hits();
    hits.addAll(always);
    if (otherReading >= 0) {
      paths.find(descriptor.value(path), hits);
      paths.find(descriptor.value(otherReading), hits);
    }
    for (int i = 0; i < values.size(); i++) {
      values.get(i).find(descriptor, hits);
    }
    hits.order();
    return hits;
  }
}
