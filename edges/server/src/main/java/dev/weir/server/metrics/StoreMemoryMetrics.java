package dev.weir.server.metrics;

import dev.weir.server.exposition.MetricSink;
import dev.weir.server.exposition.MetricType;
import dev.weir.shared.StoreMemory.Node;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * The memory of the nodes of a remote store. Written by hand, because the masters of a cluster come
 * and go, and so do their series. Thread-safe.
 */
final class StoreMemoryMetrics implements Consumer<MetricSink> {
  private final Supplier<List<Node>> nodes;
  private final String address;

  /**
   * Reads from {@code nodes}.
   *
   * @param address names the only node of a store that is not a cluster
   */
  StoreMemoryMetrics(Supplier<List<Node>> nodes, String address) {
    this.nodes = nodes;
    this.address = address;
  }

  /** Writes the metrics; none while no node is known. */
  @Override
  public void accept(MetricSink out) {
    List<Node> known = nodes.get();
    family(
        out,
        "weir_store_memory_used_bytes",
        MetricType.GAUGE,
        "Memory in use",
        known,
        Node::usedBytes);
    family(
        out,
        "weir_store_memory_max_bytes",
        MetricType.GAUGE,
        "Configured maximum of memory",
        known.stream().filter(one -> one.maxBytes().isPresent()).toList(),
        one -> one.maxBytes().orElseThrow());
    family(
        out,
        "weir_store_memory_evicted_keys_total",
        MetricType.COUNTER,
        "Keys evicted for lack of memory",
        known,
        Node::evictedKeys);
  }

  private void family(
      MetricSink out,
      String name,
      MetricType type,
      String help,
      List<Node> known,
      ToLongFunction<Node> value) {
    if (!known.isEmpty()) {
      out.family(name, type, help + " by node of the store");
      for (Node node : known) {
        String label = node.name().isEmpty() ? address : node.name();
        out.sample(value.applyAsLong(node), "node", label);
      }
    }
  }
}
