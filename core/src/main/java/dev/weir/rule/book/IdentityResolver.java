package dev.weir.rule.book;

import static java.util.Objects.requireNonNull;

import dev.weir.Descriptor;
import dev.weir.key.KeySpace;
import dev.weir.rule.Identity;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Identifies the caller of a request for one rule. Immutable, and safe for use by any number of
 * threads.
 */
final class IdentityResolver {
  private static final int ABSENT = -1;

  private final List<Identity> per;
  private final Alternative[][] alternatives;

  /** One alternative for a part of the identity: values that identify together, by index. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Alternative(List<String> names, int[] indexes) {
    boolean isPresent(Descriptor descriptor) {
      for (int index : indexes) {
        String value = descriptor.value(index);
        if (value == null || Descriptor.isUnusable(value)) {
          return false;
        }
      }
      return true;
    }

    boolean hasUnusable(Descriptor descriptor) {
      for (int index : indexes) {
        if (Descriptor.isUnusable(descriptor.value(index))) {
          return true;
        }
      }
      return false;
    }
  }

  IdentityResolver(List<Identity> per, Descriptor.Names names) {
    this.per = per;
    this.alternatives = new Alternative[per.size()][];
    for (int i = 0; i < alternatives.length; i++) {
      alternatives[i] =
          per.get(i).alternatives().stream()
              .map(of -> new Alternative(of, of.stream().mapToInt(names.list()::indexOf).toArray()))
              .toArray(Alternative[]::new);
    }
  }

  /** The first alternative that the request has for a part of the identity, or {@link #ABSENT}. */
  private int find(int part, Descriptor descriptor) {
    Alternative[] ordered = alternatives[part];
    for (int i = 0; i < ordered.length; i++) {
      if (ordered[i].isPresent(descriptor)) {
        return i;
      }
    }
    return ABSENT;
  }

  /** Whether a part of the identity is absent; a value that is present but unusable is not. */
  boolean lacksPart(Descriptor descriptor) {
    for (int part = 0; part < alternatives.length; part++) {
      if (find(part, descriptor) == ABSENT && !hasUnusable(part, descriptor)) {
        return true;
      }
    }
    return false;
  }

  private boolean hasUnusable(int part, Descriptor descriptor) {
    for (Alternative alternative : alternatives[part]) {
      if (alternative.hasUnusable(descriptor)) {
        return true;
      }
    }
    return false;
  }

  /** The name of the value that identifies a part; null if it is absent or several values do. */
  @Nullable String name(int part, Descriptor descriptor) {
    int chosen = find(part, descriptor);
    return chosen == ABSENT || alternatives[part][chosen].indexes.length != 1
        ? null
        : alternatives[part][chosen].names.get(0);
  }

  /** The owner of the counters that a request is counted in. */
  KeySpace.Owner owner(Descriptor descriptor, KeySpace keys) {
    if (alternatives.length == 0) {
      return keys.owner(); // all requests are counted together
    }
    int chosen = alternatives.length == 1 ? find(0, descriptor) : ABSENT;
    if (chosen != ABSENT && alternatives[0][chosen].indexes.length == 1) {
      // One value, as nearly always: avoids a list.
      Alternative only = alternatives[0][chosen];
      return keys.owner(only.names.get(0), requireNonNull(descriptor.value(only.indexes[0])));
    }
    return keys.owner(identifying(descriptor).toArray(String[]::new));
  }

  /**
   * The names and values that identify the caller, alternating. An absent part is an empty name and
   * the name of the part; no value can imitate that, because no value has an empty name.
   */
  List<String> identifying(Descriptor descriptor) {
    List<String> identifying = new ArrayList<>(2 * alternatives.length);
    for (int part = 0; part < alternatives.length; part++) {
      int chosen = find(part, descriptor);
      if (chosen == ABSENT) {
        identifying.add("");
        identifying.add(per.get(part).name());
        continue;
      }
      Alternative found = alternatives[part][chosen];
      for (int i = 0; i < found.indexes.length; i++) {
        identifying.add(found.names.get(i));
        identifying.add(requireNonNull(descriptor.value(found.indexes[i])));
      }
    }
    return identifying;
  }

  /**
   * Whether {@link #identifying} may have returned these names and values, for some request.
   *
   * @param part the part of the identity with which the names begin
   */
  boolean mayIdentify(List<String> identity, int part) {
    if (part == alternatives.length || identity.size() < 2) {
      return part == alternatives.length && identity.isEmpty();
    }
    if (identity.get(0).isEmpty()) {
      return identity.get(1).equals(per.get(part).name())
          && mayIdentify(identity.subList(2, identity.size()), part + 1);
    }
    for (Alternative alternative : alternatives[part]) {
      int length = 2 * alternative.names.size();
      if (length <= identity.size()
          && alternative.names.equals(names(identity.subList(0, length)))
          && mayIdentify(identity.subList(length, identity.size()), part + 1)) {
        return true;
      }
    }
    return false;
  }

  private static List<String> names(List<String> identity) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < identity.size(); i += 2) {
      names.add(identity.get(i));
    }
    return names;
  }
}
