package dev.weir.server.metrics;

import dev.weir.shared.StoreMemory.Node;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * The memory of the nodes of a remote store. Written by hand, because the masters of a cluster come
 * and go, and so do their series. Thread-safe.
 */
final class StoreMemoryMetrics implements Supplier<String> {
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

  /** The metrics in the Prometheus text format; empty while no node is known. */
  @Override
  public String get() {
    List<Node> known = nodes.get();
    Exposition out = new Exposition();
    family(out, "weir_store_memory_used_bytes", "gauge", "Memory in use", known, Node::usedBytes);
    family(
        out,
        "weir_store_memory_max_bytes",
        "gauge",
        "Configured maximum of memory",
        known.stream().filter(one -> one.maxBytes().isPresent()).toList(),
        one -> one.maxBytes().orElseThrow());
    family(
        out,
        "weir_store_memory_evicted_keys_total",
        "counter",
        "Keys evicted for lack of memory",
        known,
        Node::evictedKeys);
    return out.toString();
  }

  private void family(
      Exposition out,
      String name,
      String type,
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
