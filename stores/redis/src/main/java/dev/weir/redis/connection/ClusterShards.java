package dev.weir.redis.connection;

import dev.weir.LimitKey;
import dev.weir.shared.Shards;
import java.util.HashMap;
import java.util.Map;

/**
 * The masters of a cluster as shards, identified by node ID, which outlasts addresses. Thread-safe.
 */
public final class ClusterShards implements Shards {
  /** Among so many keys there is one for each node, unless a node has next to no slots. */
  private static final int MAX_TRIES = 16_384;

  private final Link link;

  /** The shards of the cluster behind {@code link}. */
  public ClusterShards(Link link) {
    this.link = link;
  }

  @Override
  public String shardOf(LimitKey key) {
    return link.nodeSlot(key).node();
  }

  @Override
  public Map<String, LimitKey> all() {
    int nodes = link.nodes().size();
    Map<String, LimitKey> all = new HashMap<>();
    for (int i = 0; i < MAX_TRIES && all.size() < nodes; i++) {
      LimitKey spare = new LimitKey(i, 0); // the key of no caller
      String node = shardOf(spare);
      if (!node.isEmpty()) {
        all.putIfAbsent(node, spare);
      }
    }
    return all;
  }

  @Override
  public String name(String node) {
    return link.nodes().getOrDefault(node, node);
  }
}
