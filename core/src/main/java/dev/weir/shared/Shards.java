package dev.weir.shared;

import dev.weir.LimitKey;
import java.util.Map;

/**
 * The shards of a store: parts that fail independently, such as the masters of a cluster. An
 * implementation is safe for use by any number of threads.
 */
public interface Shards {
  /** A store of a single shard. */
  Shards ONE =
      new Shards() {
        private static final Map<String, LimitKey> ALL = Map.of("", new LimitKey(0, 0));

        @Override
        public String shardOf(LimitKey key) {
          return "";
        }

        @Override
        public Map<String, LimitKey> all() {
          return ALL;
        }

        @Override
        public String name(String shard) {
          return shard;
        }
      };

  /** The id of the shard that holds a key; it may change at any time. */
  String shardOf(LimitKey key);

  /** The ids of the current shards, each with a key in it that no caller uses, for probes. */
  Map<String, LimitKey> all();

  /** The name of a shard for operators; empty if it is the only one. */
  String name(String shard);
}
