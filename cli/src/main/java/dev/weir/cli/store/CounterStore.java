package dev.weir.cli.store;

import dev.weir.key.KeySecret;
import dev.weir.key.KeySpace;
import dev.weir.memory.MemoryStore;
import dev.weir.server.store.StoreConfig;
import org.jspecify.annotations.Nullable;

/** The store of a server's counters, and the key space of their keys. */
public interface CounterStore extends AutoCloseable {
  /** The configuration of the store for a server. */
  StoreConfig store();

  /** The key space that all servers on this store share. */
  KeySpace keys();

  /** The location of the counters in words, such as {@code in this process}. */
  String location();

  /** Called once, when the server has warmed up. */
  default void ready() {}

  /** Releases the connection to the store. */
  @Override
  void close();

  /**
   * Keeps counters in this process.
   *
   * @param secret the configured secret; null for a random one
   */
  static CounterStore embedded(MemoryStore memory, @Nullable KeySecret secret) {
    record Embedded(StoreConfig store, KeySpace keys) implements CounterStore {
      @Override
      public String location() {
        return "in this process";
      }

      @Override
      public void close() {}
    }
    KeySpace keys = secret == null ? KeySpace.random() : secret.keys();
    return new Embedded(StoreConfig.embedded(memory), keys);
  }
}
