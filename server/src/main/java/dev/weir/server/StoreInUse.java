package dev.weir.server;

import dev.weir.Store;
import dev.weir.guard.GuardSettings;
import dev.weir.guard.Places;
import dev.weir.guard.Roster;
import dev.weir.memory.MemoryStore;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Where a server keeps its counters, and what there is to tell operators about it.
 *
 * @param kind in a word, such as {@code embedded} or {@code redis-cluster}
 * @param address where it is, for people; empty if there is nothing to say
 * @param local counts in this process, for rules that want that always, or while the store does not
 *     answer
 * @param roster of the servers that share the store, if it keeps one
 * @param places of the store, which fail each by itself
 * @param guard when the store is no longer waited for, and no longer asked
 * @param calls how often the store was called so far, where one call may hold many requests
 * @param problems what somebody should look after
 */
public record StoreInUse(
    String kind,
    String address,
    Store store,
    MemoryStore local,
    Optional<Roster> roster,
    Places places,
    GuardSettings guard,
    LongSupplier calls,
    Supplier<List<String>> problems) {

  /** The same without an address. */
  public StoreInUse(
      String kind,
      Store store,
      MemoryStore local,
      Optional<Roster> roster,
      Places places,
      GuardSettings guard,
      LongSupplier calls,
      Supplier<List<String>> problems) {
    this(kind, "", store, local, roster, places, guard, calls, problems);
  }

  /** In this process, where it always answers. */
  public static StoreInUse embedded(MemoryStore store) {
    return new StoreInUse(
        "embedded",
        store,
        store,
        Optional.empty(),
        Places.ONE,
        GuardSettings.DEFAULT,
        () -> 0,
        List::of);
  }

  /** Whether it is somewhere else, from where answers may fail to come. */
  boolean isShared() {
    return store != local;
  }
}
