package dev.weir.testkit.redis;

import java.util.List;
import java.util.stream.Stream;

/** One line of {@code CLUSTER NODES}: one node's view of another, or of itself. */
record ClusterNode(
    String id, int port, List<String> flags, String masterId, boolean linked, List<String> slots) {

  /** All nodes that {@code node} knows. */
  static List<ClusterNode> seenBy(RedisServer node) {
    return node.text("CLUSTER", "NODES").lines().map(ClusterNode::parse).toList();
  }

  /** {@code id ip:port@bus flags master ping pong epoch link slot…}. */
  static ClusterNode parse(String line) {
    String[] words = line.split(" ", -1);
    if (words.length < 8) {
      throw new IllegalStateException("not a line of CLUSTER NODES: " + line);
    }
    String address = words[1];
    int port = Integer.parseInt(address, address.lastIndexOf(':') + 1, address.indexOf('@'), 10);
    return new ClusterNode(
        words[0],
        port,
        List.of(words[2].split(",", -1)),
        words[3],
        words[7].equals("connected"),
        // Slots in brackets are migrating, and still owned by their old master.
        Stream.of(words).skip(8).filter(range -> !range.startsWith("[")).toList());
  }

  boolean isMaster() {
    return flags.contains("master");
  }

  boolean owns(int slot) {
    return slots.stream().anyMatch(range -> contains(range, slot));
  }

  private static boolean contains(String range, int slot) {
    String[] ends = range.split("-", -1);
    return slot >= Integer.parseInt(ends[0]) && slot <= Integer.parseInt(ends[ends.length - 1]);
  }

  /** Whether the node is connected, and neither in handshake, nor failing, nor failed. */
  boolean isHealthy() {
    return linked
        && flags.stream().noneMatch(flag -> flag.startsWith("fail") || flag.equals("handshake"));
  }
}
