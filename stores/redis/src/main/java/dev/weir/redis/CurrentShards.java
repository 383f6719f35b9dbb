package dev.weir.redis;

import dev.weir.LimitKey;
import dev.weir.shared.Shards;
import java.util.Map;
import java.util.function.Supplier;

/** Shards that are not known yet, or change as a whole. As thread-safe as the supplier. */
record CurrentShards(Supplier<Shards> current) implements Shards {
  @Override
  public String shardOf(LimitKey key) {
    return current.get().shardOf(key);
  }

  @Override
  public Map<String, LimitKey> all() {
    return current.get().all();
  }

  @Override
  public String name(String shard) {
    return current.get().name(shard);
  }
}
