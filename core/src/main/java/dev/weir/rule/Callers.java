package dev.weir.rule;

import static java.util.Objects.requireNonNull;

import dev.weir.Descriptor;
import dev.weir.key.KeySpace;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells whom a rule counts a request for. */
final class Callers {
  static final int ABSENT = -1;

  private final List<Identity> per;
  private final Way[][] ways;

  /** One way to know a caller: the names of values that identify together, and their places. */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares these
  private record Way(List<String> names, int[] indexes) {
    boolean isOffered(Descriptor descriptor) {
      for (int index : indexes) {
        String value = descriptor.value(index);
        if (value == null || Descriptor.isUnusable(value)) {
          return false;
        }
      }
      return true;
    }

    boolean isTried(Descriptor descriptor) {
      for (int index : indexes) {
        if (Descriptor.isUnusable(descriptor.value(index))) {
          return true;
        }
      }
      return false;
    }
  }

  Callers(List<Identity> per, Descriptor.Names names) {
    this.per = per;
    this.ways = new Way[per.size()][];
    for (int i = 0; i < ways.length; i++) {
      ways[i] =
          per.get(i).alternatives().stream()
              .map(way -> new Way(way, way.stream().mapToInt(names.list()::indexOf).toArray()))
              .toArray(Way[]::new);
    }
  }

  int parts() {
    return ways.length;
  }

  /** The first way that the request offers for a part of the identity, or {@link #ABSENT}. */
  int way(int part, Descriptor descriptor) {
    Way[] offered = ways[part];
    for (int i = 0; i < offered.length; i++) {
      if (offered[i].isOffered(descriptor)) {
        return i;
      }
    }
    return ABSENT;
  }

  /** Whether the request lacks a part of the identity, and does not just make a mess of it. */
  boolean lacksPart(Descriptor descriptor) {
    for (int part = 0; part < ways.length; part++) {
      if (way(part, descriptor) == ABSENT && !isTried(part, descriptor)) {
        return true;
      }
    }
    return false;
  }

  private boolean isTried(int part, Descriptor descriptor) {
    for (Way way : ways[part]) {
      if (way.isTried(descriptor)) {
        return true;
      }
    }
    return false;
  }

  /** The name of the value that identifies, if it is a single one that does. */
  @Nullable String name(int part, Descriptor descriptor) {
    int way = way(part, descriptor);
    return way == ABSENT || ways[part][way].indexes.length != 1
        ? null
        : ways[part][way].names.get(0);
  }

  KeySpace.Owner owner(Descriptor descriptor, KeySpace keys) {
    int way = ways.length == 1 ? way(0, descriptor) : ABSENT;
    if (way != ABSENT && ways[0][way].indexes.length == 1) {
      // One value, as nearly always: no list for that.
      Way only = ways[0][way];
      return keys.owner(only.names.get(0), requireNonNull(descriptor.value(only.indexes[0])));
    }
    return keys.owner(identifying(descriptor).toArray(String[]::new));
  }

  /**
   * Names and values that identify, in turn. A part that is absent is an empty name and what the
   * part is called, which no value can imitate because no value has an empty name.
   */
  List<String> identifying(Descriptor descriptor) {
    List<String> identifying = new ArrayList<>(2 * ways.length);
    for (int part = 0; part < ways.length; part++) {
      int chosen = way(part, descriptor);
      if (chosen == ABSENT) {
        identifying.add("");
        identifying.add(per.get(part).name());
        continue;
      }
      Way way = ways[part][chosen];
      for (int i = 0; i < way.indexes.length; i++) {
        identifying.add(way.names.get(i));
        identifying.add(requireNonNull(descriptor.value(way.indexes[i])));
      }
    }
    return identifying;
  }
}
