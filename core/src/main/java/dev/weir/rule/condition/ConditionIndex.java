package dev.weir.rule.condition;

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
 * Finds, among many lists of conditions, those that may hold for a request, without testing each.
 *
 * <p>Each list is indexed by the most selective of its conditions, which it shares with the fewest
 * other lists. A list without a condition that can be indexed is always a candidate. The index is
 * immutable and safe for use by any number of threads.
 */
public final class ConditionIndex {
  private final List<Bucket> buckets = new ArrayList<>();
  private final IntList unindexed = new IntList();
  private final @Nullable Condition[] indexedBy;
  private final int otherReadings;

  /** The index of one kind of condition on one value. */
  private static final class Bucket {
    final Class<?> kind;
    final int name;
    final Condition.Index index;
    final IntList all = new IntList();

    Bucket(Class<?> kind, int name, Condition.Index index) {
      this.kind = kind;
      this.name = name;
      this.index = index;
    }

    void find(@Nullable String value, IntList candidates) {
      if (value != null && Descriptor.isUnusable(value)) {
        candidates.addAll(all);
      } else if (value != null) {
        index.find(value, candidates);
      }
    }
  }

  private record Key(String name, Object value) {}

  /** Indexes lists of conditions on descriptors with these names. */
  public ConditionIndex(List<? extends Collection<Condition>> lists, Descriptor.Names names) {
    this.otherReadings = names.list().indexOf(PathReadings.NAME);
    Map<Key, Integer> uses = new HashMap<>();
    for (Collection<Condition> list : lists) {
      for (Condition condition : list) {
        keys(condition).forEach(key -> uses.merge(key, 1, Integer::sum));
      }
    }
    this.indexedBy = new Condition[lists.size()];
    for (int i = 0; i < indexedBy.length; i++) {
      Condition selective = mostSelective(lists.get(i), uses);
      indexedBy[i] = selective;
      if (selective == null) {
        unindexed.add(i);
      } else {
        Bucket bucket = bucket(selective, names);
        bucket.index.add(selective, i);
        bucket.all.add(i);
      }
    }
  }

  private static @Nullable Condition mostSelective(
      Collection<Condition> conditions, Map<Key, Integer> uses) {
    Condition selective = null;
    int fewest = Integer.MAX_VALUE;
    for (Condition condition : conditions) {
      int shared = keys(condition).stream().mapToInt(uses::get).sum();
      if (shared > 0 && shared < fewest) {
        selective = condition;
        fewest = shared;
      }
    }
    return selective;
  }

  private static Set<Key> keys(Condition condition) {
    return condition.indexKeys().stream()
        .map(value -> new Key(condition.name(), value))
        .collect(Collectors.toSet());
  }

  private Bucket bucket(Condition condition, Descriptor.Names names) {
    int name = names.list().indexOf(condition.name());
    for (Bucket bucket : buckets) {
      if (bucket.name == name && bucket.kind == condition.getClass()) {
        return bucket;
      }
    }
    Bucket bucket = new Bucket(condition.getClass(), name, condition.newIndex().orElseThrow());
    buckets.add(bucket);
    return bucket;
  }

  /**
   * The condition by which a list is indexed, which holds whenever {@link #find} finds the list;
   * null if the list is not indexed.
   */
  @Nullable
  public Condition indexedBy(int list) {
    return indexedBy[list];
  }

  /** The numbers of the lists that may hold, in order, each once. */
  public IntList find(Descriptor descriptor) {
    IntList candidates = new IntList();
    candidates.addAll(unindexed);
    for (int i = 0; i < buckets.size(); i++) {
      Bucket bucket = buckets.get(i);
      bucket.find(descriptor.value(bucket.name), candidates);
      if (bucket.kind == Condition.Path.class && descriptor.value(otherReadings) != null) {
        for (String reading : PathReadings.split(descriptor.value(otherReadings))) {
          bucket.find(reading, candidates);
        }
      }
    }
    candidates.order();
    return candidates;
  }
}
