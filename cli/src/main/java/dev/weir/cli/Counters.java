package dev.weir.cli;

import dev.weir.key.KeySpace;
import dev.weir.memory.MemoryStore;
import dev.weir.server.StoreInUse;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/** The counters of a server: where they are kept, and the keys they are known by. */
interface Counters extends AutoCloseable {
  StoreInUse store();

  KeySpace keys();

  /** Where they are, in words. */
  String where();

  /** Begins to look after whatever needs that. */
  void start(ScheduledExecutorService scheduler);

  /** Called once the server is warm, and answers as quickly as it will. */
  default void ready() {}

  @Override
  void close();

  /** In this process. */
  static Counters embedded(MemoryStore memory, @Nullable KeySecret given) {
    record Embedded(StoreInUse store, KeySpace keys) implements Counters {
      @Override
      public String where() {
        return "in this process";
      }

      @Override
      public void start(ScheduledExecutorService scheduler) {}

      @Override
      public void close() {}
    }
    KeySpace keys = given == null ? KeySpace.random() : given.keys();
    return new Embedded(StoreInUse.embedded(memory), keys);
  }
}
