package dev.weir.server.store;

import dev.weir.Store;
import dev.weir.memory.MemoryStore;
import dev.weir.shared.GuardSettings;
import dev.weir.shared.Shards;
import dev.weir.shared.StoreMemory;
import dev.weir.shared.fleet.FleetTables;
import dev.weir.shared.fleet.Roster;
import dev.weir.time.Ticker;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The store in which a server keeps its counters, and what operators learn about it.
 *
 * @param kind one word, such as {@code embedded} or {@code redis-cluster}
 * @param address the address as operators read it; may be empty
 * @param store keeps the counters
 * @param local counts in this process, for rules in local mode, and while the store does not answer
 * @param roster of the servers that share the store, if it keeps one
 * @param shards the shards of the store, which fail independently of each other
 * @param guard the deadline and the circuit breaker of the store
 * @param calls the number of calls to the store so far, where one call may hold many requests
 * @param memory reads the memory of the nodes of the store
 * @param problems what operators should look into
 * @param tables the tables that the servers of the store share
 */
public record StoreConfig(
    String kind,
    String address,
    Store store,
    MemoryStore local,
    Optional<Roster> roster,
    Shards shards,
    GuardSettings guard,
    LongSupplier calls,
    StoreMemory memory,
    Supplier<List<String>> problems,
    FleetTables tables) {

  /**
   * A store without an address, whose nodes report nothing about their memory, and whose tables are
   * in this process and shared with no other.
   */
  public StoreConfig(
      String kind,
      Store store,
      MemoryStore local,
      Optional<Roster> roster,
      Shards places,
      GuardSettings guard,
      LongSupplier calls,
      Supplier<List<String>> problems) {
    this(
        kind,
        "",
        store,
        local,
        roster,
        places,
        guard,
        calls,
        StoreMemory.UNKNOWN,
        problems,
        FleetTables.inProcess(Ticker.system()));
  }

  /** A store in this process, which always answers. */
  public static StoreConfig embedded(MemoryStore store) {
    return new StoreConfig(
        "embedded",
        store,
        store,
        Optional.empty(),
        Shards.ONE,
        GuardSettings.DEFAULT,
        () -> 0,
        List::of);
  }

  /** Whether the store is outside this process, so that it may fail to answer. */
  public boolean isShared() {
    return store != local;
  }
}
