package dev.weir.shared;

import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Reads how much memory the nodes of a store use. An implementation is safe for use by any number
 * of threads, and never blocks.
 */
@FunctionalInterface
public interface StoreMemory {
  /** A store whose nodes report nothing. */
  StoreMemory UNKNOWN = () -> CompletableFuture.completedStage(List.of());

  /**
   * Asks all nodes. The stage completes in bounded time and never fails: a node that does not
   * answer, or does not permit the question, is missing from the list.
   */
  CompletionStage<List<Node>> read();

  /**
   * The memory of one node.
   *
   * @param name for operators; empty if it is the only node
   * @param usedBytes the bytes in use
   * @param maxBytes the configured maximum; empty if there is none
   * @param evictedKeys how many keys the node has evicted since its start, to make room for others
   */
  record Node(String name, long usedBytes, OptionalLong maxBytes, long evictedKeys) {
    /** Checks that nothing is missing. */
    public Node {
      Objects.requireNonNull(name);
      Objects.requireNonNull(maxBytes);
    }
  }
}
