package dev.weir.replay.run;

import dev.weir.Descriptor;
import dev.weir.replay.measure.Hashes;
import dev.weir.rule.Identity;
import dev.weir.rule.Rule;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * How callers are known, whatever rule applies to a request: by the first identity that it has,
 * among those that the rules count by; the address comes last. Immutable.
 */
final class CallerNames {
  static final String ADDRESS = "ip";

  /** What rules count by, but identifies no caller. */
  private static final Set<String> NOT_CALLERS =
      Set.of("path", "path other-readings", "host", "method", "model", "domain");

  private static final String NOBODY = "nobody";

  private final List<String> names;
  private final int[] indexes;

  /** The names of callers of rules, which are read into descriptors of such names. */
  CallerNames(List<Rule> rules, Descriptor.Names values) {
    Set<String> found = new LinkedHashSet<>();
    for (Rule rule : rules) {
      for (Identity identity : rule.per()) {
        identity.alternatives().forEach(found::addAll);
      }
    }
    found.removeAll(NOT_CALLERS);
    found.remove(ADDRESS);
    found.add(ADDRESS);
    this.names = new ArrayList<>(found);
    this.indexes = names.stream().mapToInt(values.list()::indexOf).toArray();
  }

  /** The names in the order in which they are looked for. */
  List<String> names() {
    return names;
  }

  /** Which of the names a request has; how many names there are if it has none. */
  int find(Descriptor request) {
    for (int i = 0; i < indexes.length; i++) {
      String value = request.value(indexes[i]);
      if (value != null && !Descriptor.isUnusable(value)) {
        return i;
      }
    }
    return indexes.length;
  }

  /** The hash of the caller, who is known by the name at this index. */
  long hash(Descriptor request, int name) {
    long hash = Hashes.with(Hashes.SEED, (char) name);
    String value = name < indexes.length ? request.value(indexes[name]) : null;
    return Hashes.end(value == null ? hash : Hashes.with(hash, value));
  }

  /** The name at an index. */
  String name(int index) {
    return index < names.size() ? names.get(index) : NOBODY;
  }

  /** The caller in words: {@code ip 203.0.113.7}. */
  String text(Descriptor request, int name) {
    return name < indexes.length ? names.get(name) + " " + request.value(indexes[name]) : NOBODY;
  }
}
