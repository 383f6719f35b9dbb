package dev.weir.server;

import dev.weir.Store;
import dev.weir.memory.MemoryStore;

class EmbeddedRlsTest extends RlsContract {
  @Override
  Store open() {
    return new MemoryStore();
  }

  @Override
  void shut() {}
}
